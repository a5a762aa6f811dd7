// refused: no_name.cu:4: error: a launch needs the name of a kernel
void f(float *y)
{
    + <<<1, 2>>>(y);
}
