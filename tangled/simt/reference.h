/* reference.h: what the kernels of this chapter compute, in plain C. */
#ifndef SIMT_REFERENCE_H
#define SIMT_REFERENCE_H

/* What a lane learns from its warp. */
struct answers {
    float sum, largest, scan, told;
    int rank, positive;
};

#ifdef __cplusplus
extern "C" {
#endif

/* declare the references */
/* x -> a x + b, `turns` times, each with one rounding. */
float chain_reference(int turns, float a, float b, float x);
/* data[i] walks path i / group % paths, in place. */
void walk_reference(int n, int group, int paths, int turns, float *data);
/* The answers for each element of groups of 32; warp w is told by lane w % 32.
   Elements beyond n count as 0, as -infinity, and as a no. */
void ask_reference(int n, const float *x, struct answers *out);
/* sums[r] = the sum of row r; x has rows times cols elements, row-major. */
void rows_reference(int rows, int cols, const float *x, float *sums);
#ifdef __cplusplus
}
#endif

#endif
