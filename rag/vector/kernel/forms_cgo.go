//go:build cgo

package kernel

// #cgo CFLAGS: -O3 -std=c11
// #include "kernel.h"
import "C"

import "unsafe"

var scalarForm = form{
	name: "scalar",
	float: func(query, rows, out []float32) {
		C.referent_float_scalar(floats(query), floats(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	half: func(query []float32, rows []uint16, out []float32) {
		C.referent_half_scalar(floats(query), shorts(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	codes: func(query []int8, rows []uint8, out []int32) {
		C.referent_codes_scalar(signed(query), bytes(rows), ints(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	sketch: func(lut, blocks []uint8, out []uint16) {
		C.referent_sketch_scalar(bytes(lut), bytes(blocks), shorts(out), C.size_t(len(out)/SketchBlock), C.size_t(len(lut)/16))
	},
}

// The slices hold no Go pointers, so C may read them for the time of a call.
func floats(s []float32) *C.float   { return (*C.float)(unsafe.Pointer(unsafe.SliceData(s))) }
func signed(s []int8) *C.int8_t     { return (*C.int8_t)(unsafe.Pointer(unsafe.SliceData(s))) }
func bytes(s []uint8) *C.uint8_t    { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(s))) }
func ints(s []int32) *C.int32_t     { return (*C.int32_t)(unsafe.Pointer(unsafe.SliceData(s))) }
func shorts(s []uint16) *C.uint16_t { return (*C.uint16_t)(unsafe.Pointer(unsafe.SliceData(s))) }
