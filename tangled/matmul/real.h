/* real.h: the type of a reference's numbers. C11 and C++17. A reference is
   written once: its module NAME_d.c defines REAL_DOUBLE and includes NAME.c. */
#ifndef MATMUL_REAL_H
#define MATMUL_REAL_H

#ifdef REAL_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
