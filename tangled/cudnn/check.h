/* check.h: stop at the first call of cuDNN that fails, and say which. C11 and
   C++17. */
#ifndef CUDNN_CHECK_H
#define CUDNN_CHECK_H

#include "cudnn/graph.h"

/* stop at a status that is not success */
#define DNN_CHECK(call) dnn_check(__FILE__, __LINE__, #call, call)

static inline void dnn_check(const char *file, int line, const char *call,
                             cudnnStatus_t s)
{
    char said[DNN_WORDS / 2] = "";

    if (s == CUDNN_STATUS_SUCCESS)
        return;
    cudnnGetLastErrorString(said, sizeof said);
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: %s: %s (%s)\n", file, line, call,
            cudnnGetErrorString(s), dnn_words(s), said);
    exit(1);
}

#endif
