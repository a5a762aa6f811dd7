/* ends.c: linked to what is compiled with -fsanitize-coverage=trace-pc, it ends what does
   not end: by the number of its steps, since a time limit says nothing about a program. */
#include <stdio.h>
#include <stdlib.h>

void __sanitizer_cov_trace_pc(void)
{
    static long steps;

    if (++steps < 200000000)
        return;
    printf("does not end\n");
    fflush(stdout);
    _Exit(1);
}
