#ifndef REFERENT_KERNEL_H
#define REFERENT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

// out[i] = query . row i, for n rows of d values that lie one after the other.
void referent_float_scalar(const float *query, const float *rows, float *out, size_t n, size_t d);
void referent_float_avx2(const float *query, const float *rows, float *out, size_t n, size_t d);

// out[i] = query . (row i - 128), exact.
void referent_codes_scalar(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d);
void referent_codes_avx2(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d);

#endif
