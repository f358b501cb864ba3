//go:build cgo

package kernel

// #include "kernel.h"
import "C"

func available() []form { return []form{neonForm, scalarForm, goForm} }

var neonForm = form{
	name: "neon",
	float: func(query, rows, out []float32) {
		C.referent_float_neon(floats(query), floats(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	half: func(query []float32, rows []uint16, out []float32) {
		C.referent_half_neon(floats(query), shorts(rows), floats(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	codes: func(query []int8, rows []uint8, out []int32) {
		C.referent_codes_neon(signed(query), bytes(rows), ints(out), C.size_t(len(out)), C.size_t(len(query)))
	},
	sketch: func(lut, blocks []uint8, out []uint16) {
		C.referent_sketch_neon(bytes(lut), bytes(blocks), shorts(out), C.size_t(len(out)/SketchBlock), C.size_t(len(lut)/16))
	},
}
