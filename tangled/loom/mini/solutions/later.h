/* later.h: step 5, in which a launch runs when somebody waits for it. */
#define launch launch_now
#include "loom/mini/step5.h"
#undef launch

struct later {
    later *next;
    void (*run)(void *what);
    void *what;
};
static later *first_later, **last_later = &first_later;

/* put a launch off */
template <class... P>
struct put_off {
    void (*kernel)(P...);
    dim3 grid, block;

    void operator()(P... args)
    {
        auto *what = new auto([k = kernel, g = grid, b = block, args...] {
            launch_now(k, g, b)(args...);
        });

        *last_later = new later{NULL,
                                [](void *p) {
                                    (*(decltype(what))p)();
                                    delete (decltype(what))p;
                                },
                                what};
        last_later = &(*last_later)->next;
    }
};

/* run what was put off when the host waits */
template <class... P>
put_off<P...> launch(void (*kernel)(P...), dim3 grid, dim3 block)
{
    return {kernel, grid, block};
}

static void run_later(void)
{
    while (first_later) {
        later *l = first_later;

        first_later = l->next;
        if (!first_later)
            last_later = &first_later;
        l->run(l->what);
        delete l;
    }
}
#define cudaDeviceSynchronize() (run_later(), cudaDeviceSynchronize())
#define cudaMemcpy(...) (run_later(), cudaMemcpy(__VA_ARGS__))
#define cudaMemset(...) (run_later(), cudaMemset(__VA_ARGS__))
#define cudaFree(p) (run_later(), cudaFree(p))
