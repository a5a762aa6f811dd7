/* The array dies when the function returns; its address does not. */
/* wrong: compile: return(s|ed).*address of (local|stack)|address of stack memory */
static float *three_zeros(void)
{
    float x[3] = {0, 0, 0};

    return x;
}

int main(void)
{
    return three_zeros()[0] != 0;
}
