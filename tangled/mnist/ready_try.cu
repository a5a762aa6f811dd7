/* ready_try: what is said when no GPU answers. */
#include "mnist/ready.cuh"
#include "tour/check.h"

static const struct {
    int status;
    const char *says;
} told[] = {{2, "another program has it"},
            {35, "is its driver new enough"},
            {46, "another program has it"},
            {98, "build/gpu/mnist/mnist ARCH=sm_90;"},
            {100, "does CUDA_VISIBLE_DEVICES hide it"},
            {209, "build/gpu/mnist/mnist ARCH=sm_90;"},
            {222, "build/gpu/mnist/mnist ARCH=sm_90;"},
            {719, "--path reference needs none"}};

int main(void)
{
    struct fault why;

    CHECK(gpu_ready(&why) == 0, "%s", why.text);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        CHECK(gpu_fault((cudaError_t)told[i].status, 90, &why) == -1, "no -1");
        CHECK(strstr(why.text, told[i].says) != NULL, "%s", why.text);
    }
    printf("ok: each error has its advice\n");
    return 0;
}
