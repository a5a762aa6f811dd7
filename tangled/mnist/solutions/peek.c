/* peek: the header of a safetensors file, a line for each tensor */
#include "mnist/file.h"
#include "mnist/safetensors.h"
#include "tour/args.h"
#include "tour/check.h"

/* print a header */
static void print_header(const char *path, const unsigned char *b, size_t size)
{
    uint64_t n = 0;

    for (int i = 0; i < 8 && size >= 8; i++)
        n |= (uint64_t)b[i] << (8 * i);
    CHECK(size >= 8 && n <= size - 8, "%s: is no safetensors file", path);
    for (uint64_t i = 8; i < 8 + n; i++) {
        putchar(b[i] >= ' ' && b[i] <= '~' ? b[i] : '?');
        if (b[i] == ',' && b[i - 1] == '}')
            putchar('\n');
    }
    printf("\n%llu bytes of header, %llu of numbers\n", (unsigned long long)n,
           (unsigned long long)(size - 8 - n));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--file", NULL)};
    float ones[2] = {1, 1};
    struct st_tensor t = {"ones", 1, {2}, ones};
    const char *path = "peek.safetensors";
    unsigned char *bytes;
    struct fault why;
    size_t size;

    args_parse(argc, argv, "a look into a safetensors file", args, 1);
    if (args[0].text != NULL)
        path = args[0].text;
    else
        CHECK(st_write(path, &t, 1, NULL, 0, &why) == 0, "%s", why.text);
    CHECK(file_read(path, &bytes, &size, &why) == 0, "%s", why.text);
    print_header(path, bytes, size);
    free(bytes);
    if (args[0].text == NULL)
        remove(path);
    return 0;
}
