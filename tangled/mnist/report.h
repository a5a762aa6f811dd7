/* report.h: what a training run says while it runs. */
#ifndef MNIST_REPORT_H
#define MNIST_REPORT_H

#include "mnist/fault.h"

/* A run of so many epochs of so many steps. csv: a file for the numbers, or
   NULL; of an earlier one the rows before first_epoch stay. */
struct report *report_begin(const char *csv, int epochs, int steps,
                            int first_epoch);

/* After a step, counted from 1. */
void report_step(struct report *r, int epoch, int step, double loss);

/* After an epoch: the mean loss, and the share of the test digits that were
   right. Prints a line, and replaces the CSV file. */
void report_epoch(struct report *r, int epoch, double loss, double right);
void report_end(struct report *r);

#endif
