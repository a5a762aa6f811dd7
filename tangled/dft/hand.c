/* hand: the transform of a few numbers from the command line. */
#include <stdio.h>
#include <stdlib.h>

#include "dft/trial.h"
#include "tour/args.h"

enum { MOST = 64 };

/* read the samples */
/* Reads up to MOST numbers into x; returns how many. */
static int read_samples(const char *s, struct cplx *x)
{
    char *end;
    int n = 0;

    for (s += strspn(s, " "); *s; s = end + strspn(end, " ")) {
        double v = strtod(s, &end);

        if (end == s || (*end && *end != ' ') || !isfinite(v))
            args_refuse("hand", "sample %d, '%.20s', is not a number", n, s);
        if (n == MOST)
            args_refuse("hand", "there are more than %d samples", MOST);
        x[n].re = v;
        x[n++].im = 0;
    }
    if (n == 0)
        args_refuse("hand", "--signal has no samples; give it \"1 -1 1 -1\"");
    return n;
}

/* print a list of complex numbers */
static void print_list(int n, const struct cplx *x)
{
    for (int k = 0; k < n; k++) {
        double re = round(x[k].re * 1e4) / 1e4 + 0;
        double im = round(x[k].im * 1e4) / 1e4 + 0;

        printf(k ? ", " : "[");
        if (re != 0 || im == 0)
            printf("%.10g", re);
        if (im != 0)
            printf(re != 0 ? "%+.10gi" : "%.10gi", im);
    }
    printf("]");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--signal", "1 -1 1 -1"), ARG_FLAG("--back")};
    struct cplx x[MOST], y[MOST];
    int n;

    args_parse(argc, argv, "transform a list of numbers", args,
               ARG_COUNT(args));
    n = read_samples(args[0].text, x);
    dft(n, args[1].value ? 1 : -1, x, y);
    for (int k = 0; args[1].value && k < n; k++)
        y[k].re /= n, y[k].im /= n;
    print_list(n, x);
    printf(" -> ");
    print_list(n, y);
    printf("\n");
    return 0;
}
