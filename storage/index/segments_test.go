package index

import (
	"database/sql"
	"slices"
	"testing"
)

func TestSegments_AreListedInOneStepAndNumbersNeverComeBack(t *testing.T) {
	l := newLibrary(t)
	first, err := l.NextSegment(t.Context())
	l.ok(err)
	second, err := l.NextSegment(t.Context())
	l.ok(err)
	a := Segment{ID: first, Analyzer: 1, Chunks: 10, WordsSize: 7, WordsSum: 1<<32 - 1}
	b := Segment{ID: second, Analyzer: 1, Chunks: 20, WordsSize: 9, Model: "m", Vectors: 3, VectorsFile: 9, VectorsSize: 8, VectorsSum: 5}
	l.ok(l.CommitSegments(t.Context(), []Segment{a}, nil))
	l.ok(l.CommitSegments(t.Context(), []Segment{b}, []int64{first}))
	l.reopen()
	got, err := l.Segments(t.Context())
	l.ok(err)
	if !slices.Equal(got, []Segment{b}) {
		t.Errorf("listed %+v, want %+v", got, b)
	}
	b.Vectors = 20
	l.ok(l.CommitSegments(t.Context(), []Segment{b}, nil))
	third, err := l.NextSegment(t.Context())
	l.ok(err)
	if got, err = l.Segments(t.Context()); err != nil || len(got) != 1 || got[0].Vectors != 20 || third <= second {
		t.Errorf("listed %+v, next number %d after %d, %v", got, third, second, err)
	}
	if wrong, err := l.IntegrityCheck(t.Context()); err != nil || len(wrong) > 0 {
		t.Errorf("integrity: %v, %v", wrong, err)
	}
}

// Old files are deleted as soon as the list names them no more, so the list has
// to be on the medium then.
func TestSegments_TheListSurvivesAPowerCut(t *testing.T) {
	l := newLibrary(t)
	l.ok(l.db.Update(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`CREATE TEMP TABLE probe (level INTEGER);
			CREATE TEMP TRIGGER probing AFTER INSERT ON main.segments BEGIN INSERT INTO probe SELECT synchronous FROM pragma_synchronous; END`)
		return err
	}))
	l.ok(l.CommitSegments(t.Context(), []Segment{{ID: 1, Analyzer: 1}}, nil))
	var level int
	l.ok(l.db.Update(t.Context(), func(tx *sql.Tx) error { return tx.QueryRow("SELECT level FROM probe").Scan(&level) }))
	if level != 2 { // FULL
		t.Errorf("the list is committed with synchronous %d, want 2", level)
	}
}

// A revision moves with what the word index reads, and with nothing else.
func TestRevision_CountsChangesOfWords(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a.txt", 1)
	store := func(texts ...string) {
		t.Helper()
		_, _, err := l.Replace(t.Context(), content(d.ID, texts...))
		l.ok(err)
	}
	revision := func() int64 {
		t.Helper()
		c, _, err := l.Columns(t.Context(), d.ID)
		l.ok(err)
		return c.Revision
	}
	store("one", "two")
	for _, step := range []struct {
		what  string
		moves bool
		do    func()
	}{
		{"the same content again", false, func() { store("one", "two") }},
		{"another order", false, func() { store("two", "one") }},
		{"a new passage", true, func() { store("two", "one", "three") }},
		{"a passage less", true, func() { store("two", "one") }},
		{"a vector", false, func() { l.ok(l.PutVectors(t.Context(), "m", []HashVector{{"one", []float32{1, 0}}})) }},
		{"a label", false, func() { _, err := l.SetDocumentLabel(t.Context(), d.ID, "restricted"); l.ok(err) }},
		{"a title", true, func() { l.ok(l.Retitle(t.Context(), d.ID, "another", "user")) }},
		{"a new place", true, func() { l.see(f.ID, "/docs/b.txt", 1); l.ok(l.Moved(t.Context(), d.ID, "/docs/b.txt")) }},
	} {
		before := revision()
		step.do()
		if moved := revision() != before; moved != step.moves {
			t.Errorf("%s: the revision moved: %v", step.what, moved)
		}
	}
}
