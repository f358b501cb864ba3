#include "kernel.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

// vpdpbusd multiplies unsigned with signed bytes and adds in 32 bits without
// saturation; the bias of the codes is 128 times the sum of the query.
AVX512 void referent_codes_avx512(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d) {
	int32_t sum = 0;
	for (size_t j = 0; j < d; j++) sum += query[j];
	const size_t rest = d % 64;
	const __mmask64 tail = rest ? (~0ull >> (64 - rest)) : 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *row = rows + i * d;
		__m512i a = _mm512_setzero_si512(), b = a;
		size_t j = 0;
		for (; j + 128 <= d; j += 128) {
			a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(row + j), _mm512_loadu_si512(query + j));
			b = _mm512_dpbusd_epi32(b, _mm512_loadu_si512(row + j + 64), _mm512_loadu_si512(query + j + 64));
		}
		if (j + 64 <= d) {
			a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(row + j), _mm512_loadu_si512(query + j));
			j += 64;
		}
		if (tail) b = _mm512_dpbusd_epi32(b, _mm512_maskz_loadu_epi8(tail, row + j), _mm512_maskz_loadu_epi8(tail, query + j));
		out[i] = _mm512_reduce_add_epi32(_mm512_add_epi32(a, b)) - 128 * sum;
	}
}

// As in the avx2 form, four groups at a time.
AVX512 void referent_sketch_avx512(const uint8_t *lut, const uint8_t *blocks, uint16_t *out, size_t n, size_t groups) {
	const __m512i nibble = _mm512_set1_epi8(15);
	for (size_t b = 0; b < n; b++) {
		const uint8_t *codes = blocks + b * groups * 16;
		__m512i pair[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()}, high[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
		for (size_t g = 0; g < groups; g += 4) {
			__m512i c = _mm512_loadu_si512(codes + g * 16), table = _mm512_loadu_si512(lut + g * 16);
			__m512i v0 = _mm512_shuffle_epi8(table, _mm512_and_si512(c, nibble));
			__m512i v1 = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(c, 4), nibble));
			pair[0] = _mm512_add_epi16(pair[0], v0);
			high[0] = _mm512_add_epi16(high[0], _mm512_srli_epi16(v0, 8));
			pair[1] = _mm512_add_epi16(pair[1], v1);
			high[1] = _mm512_add_epi16(high[1], _mm512_srli_epi16(v1, 8));
		}
		for (int half = 0; half < 2; half++) {
			__m512i low = _mm512_sub_epi16(pair[half], _mm512_slli_epi16(high[half], 8));
			__m256i l2 = _mm256_add_epi16(_mm512_castsi512_si256(low), _mm512_extracti64x4_epi64(low, 1));
			__m256i h2 = _mm256_add_epi16(_mm512_castsi512_si256(high[half]), _mm512_extracti64x4_epi64(high[half], 1));
			__m128i l = _mm_add_epi16(_mm256_castsi256_si128(l2), _mm256_extracti128_si256(l2, 1));
			__m128i h = _mm_add_epi16(_mm256_castsi256_si128(h2), _mm256_extracti128_si256(h2, 1));
			_mm_storeu_si128((__m128i *)(out + 32 * b + 16 * half), _mm_unpacklo_epi16(l, h));
			_mm_storeu_si128((__m128i *)(out + 32 * b + 16 * half + 8), _mm_unpackhi_epi16(l, h));
		}
	}
}

#endif
