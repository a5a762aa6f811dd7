/* peaks.h: what a memory could deliver, in bytes a second. C11 and C++17. */
#ifndef MEMORY_PEAKS_H
#define MEMORY_PEAKS_H

/* DRAM that sends two bits on each of `bits` wires in each of its cycles. */
static inline double peak_dram(double mhz, double bits)
{
    return mhz * 1e6 * 2 * bits / 8;
}

/* `sms` multiprocessors that each move `bytes` bytes in a cycle. */
static inline double peak_sms(double sms, double mhz, double bytes)
{
    return sms * mhz * 1e6 * bytes;
}

/* PCIe from generation 3 on: `gts` gigatransfers a second on each lane, of
   which 128 bits in 130 are data. PCI Express Base Specification 3.0. */
static inline double peak_pcie(double gts, double lanes)
{
    return gts * 1e9 * lanes * 128 / 130 / 8;
}

enum {
    SHARED_BYTES = 128,       /* an SM's shared memory, in a cycle */
    REGISTER_BYTES = 128 * 12 /* 128 lanes read three operands */
};

#endif
