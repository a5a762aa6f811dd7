/* streams: a batch in pieces through one stream, through four, and wrongly. */
#include <stdio.h>

#include "async/pieces.cuh"
#include "kernels/fill.cuh"
#include "tour/args.h"

/* run one way */
static void run_way(struct pieces *w, enum way way)
{
    float4 *y = way == PAGEABLE ? w->m_y : w->h_y;
    size_t bytes = w->n * sizeof *y;

    poison(y, bytes);
    if (bytes)
        CUDA_CHECK(cudaMemset(w->d_y, 0xff, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    queue_pieces(w, way);
    CUDA_CHECK(cudaDeviceSynchronize());
    check_walk(way_names[way], (float *)w->h_x, (float *)y, 0, 4 * w->n,
               w->steps);
    printf("%s: right\n", way_names[way]);
}

/* check the time line */
static void check_line(struct pieces *w)
{
    cudaEvent_t start;

    CUDA_CHECK(cudaEventCreate(&start));
    w->marked = 1;
    CUDA_CHECK(cudaEventRecord(start, w->stream[0]));
    CUDA_CHECK(cudaEventSynchronize(start)); /* no other stream is earlier */
    queue_pieces(w, STREAMS);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int p = 0; w->n >= (size_t)w->count && p < w->count; p++) {
        float before = 0;

        for (int step = 0; step < 3; step++) {
            struct span s = step_span(w, start, p, step);

            CHECK(before <= s.to, "piece %d, step %d: %g %g", p, step, s.from,
                  s.to);
            before = s.to;
        }
    }
    w->marked = 0;
    CUDA_CHECK(cudaEventDestroy(start));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24),
                         ARG_SIZE("pieces", 5, 1, PIECES_MOST),
                         ARG_SIZE("steps", 3, 0, 100000)};
    uint64_t seed = args_parse(argc, argv, "a batch in pieces, five ways", args,
                               ARG_COUNT(args));
    struct pieces w;

    pieces_open(&w, (size_t)args[0].value, (int)args[1].value,
                (int)args[2].value, seed);
    for (int way = 0; way < WAYS; way++)
        run_way(&w, (enum way)way);
    check_line(&w);
    printf("ok: %zu vectors in %d pieces, %d ways\n", w.n, w.count, WAYS);
    pieces_close(&w);
    return 0;
}
