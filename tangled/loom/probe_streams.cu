/* probe_streams: what streams promise, and what they do not. */
#include <stdio.h>
#include <string.h>
#include <thread>

static int wrong, unlucky; /* without an event the wrong one was first */
#define MUST(what) \
    (void)((what) || (wrong++, printf("line %d: not %s\n", __LINE__, #what)))
#define OK(call) MUST((call) == cudaSuccess)

__global__ void add(int *x, int n)
{
    *x += n;
}

__global__ void twice(int *x)
{
    *x *= 2;
}

/* make pinned memory and streams */
static int *pinned(int value)
{
    int *x;

    OK(cudaMallocHost((void **)&x, 2 * sizeof *x));
    x[0] = x[1] = value;
    return x;
}

static cudaStream_t stream(unsigned flags)
{
    cudaStream_t s;

    OK(cudaStreamCreateWithFlags(&s, flags));
    return s;
}

/* order streams by events */
static void by_events(void)
{
    cudaStream_t a = stream(cudaStreamNonBlocking);
    cudaStream_t b = stream(cudaStreamNonBlocking);
    cudaEvent_t e;
    int *x = pinned(1), *y = pinned(1);
    float ms = -1;

    OK(cudaEventCreate(&e));
    OK(cudaStreamWaitEvent(b, e, 0)); /* never recorded: no wait */
    OK(cudaEventRecord(e, a));
    add<<<1, 1, 0, a>>>(x, 2);
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    twice<<<1, 1, 0, b>>>(x);
    OK(cudaStreamSynchronize(b));
    MUST(*x == 6);
    OK(cudaEventSynchronize(e));
    OK(cudaEventElapsedTime(&ms, e, e));
    MUST(ms == 0);
    add<<<1, 1, 0, a>>>(y, 2);
    twice<<<1, 1, 0, b>>>(y);
    OK(cudaDeviceSynchronize());
    MUST(*y == 6 || *y == 4);
    unlucky = *y == 4;
    printf("no event: %d\n", *y);
}

/* order streams by the default stream */
static void by_default(void)
{
    cudaStream_t a = stream(cudaStreamDefault), b = stream(cudaStreamDefault);
    cudaStream_t c = stream(cudaStreamNonBlocking);
    int *x = pinned(1), *y = pinned(1), *z = pinned(1);

    add<<<1, 1, 0, a>>>(x, 2);
    twice<<<1, 1>>>(x);
    add<<<1, 1, 0, b>>>(x, 3);
    OK(cudaStreamSynchronize(b));
    MUST(*x == 9);
    add<<<1, 1, 0, cudaStreamPerThread>>>(z, 2);
    twice<<<1, 1>>>(z);
    std::thread([z] {
        add<<<1, 1, 0, cudaStreamPerThread>>>(z, 3);
        OK(cudaStreamSynchronize(cudaStreamPerThread));
        MUST(*z == 9);
    }).join();
    add<<<1, 1, 0, c>>>(y, 2);
    twice<<<1, 1>>>(y);
    OK(cudaDeviceSynchronize());
    MUST(*y == 6 || *y == 4);
    printf("non-blocking: %d\n", *y);
}

/* use memory while it is copied */
static void copies(void)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    int *h = pinned(5), *d, local = 5, got[2] = {0, 0};

    OK(cudaMalloc((void **)&d, 2 * sizeof *d));
    OK(cudaMemcpyAsync(d, &local, 4, cudaMemcpyHostToDevice, s));
    local = 6;
    OK(cudaMemcpyAsync(d + 1, h, 4, cudaMemcpyHostToDevice, s));
    *h = 6;
    OK(cudaMemcpyAsync(got, d, 8, cudaMemcpyDeviceToHost, s));
    MUST(got[0] == 5 && (got[1] == 5 || got[1] == 6));
    printf("pinned memory in: %d\n", got[1]);
    OK(cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s));
    printf("pinned memory out: %d\n", *h);
    OK(cudaStreamSynchronize(s));
    MUST(*h == 5);
    add<<<1, 1>>>(d, 1);
    OK(cudaMemcpy(d + 1, d, 4, cudaMemcpyDeviceToDevice)); /* need not wait */
    OK(cudaMemset(d, 0, 4));
    OK(cudaMemcpy(got, d, 8, cudaMemcpyDeviceToHost));
    MUST(got[0] == 0 && got[1] == 6);
    OK(cudaFree(d));
}

/* call the host, and ask */
static void double_on_host(void *x)
{
    *(int *)x *= 2;
}

static void host_functions(void)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    int *x = pinned(1);

    add<<<1, 1, 0, s>>>(x, 2);
    OK(cudaLaunchHostFunc(s, double_on_host, x));
    add<<<1, 1, 0, s>>>(x, 3);
    OK(cudaStreamDestroy(s)); /* it does what it holds */
    OK(cudaDeviceSynchronize());
    MUST(*x == 9);
}

static void questions(void)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaEvent_t from, to;
    int *x = pinned(1), asked = 0;
    float ms;

    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&to));
    OK(cudaEventRecord(from, s));
    add<<<1, 1, 0, s>>>(x, 2);
    OK(cudaEventRecord(to, s));
    while (cudaEventQuery(to) == cudaErrorNotReady && asked < 1000)
        asked++;
    MUST(asked < 1000 && *x == 3);
    OK(cudaEventElapsedTime(&ms, from, to));
    MUST(ms >= 0);
    twice<<<1, 1, 0, s>>>(x);
    while (cudaStreamQuery(s) == cudaErrorNotReady && asked < 2000)
        asked++;
    MUST(asked < 2000 && *x == 6);
    cudaGetLastError();
}

static void graphs(void)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaGraphExec_t exec;
    cudaGraph_t g;
    int *x = pinned(1);

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s>>>(x, 2);
    twice<<<1, 1, 0, s>>>(x);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphLaunch(exec, s));
    add<<<1, 1, 0, s>>>(x, 1);
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamSynchronize(s));
    MUST(*x == 18);
}

/* meet a kernel that waits for the host */
__global__ void answer(volatile int *asked, volatile int *answered)
{
    *answered = 1;
    while (!*asked) {
    }
    *answered = 2;
}

static void meet(void)
{
    volatile int *f = pinned(0);

    answer<<<1, 1>>>(f, f + 1);
    while (f[1] == 0) {
    }
    MUST(f[1] == 1);
    f[0] = 1;
    OK(cudaDeviceSynchronize());
    MUST(f[1] == 2);
}

/* More than a queue holds. */
static void many(void)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    int *x = pinned(0);

    for (int i = 0; i < 1000; i++)
        add<<<1, 1, 0, s>>>(x, i);
    OK(cudaStreamSynchronize(s));
    MUST(*x == 1000 * 999 / 2);
}

/* leave work behind */
__global__ void past_the_end(int *x)
{
    x[5 << 20] = 1;
}

static int leave(void)
{
    int *x;

    OK(cudaMalloc((void **)&x, 4));
    past_the_end<<<1, 1>>>(x);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "left") == 0)
        return leave();
    by_events();
    if (argc > 1 && strcmp(argv[1], "luck") == 0)
        return unlucky;
    by_default();
    copies();
    host_functions();
    questions();
    graphs();
    if (argc < 2) /* "brief": the host waits half a second in there */
        meet();
    many();
    if (wrong == 0)
        printf("ok: events, default streams, copies, the host, questions, "
               "graphs\n");
    return wrong != 0;
}
