// refused: no_arguments.cu:4: error: this launch has no end
void f(float *y)
{
    scale<<<1, 2>>>;
}
