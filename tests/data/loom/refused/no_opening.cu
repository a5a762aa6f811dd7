// refused: no_opening.cu:4: error: the > before this launch closes nothing
void f(float *y)
{
    2> <<<1, 2>>>(y);
}
