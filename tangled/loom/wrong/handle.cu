/* wrong: compile: lacks cudaIpcGetMemHandle so far */
int main(void)
{
    int handle = 0;

    return cudaIpcGetMemHandle(&handle, NULL);
}
