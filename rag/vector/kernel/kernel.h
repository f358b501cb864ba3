#ifndef REFERENT_KERNEL_H
#define REFERENT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

// Every form comes once for each kind of processor:
//
// float:  out[i] = query . row i, for n rows of d values that lie one after
//         the other.
// half:   the same for rows in IEEE 754 binary16 without infinities and NaN.
// codes:  out[i] = query . (row i - 128), exact.
// sketch: out[32*b+i] = sum over g of lut[16*g + nibble i of group g of block
//         b]; a block is "groups" times 16 bytes, the low nibbles of which are
//         its vectors 0 to 15 and the high ones 16 to 31. groups is a multiple
//         of 4 and no sum exceeds 65535.
#define REFERENT_FORMS(name) \
	void referent_float_##name(const float *query, const float *rows, float *out, size_t n, size_t d); \
	void referent_half_##name(const float *query, const uint16_t *rows, float *out, size_t n, size_t d); \
	void referent_codes_##name(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d); \
	void referent_sketch_##name(const uint8_t *lut, const uint8_t *blocks, uint16_t *out, size_t n, size_t groups);

REFERENT_FORMS(scalar)
REFERENT_FORMS(avx2)
REFERENT_FORMS(neon)

// Integer work only: floats are bound by memory in the forms above.
void referent_codes_avx512(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d);
void referent_sketch_avx512(const uint8_t *lut, const uint8_t *blocks, uint16_t *out, size_t n, size_t groups);

// 1 where the processor converts binary16 itself, which the avx2 form needs.
int referent_has_f16c(void);

#endif
