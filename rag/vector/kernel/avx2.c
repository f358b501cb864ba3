#include "kernel.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>
#include <immintrin.h>

// The target attribute compiles only these functions for AVX2; the program
// itself runs on any processor and asks before it calls them.
#define AVX2 __attribute__((target("avx2,fma,f16c")))

int referent_has_f16c(void) {
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c >> 29 & 1);
}

AVX2 static float sum_ps(__m256 v) {
	__m128 x = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
	x = _mm_add_ps(x, _mm_movehl_ps(x, x));
	return _mm_cvtss_f32(_mm_add_ss(x, _mm_shuffle_ps(x, x, 1)));
}

AVX2 static int32_t sum_epi32(__m256i v) {
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4E));
	return _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32(x, 0xB1)));
}

AVX2 void referent_float_avx2(const float *query, const float *rows, float *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const float *row = rows + i * d;
		__m256 a = _mm256_setzero_ps(), b = _mm256_setzero_ps(), c = _mm256_setzero_ps(), e = _mm256_setzero_ps();
		size_t j = 0;
		for (; j + 32 <= d; j += 32) {
			a = _mm256_fmadd_ps(_mm256_loadu_ps(query + j), _mm256_loadu_ps(row + j), a);
			b = _mm256_fmadd_ps(_mm256_loadu_ps(query + j + 8), _mm256_loadu_ps(row + j + 8), b);
			c = _mm256_fmadd_ps(_mm256_loadu_ps(query + j + 16), _mm256_loadu_ps(row + j + 16), c);
			e = _mm256_fmadd_ps(_mm256_loadu_ps(query + j + 24), _mm256_loadu_ps(row + j + 24), e);
		}
		float s = sum_ps(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, e)));
		for (; j < d; j++) s += query[j] * row[j];
		out[i] = s;
	}
}

AVX2 static __m256 widen(const uint16_t *h) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)h)); }

AVX2 void referent_half_avx2(const float *query, const uint16_t *rows, float *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const uint16_t *row = rows + i * d;
		__m256 a = _mm256_setzero_ps(), b = _mm256_setzero_ps(), c = _mm256_setzero_ps(), e = _mm256_setzero_ps();
		size_t j = 0;
		for (; j + 32 <= d; j += 32) {
			a = _mm256_fmadd_ps(_mm256_loadu_ps(query + j), widen(row + j), a);
			b = _mm256_fmadd_ps(_mm256_loadu_ps(query + j + 8), widen(row + j + 8), b);
			c = _mm256_fmadd_ps(_mm256_loadu_ps(query + j + 16), widen(row + j + 16), c);
			e = _mm256_fmadd_ps(_mm256_loadu_ps(query + j + 24), widen(row + j + 24), e);
		}
		float s = sum_ps(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, e)));
		for (; j < d; j++) s += query[j] * _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(row[j])));
		out[i] = s;
	}
}

// Bytes are widened to 16 bits, so that no product saturates: 127 * 128 * 2 fits
// the 32-bit sums of madd.
AVX2 void referent_codes_avx2(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d) {
	const __m256i bias = _mm256_set1_epi16(128);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *row = rows + i * d;
		__m256i a = _mm256_setzero_si256(), b = _mm256_setzero_si256();
		size_t j = 0;
		for (; j + 32 <= d; j += 32) {
			__m256i q0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(query + j)));
			__m256i q1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(query + j + 16)));
			__m256i r0 = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + j)));
			__m256i r1 = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(row + j + 16)));
			a = _mm256_add_epi32(a, _mm256_madd_epi16(q0, _mm256_sub_epi16(r0, bias)));
			b = _mm256_add_epi32(b, _mm256_madd_epi16(q1, _mm256_sub_epi16(r1, bias)));
		}
		int32_t s = sum_epi32(_mm256_add_epi32(a, b));
		for (; j < d; j++) s += (int32_t)query[j] * ((int32_t)row[j] - 128);
		out[i] = s;
	}
}

// One byte shuffle looks up 16 vectors in two groups. Sums are kept twice, as
// pairs of bytes and as their upper bytes: the lower ones follow from both,
// modulo 2^16, which no true sum exceeds.
AVX2 void referent_sketch_avx2(const uint8_t *lut, const uint8_t *blocks, uint16_t *out, size_t n, size_t groups) {
	const __m256i nibble = _mm256_set1_epi8(15);
	for (size_t b = 0; b < n; b++) {
		const uint8_t *codes = blocks + b * groups * 16;
		__m256i pair0 = _mm256_setzero_si256(), high0 = pair0, pair1 = pair0, high1 = pair0;
		for (size_t g = 0; g < groups; g += 2) {
			__m256i c = _mm256_loadu_si256((const __m256i *)(codes + g * 16));
			__m256i table = _mm256_loadu_si256((const __m256i *)(lut + g * 16));
			__m256i v0 = _mm256_shuffle_epi8(table, _mm256_and_si256(c, nibble));
			__m256i v1 = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(c, 4), nibble));
			pair0 = _mm256_add_epi16(pair0, v0);
			high0 = _mm256_add_epi16(high0, _mm256_srli_epi16(v0, 8));
			pair1 = _mm256_add_epi16(pair1, v1);
			high1 = _mm256_add_epi16(high1, _mm256_srli_epi16(v1, 8));
		}
		for (int half = 0; half < 2; half++) {
			__m256i high = half ? high1 : high0;
			__m256i low = _mm256_sub_epi16(half ? pair1 : pair0, _mm256_slli_epi16(high, 8));
			__m128i l = _mm_add_epi16(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
			__m128i h = _mm_add_epi16(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
			_mm_storeu_si128((__m128i *)(out + 32 * b + 16 * half), _mm_unpacklo_epi16(l, h));
			_mm_storeu_si128((__m128i *)(out + 32 * b + 16 * half + 8), _mm_unpackhi_epi16(l, h));
		}
	}
}

#endif
