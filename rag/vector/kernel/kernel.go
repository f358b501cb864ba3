package kernel

// SketchBlock is how many vectors a block of sketches holds.
const SketchBlock = 32

// Float writes query · row into out for len(out) rows. rows holds at least
// len(out)·len(query) values. Safe for concurrent use.
func Float(query, rows, out []float32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	rows = rows[:len(out)*len(query)] // a short block is a bug here, not a read beyond memory
	touch(rows)
	chosen.float(query, rows, out)
}

// Half does the same for rows in half precision (IEEE 754 binary16), all of
// them finite.
func Half(query []float32, rows []uint16, out []float32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	rows = rows[:len(out)*len(query)]
	touch(rows)
	chosen.half(query, rows, out)
}

// Codes writes query · (row − 128) into out for len(out) rows. rows holds at
// least len(out)·len(query) bytes. Exact as long as the vectors have fewer
// than 65,536 dimensions. Safe for concurrent use.
func Codes(query []int8, rows []uint8, out []int32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	rows = rows[:len(out)*len(query)]
	touch(rows)
	chosen.codes(query, rows, out)
}

// Sketch adds up, for each vector, the entries of lut that its nibbles choose.
// lut has 16 entries for each group of 4 dimensions; the number of groups is a
// multiple of 4, and the greatest entries of all groups together stay below
// 65,536. out has SketchBlock sums for each block; a block is 16 bytes for each
// group, with vectors 0 to 15 in the low nibbles and 16 to 31 in the high
// ones. Safe for concurrent use.
func Sketch(lut, blocks []uint8, out []uint16) {
	if len(out) == 0 || len(lut) == 0 {
		clear(out)
		return
	}
	if len(lut)%64 != 0 || len(out)%SketchBlock != 0 {
		panic("kernel: a sketch of broken size")
	}
	blocks = blocks[:len(out)/SketchBlock*len(lut)]
	touch(blocks)
	chosen.sketch(lut, blocks, out)
}

// Name says which form runs on this machine.
func Name() string { return chosen.name }

// form is one way to do the work.
type form struct {
	name   string
	float  func(query, rows, out []float32)
	half   func(query []float32, rows []uint16, out []float32)
	codes  func(query []int8, rows []uint8, out []int32)
	sketch func(lut, blocks []uint8, out []uint16)
}

var goForm = form{"go", dotFloatGo, dotHalfGo, dotCodesGo, sketchGo}

// chosen is the best form that this processor can run; forms lists all it can.
var (
	forms  = available()
	chosen = forms[0]
)
