/* set.h: a set of whole numbers from 0 to n-1 */
#ifndef PRIMER_SOLUTIONS_SET_H
#define PRIMER_SOLUTIONS_SET_H

struct bitset;

struct bitset *set_create(int n); /* empty; stops the program without memory */
void set_destroy(struct bitset *s);
void set_put(struct bitset *s, int i); /* i outside stops the program */
int set_has(const struct bitset *s, int i);
int set_count(const struct bitset *s);

#endif
