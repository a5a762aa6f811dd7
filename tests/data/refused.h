/* refused.h: what calls exit is refused in a sentence, and the test goes on; for the parts
   of chapters that tests run with made-up launches. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
__attribute__((noreturn)) static void left(int status)
{
    printf("refused, status %d\n", status);
    longjmp(back, 1);
}
#define exit left
#define REFUSED(...)           \
    do {                       \
        if (setjmp(back) == 0) \
            __VA_ARGS__;       \
    } while (0)
