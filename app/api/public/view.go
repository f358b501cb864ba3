package public

import (
	"context"

	"referent/app"
	"referent/rag"
)

// Limits bound how many calls run and wait.
type Limits struct {
	Asks     int // answers at once; 0: 1, since an answer takes the whole model
	AsksWait int // that wait for it; 0: 32
	Reads    int // other calls at once; 0: 8
	ReadWait int // that wait; 0: 256
}

func (l Limits) filled() Limits {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&l.Asks, 1)
	set(&l.AsksWait, 32)
	set(&l.Reads, 8)
	set(&l.ReadWait, 256)
	return l
}

// View is the library without what is restricted. All methods may be called
// from any goroutine; errors are *rag.Error, *wire.Failure or the context's.
type View struct {
	use   app.UseCases
	log   func(string)
	asks  *Queue
	reads *Queue
}

// New makes a view of the use cases. log gets faults without any text of
// documents or questions.
func New(use app.UseCases, limits Limits, log func(string)) *View {
	l := limits.filled()
	return &View{use: use, log: log, asks: NewQueue(l.Asks, l.AsksWait), reads: NewQueue(l.Reads, l.ReadWait)}
}

// public tells which documents may be seen: in the library and not restricted.
func (v *View) public(ctx context.Context, documents ...int64) (map[int64]bool, error) {
	labels, err := v.use.Labels(ctx, documents)
	out := make(map[int64]bool, len(labels))
	for id, label := range labels {
		out[id] = label == string(rag.LabelPublic)
	}
	return out, err
}

// unknownDocument is the answer for what is not there and for what is hidden.
func unknownDocument() error {
	return &rag.Error{Code: rag.CodeUnknownDocument, Message: "There is no such document.", Hint: "List the documents to see which there are."}
}

// Log writes one line about a fault.
func (v *View) Log(line string) { v.log(line) }
