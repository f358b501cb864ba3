package kernel

// Float writes query · row into out for len(out) rows. rows holds at least
// len(out)·len(query) values. Safe for concurrent use.
func Float(query, rows, out []float32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	rows = rows[:len(out)*len(query)] // a short block is a bug here, not a read beyond memory
	chosen.float(query, rows, out)
}

// Codes writes query · (row − 128) into out for len(out) rows. rows holds at
// least len(out)·len(query) bytes. Exact as long as the vectors have fewer
// than 131,072 dimensions. Safe for concurrent use.
func Codes(query []int8, rows []uint8, out []int32) {
	if len(out) == 0 || len(query) == 0 {
		clear(out)
		return
	}
	rows = rows[:len(out)*len(query)]
	chosen.codes(query, rows, out)
}

// Name says which form runs on this machine.
func Name() string { return chosen.name }

// form is one way to do the work.
type form struct {
	name  string
	float func(query, rows, out []float32)
	codes func(query []int8, rows []uint8, out []int32)
}

var goForm = form{"go", dotFloatGo, dotCodesGo}

// chosen is the best form that this processor can run; forms lists all it can.
var (
	forms  = available()
	chosen = forms[0]
)
