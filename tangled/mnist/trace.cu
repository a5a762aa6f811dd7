/* trace: one training step in ranges, for a tracer and for a table. */
#include "measure/range.h"
#include "mnist/net.cuh"
#include "mnist/synth.h"
#include "tour/args.h"

/* take a step in ranges */
static void step_in_ranges(struct net *net, int n)
{
    range_open("load"), load_batch(net, 0, NULL, 0, n), range_close();
    range_open("block 1"), block_forward(net, &net->block[0], 1), range_close();
    range_open("block 2"), block_forward(net, &net->block[1], 1), range_close();
    range_open("head"), head_forward(net), range_close();
    range_open("loss"), loss_on_gpu(net, 0), range_close();
    range_open("head back"), head_back(net), range_close();
    range_open("2 back");
    block_back(net, &net->block[1], net->block[0].dp);
    range_close();
    range_open("1 back"), block_back(net, &net->block[0], NULL), range_close();
    range_open("update");
    sgd_run(net->m.count, 0.05f, net->g, net->w, net->stream);
    range_close();
}

#ifdef __LOOM__ /* a small one, whose times say nothing */
enum { WIDTH = 2, BATCH = 6 };
#else
enum { WIDTH = 32, BATCH = 64 };
#endif

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_NUMBER("--width", WIDTH, 1, MODEL_WIDTH_MOST),
                         ARG_NUMBER("--batch", BATCH, 2, 4096)};
    uint64_t seed =
        args_parse(argc, argv, "a step in ranges", args, ARG_COUNT(args));
    struct model m = model_make((int)args[0].value);
    int n = (int)args[1].value;
    float *w = (float *)check_alloc(m.total, sizeof *w);
    struct digits d;
    struct net *net;

    synth_digits(n, seed, 0, &d);
    model_init(&m, w, seed);
    net = (struct net *)path_kernels.open(&m, &d, &d, n, 1);
    path_kernels.set(net, w);
    for (int i = 0; i < 3; i++)
        step_in_ranges(net, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    ranges_count = 0;
    step_in_ranges(net, n);
    range_table();
    path_kernels.close(net);
    digits_free(&d);
    free(w);
    return 0;
}
