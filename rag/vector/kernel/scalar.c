#include "kernel.h"

// Four sums keep the additions independent of each other; the compiler may not
// reorder floats by itself.
void referent_float_scalar(const float *query, const float *rows, float *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const float *row = rows + i * d;
		float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
		size_t j = 0;
		for (; j + 4 <= d; j += 4) {
			s0 += query[j] * row[j];
			s1 += query[j + 1] * row[j + 1];
			s2 += query[j + 2] * row[j + 2];
			s3 += query[j + 3] * row[j + 3];
		}
		for (; j < d; j++) s0 += query[j] * row[j];
		out[i] = s0 + s1 + s2 + s3;
	}
}

// Exponent and fraction move to their places in a float; the product corrects
// the bias of the exponent, for subnormal values too.
static float widen(uint16_t h) {
	union {
		uint32_t bits;
		float value;
	} v;
	v.bits = (uint32_t)(h & 0x7fff) << 13;
	v.value *= 0x1p112f;
	v.bits |= (uint32_t)(h & 0x8000) << 16;
	return v.value;
}

void referent_half_scalar(const float *query, const uint16_t *rows, float *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const uint16_t *row = rows + i * d;
		float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
		size_t j = 0;
		for (; j + 4 <= d; j += 4) {
			s0 += query[j] * widen(row[j]);
			s1 += query[j + 1] * widen(row[j + 1]);
			s2 += query[j + 2] * widen(row[j + 2]);
			s3 += query[j + 3] * widen(row[j + 3]);
		}
		for (; j < d; j++) s0 += query[j] * widen(row[j]);
		out[i] = s0 + s1 + s2 + s3;
	}
}

void referent_codes_scalar(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const uint8_t *row = rows + i * d;
		int32_t s = 0;
		for (size_t j = 0; j < d; j++) s += (int32_t)query[j] * ((int32_t)row[j] - 128);
		out[i] = s;
	}
}

void referent_sketch_scalar(const uint8_t *lut, const uint8_t *blocks, uint16_t *out, size_t n, size_t groups) {
	for (size_t b = 0; b < n; b++) {
		uint16_t *sum = out + 32 * b;
		for (size_t i = 0; i < 32; i++) sum[i] = 0;
		for (size_t g = 0; g < groups; g++) {
			const uint8_t *codes = blocks + (b * groups + g) * 16, *table = lut + 16 * g;
			for (size_t i = 0; i < 16; i++) {
				sum[i] += table[codes[i] & 15];
				sum[i + 16] += table[codes[i] >> 4];
			}
		}
	}
}

#if !(defined(__x86_64__) || defined(_M_X64))
int referent_has_f16c(void) { return 0; }
#endif
