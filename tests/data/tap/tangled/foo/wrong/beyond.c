/* wrong: asan: stack-buffer-overflow|out of bounds
 */
/* wrong: asan: out of bounds|stack-buffer-overflow */
/* wrong: run: no such words */
int main(int argc, char **argv)
{
    volatile int a[4] = {0};

    (void)argv;
    for (int i = 0; i < 4 + argc; i++)
        a[i] = i;
    return a[0];
}
