/* entry.c: the kernels of the program, by their addresses. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "loom/entry.h"

static struct loom_entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void loom_enter(struct loom_entry *e)
{
    pthread_mutex_lock(&lock);
    for (struct loom_entry *o = entries; e->unit && o; o = o->next)
        if (o->unit && o->twin != e->twin && strcmp(o->unit, e->unit) == 0 &&
            strcmp(o->key, e->key) == 0) {
            if (e->twin)
                o->thread = e->thread;
            else
                e->thread = o->thread;
        }
    e->next = entries;
    __atomic_store_n(&entries, e, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

struct loom_entry *loom_kernel(const void *kernel)
{
    struct loom_entry *e = __atomic_load_n(&entries, __ATOMIC_ACQUIRE);

    while (e && (e->kernel != kernel || e->twin))
        e = e->next;
    return e;
}

/* name a kernel */
const char *loom_kernel_name(const struct loom_entry *e)
{
    static __thread char name[200];
    const char *from = strstr(e->text, "Kernel = ");
    size_t n = 0;
    int depth = 0;

    from = from ? from + strlen("Kernel = ") : e->text;
    from += *from == '&';
    while (from[n] && (depth > 0 || !strchr(",;]", from[n]))) {
        depth += from[n] == '<' || from[n] == '(';
        depth -= from[n] == '>' || from[n] == ')';
        n++;
    }
    snprintf(name, sizeof name, "%.*s", (int)n, from);
    return name;
}
