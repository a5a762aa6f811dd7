/* listen: stands where a tracer would and says which ranges it hears. Built as
   a shared library by tests/measure.t; NVTX loads it from the path in
   NVTX_INJECTION64_PATH and calls InitializeInjectionNvtx2. */
#include <stdio.h>

#include <nvtx3/nvToolsExt.h>

static int hear_push(const char *name)
{
    fprintf(stderr, "heard: %s\n", name);
    return 0;
}

static int hear_pop(void)
{
    fprintf(stderr, "heard: end\n");
    return 0;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
    const NvtxExportTableCallbacks *callbacks =
        (const NvtxExportTableCallbacks *)get(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table;
    unsigned size;

    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE,
                                                         &table, &size))
        return 0;
    *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)hear_push;
    *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)hear_pop;
    return 1;
}
