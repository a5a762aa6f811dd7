// refused: five_numbers.cu:5: error: .*this one has 5
void f(float *y)
{
    /* the grid */
    scale<<<
        1, 2, 3, 4, 5>>>(y);
}
