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

void referent_codes_scalar(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const uint8_t *row = rows + i * d;
		int32_t s = 0;
		for (size_t j = 0; j < d; j++) s += (int32_t)query[j] * ((int32_t)row[j] - 128);
		out[i] = s;
	}
}
