//go:build cgo

package kernel

// #cgo CFLAGS: -O3 -std=c11
// #include "kernel.h"
import "C"

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/cpu"
)

func available() []form {
	scalar := form{"scalar", floatScalar, codesScalar}
	if runtime.GOARCH == "amd64" && cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return []form{{"avx2", floatAVX2, codesAVX2}, scalar, goForm}
	}
	return []form{scalar, goForm}
}

func floatScalar(query, rows, out []float32) {
	C.referent_float_scalar(floats(query), floats(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
}

func floatAVX2(query, rows, out []float32) {
	C.referent_float_avx2(floats(query), floats(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
}

func codesScalar(query []int8, rows []uint8, out []int32) {
	C.referent_codes_scalar(signed(query), bytes(rows), ints(out), C.size_t(len(out)), C.size_t(len(query)))
}

func codesAVX2(query []int8, rows []uint8, out []int32) {
	C.referent_codes_avx2(signed(query), bytes(rows), ints(out), C.size_t(len(out)), C.size_t(len(query)))
}

// The slices hold no Go pointers, so C may read them for the time of a call.
func floats(s []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(s))) }
func signed(s []int8) *C.int8_t   { return (*C.int8_t)(unsafe.Pointer(unsafe.SliceData(s))) }
func bytes(s []uint8) *C.uint8_t  { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(s))) }
func ints(s []int32) *C.int32_t   { return (*C.int32_t)(unsafe.Pointer(unsafe.SliceData(s))) }
