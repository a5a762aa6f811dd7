// refused: no_end.cu:4: error: this launch has no end
void f(float *y)
{
    scale<<<1, 2>>;
}
