/* key: make the sounds of keys, and hear which they were. */
#include <stdio.h>

#include "dft/key.h"
#include "tour/args.h"
#include "tour/check.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--keys", "0123456789*#ABCD")};
    uint64_t seed =
        args_parse(argc, argv, "which key was it?", args, ARG_COUNT(args));
    double x[KEY_SAMPLES];
    int keys = 0;

    for (const char *s = args[0].text; *s; s++, keys++) {
        const char *at = strchr(key_names, *s);
        int heard;

        if (at == NULL)
            args_refuse("key", "there is no key '%c'; there are %s", *s,
                        key_names);
        key_sound((int)(at - key_names), 1, &seed, x);
        heard = key_heard(x);
        printf("%c: %d Hz and %d Hz\n", key_names[heard], key_tones[heard / 4],
               key_tones[4 + heard % 4]);
        CHECK(key_names[heard] == *s, "heard %c, not %c", key_names[heard], *s);
    }
    printf("ok: %d keys heard\n", keys);
    return 0;
}
