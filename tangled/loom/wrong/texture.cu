/* wrong: compile: lacks cudaCreateTextureObject so far */
int main(void)
{
    int texture = 0;

    return cudaCreateTextureObject(&texture, NULL, NULL, NULL);
}
