/* thawed: a struct that is never without its contents */
#include "tour/check.h"

struct sheet {
    int rows, cols;
};
struct frame {
    struct sheet *inside;
};

static struct frame frame_of(struct sheet *inside)
{
    struct frame f = {inside};

    CHECK(inside != NULL, "a frame wants a picture");
    return f;
}

int main(void)
{
    struct sheet p = {7, 7};
    struct frame f = frame_of(&p), *g = &f;

    CHECK(f.inside->rows == 7 && g->inside->rows == 7, "dot and arrow agree");
    printf("%d rows\n", g->inside->rows);
    return 0;
}
