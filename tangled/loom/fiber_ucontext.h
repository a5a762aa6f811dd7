/* fiber_ucontext.h: the C library's switch, many times slower. */
#include <ucontext.h>

static __thread uint64_t passed_on;
static __thread volatile int switching;

int loom_switching(void)
{
    return switching;
}

LOOM_TURNS uint64_t loom_switch(void **from, void *to, uint64_t passed)
{
    ucontext_t here;

    *from = &here;
    passed_on = passed;
    switching = 1;
    swapcontext(&here, to);
    switching = 0;
    return passed_on;
}

/* begin a fresh fiber */
static void begin(unsigned low, unsigned high)
{
    switching = 0;
    ((void (*)(void))(low | (uintptr_t)high << 16 << 16))();
}

void *loom_fresh(void *top, void (*f)(void))
{
    enum { ROOM = (sizeof(ucontext_t) + 63) / 64 * 64, LOW = 32 << 10 };
    ucontext_t *u = (ucontext_t *)((char *)top - ROOM);

    getcontext(u);
    u->uc_stack.ss_sp = (char *)u - LOW; /* where it starts is what counts */
    u->uc_stack.ss_size = LOW;
    u->uc_link = 0;
    makecontext(u, (void (*)(void))begin, 2, (unsigned)(uintptr_t)f,
                (unsigned)((uintptr_t)f >> 16 >> 16));
    return u;
}
