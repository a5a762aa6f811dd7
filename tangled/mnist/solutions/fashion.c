/* fashion: a data set whose labels have names */
#include "mnist/show.h"
#include "tour/args.h"
#include "tour/check.h"

static const char *const names[DIGIT_KINDS] = {
    "T-shirt", "trouser", "pullover", "dress", "coat",
    "sandal",  "shirt",   "sneaker",  "bag",   "ankle boot"};

/* show pictures with the names of their labels */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--data", "synth"),
                         ARG_SIZE("count", 3, 1, 1000)};
    const char *captions[1000];
    struct digits train, test;
    struct fault why;
    char from[256];
    int count;

    args_parse(argc, argv, "clothes in the terminal", args, ARG_COUNT(args));
    count = (int)args[1].value;
    CHECK(digits_open(args[0].text, 0, count, &train, &test, from, sizeof from,
                      &why) == 0,
          "%s", why.text);
    for (int i = 0; i < count; i++)
        captions[i] = names[test.labels[i]];
    show_digits(stdout, &test, NULL, count, captions, 0);
    printf("if these are digits, %s holds no clothes\n", from);
    digits_free(&train);
    digits_free(&test);
    return 0;
}
