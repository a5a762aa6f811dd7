/* recipe.h: how to train, besides the network. C11 and C++17. */
#ifndef RACE_RECIPE_H
#define RACE_RECIPE_H

/* say how to train */
/* `epochs` passes in batches of `batch`. The rate rises from 0 to `rate` in the
   first `rise` of all steps (0 to below 1) and falls to 0 in the others, both in
   a straight line; a negative `rise`: it is constant. In each epoch a picture is
   moved by up to `shift` pixels each way. */
struct recipe {
    int batch, epochs;
    double rate, rise;
    int shift;
};

/* say the rate of a step */
static inline float rate_at(const struct recipe *r, int step, int steps)
{
    double x = (step + 0.5) / steps;

    if (r->rise < 0)
        return (float)r->rate;
    return (float)(r->rate *
                   (x < r->rise ? x / r->rise : (1 - x) / (1 - r->rise)));
}

#endif
