/* refused.h: what calls exit is refused in a sentence, and the test goes on; for the parts
   of chapters that tests run with made-up launches. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
static int refused_times, quietly;
static int awaited; /* or else it is the end */
__attribute__((noreturn)) static void left(int status)
{
    if (!awaited) {
        fflush(stdout);
        _Exit(status);
    }
    refused_times++;
    if (!quietly)
        printf("refused, status %d\n", status);
    longjmp(back, 1);
}
#define exit left
#define REFUSED(...)           \
    do {                       \
        awaited = 1;           \
        if (setjmp(back) == 0) \
            __VA_ARGS__;       \
        awaited = 0;           \
    } while (0)
