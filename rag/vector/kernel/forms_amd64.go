//go:build cgo

package kernel

// #include "kernel.h"
import "C"

import "golang.org/x/sys/cpu"

func available() []form {
	list := []form{scalarForm, goForm}
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || C.referent_has_f16c() == 0 {
		return list
	}
	list = append([]form{avx2Form}, list...)
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI {
		list = append([]form{avx512Form}, list...)
	}
	return list
}

var avx2Form = form{
	name: "avx2",
	float: func(query, rows, out []float32) {
		C.referent_float_avx2(floats(query), floats(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	half: func(query []float32, rows []uint16, out []float32) {
		C.referent_half_avx2(floats(query), shorts(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	codes: func(query []int8, rows []uint8, out []int32) {
		C.referent_codes_avx2(signed(query), bytes(rows), ints(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	sketch: func(lut, blocks []uint8, out []uint16) {
		C.referent_sketch_avx2(bytes(lut), bytes(blocks), shorts(out), C.size_t(len(out)/SketchBlock), C.size_t(len(lut)/16))
	},
}

var avx512Form = form{
	name:  "avx512",
	float: avx2Form.float,
	half:  avx2Form.half,
	codes: func(query []int8, rows []uint8, out []int32) {
		C.referent_codes_avx512(signed(query), bytes(rows), ints(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	sketch: func(lut, blocks []uint8, out []uint16) {
		C.referent_sketch_avx512(bytes(lut), bytes(blocks), shorts(out), C.size_t(len(out)/SketchBlock), C.size_t(len(lut)/16))
	},
}
