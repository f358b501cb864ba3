#include "kernel.h"

#if defined(__aarch64__)
#include <arm_neon.h>

// Only what every 64-bit ARM processor has.

void referent_float_neon(const float *query, const float *rows, float *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const float *row = rows + i * d;
		float32x4_t a = vdupq_n_f32(0), b = a, c = a, e = a;
		size_t j = 0;
		for (; j + 16 <= d; j += 16) {
			a = vfmaq_f32(a, vld1q_f32(query + j), vld1q_f32(row + j));
			b = vfmaq_f32(b, vld1q_f32(query + j + 4), vld1q_f32(row + j + 4));
			c = vfmaq_f32(c, vld1q_f32(query + j + 8), vld1q_f32(row + j + 8));
			e = vfmaq_f32(e, vld1q_f32(query + j + 12), vld1q_f32(row + j + 12));
		}
		float s = vaddvq_f32(vaddq_f32(vaddq_f32(a, b), vaddq_f32(c, e)));
		for (; j < d; j++) s += query[j] * row[j];
		out[i] = s;
	}
}

static float32x4_t widen(const uint16_t *h) { return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(h))); }

void referent_half_neon(const float *query, const uint16_t *rows, float *out, size_t n, size_t d) {
	for (size_t i = 0; i < n; i++) {
		const uint16_t *row = rows + i * d;
		float32x4_t a = vdupq_n_f32(0), b = a, c = a, e = a;
		size_t j = 0;
		for (; j + 16 <= d; j += 16) {
			a = vfmaq_f32(a, vld1q_f32(query + j), widen(row + j));
			b = vfmaq_f32(b, vld1q_f32(query + j + 4), widen(row + j + 4));
			c = vfmaq_f32(c, vld1q_f32(query + j + 8), widen(row + j + 8));
			e = vfmaq_f32(e, vld1q_f32(query + j + 12), widen(row + j + 12));
		}
		float s = vaddvq_f32(vaddq_f32(vaddq_f32(a, b), vaddq_f32(c, e)));
		for (; j < d; j++) {
			uint16_t one[4] = {row[j], 0, 0, 0};
			s += query[j] * vgetq_lane_f32(widen(one), 0);
		}
		out[i] = s;
	}
}

// Codes lose their bias by turning the highest bit; two products of signed
// bytes fit 16 bits one by one and are added in 32.
void referent_codes_neon(const int8_t *query, const uint8_t *rows, int32_t *out, size_t n, size_t d) {
	const uint8x16_t bias = vdupq_n_u8(0x80);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *row = rows + i * d;
		int32x4_t a = vdupq_n_s32(0), b = a;
		size_t j = 0;
		for (; j + 16 <= d; j += 16) {
			int8x16_t q = vld1q_s8(query + j), r = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(row + j), bias));
			a = vpadalq_s16(a, vmull_s8(vget_low_s8(q), vget_low_s8(r)));
			b = vpadalq_s16(b, vmull_high_s8(q, r));
		}
		int32_t s = vaddvq_s32(vaddq_s32(a, b));
		for (; j < d; j++) s += (int32_t)query[j] * ((int32_t)row[j] - 128);
		out[i] = s;
	}
}

void referent_sketch_neon(const uint8_t *lut, const uint8_t *blocks, uint16_t *out, size_t n, size_t groups) {
	const uint8x16_t nibble = vdupq_n_u8(15);
	for (size_t b = 0; b < n; b++) {
		const uint8_t *codes = blocks + b * groups * 16;
		uint16x8_t s0 = vdupq_n_u16(0), s1 = s0, s2 = s0, s3 = s0;
		for (size_t g = 0; g < groups; g++) {
			uint8x16_t c = vld1q_u8(codes + g * 16), table = vld1q_u8(lut + g * 16);
			uint8x16_t v0 = vqtbl1q_u8(table, vandq_u8(c, nibble)), v1 = vqtbl1q_u8(table, vshrq_n_u8(c, 4));
			s0 = vaddw_u8(s0, vget_low_u8(v0));
			s1 = vaddw_high_u8(s1, v0);
			s2 = vaddw_u8(s2, vget_low_u8(v1));
			s3 = vaddw_high_u8(s3, v1);
		}
		vst1q_u16(out + 32 * b, s0);
		vst1q_u16(out + 32 * b + 8, s1);
		vst1q_u16(out + 32 * b + 16, s2);
		vst1q_u16(out + 32 * b + 24, s3);
	}
}

#endif
