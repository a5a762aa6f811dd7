/* streams.h: work that waits in streams until somebody needs it. */
#ifndef LOOM_STREAMS_H
#define LOOM_STREAMS_H

#include "loom/runtime_int.h"

/* Puts run(a copy of args) into s and returns its number, never 0. Work that
   is being done does at once what it puts into a stream. With `after`, it waits
   for the work of this number, too. */
uint64_t loom_put(cudaStream_t s, void (*run)(void *args), const void *args,
                  size_t bytes, uint64_t after);

/* Does the work of a number, and what must come before. */
void loom_finish_number(uint64_t number);

/* Somebody asks whether that is done: 1, or 0. Each question may bring the
   answer nearer, so that who asks in a loop gets it. */
int loom_ask(cudaStream_t s);
int loom_ask_number(uint64_t number);
int loom_is_waiting(uint64_t number);
#endif
