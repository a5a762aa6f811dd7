/* compat.c: which of the six machines start? */
#include <stdio.h>

#include "stack/compat.h"
#include "tour/check.h"

struct image {
    int is_ptx, arch;
    char suffix;
    int isa;
};
struct machine {
    char name;
    int driver, runtime;
    struct image images[2];
    int cc;
};

/* find the error that a machine gives */
static int error_of(const struct machine *m)
{
    int i, error = 209;

    if (runtime_starts(m->driver, m->runtime) == START_NO)
        return 35;
    for (i = 0; i < 2; i++) {
        const struct image *p = &m->images[i];

        if (!p->arch ||
            image_fits(p->is_ptx, p->arch, p->suffix, m->cc) == FIT_NO)
            continue;
        if (!p->is_ptx || ptx_needs(p->isa) <= m->driver)
            return 0;
        error = 222;
    }
    return error;
}

/* try the six machines */
int main(void)
{
    static const struct machine machines[] = {
        {'a', 12040, 12080, {{0, 90, 0, 0}}, 90},
        {'b', 12040, 12080, {{1, 75, 0, 87}}, 90},
        {'c', 12090, 13000, {{0, 90, 0, 0}}, 90},
        {'d', 13000, 11080, {{0, 80, 0, 0}, {1, 80, 0, 78}}, 90},
        {'e', 13000, 13000, {{0, 90, 'a', 0}, {1, 90, 'a', 90}}, 100},
        {'f', 13000, 12090, {{0, 86, 0, 0}}, 89},
    };
    static const int predicted[] = {0, 222, 35, 0, 209, 0};

    for (int i = 0; i < 6; i++) {
        int error = error_of(&machines[i]);

        printf("%c: %s %d\n", machines[i].name, error ? "error" : "starts",
               error);
        CHECK(error == predicted[i], "predicted %d", predicted[i]);
    }
    return 0;
}
