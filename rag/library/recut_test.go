package library

import (
	"testing"

	"referent/rag/chunk"
	"referent/rag/extract"
	"referent/storage/index"
)

// cutBefore stores a file as an earlier version of the program has cut it.
func (s *shelf) cutBefore(name, text string) {
	s.t.Helper()
	d := s.document(name)
	_, _, err := s.store.Replace(s.t.Context(), index.DocumentContent{Document: d.ID, Status: "indexed", Kind: d.Kind, Title: d.Title, Language: "en", Hash: d.Hash, Class: d.Class,
		ExtractorVersion: extract.Version, ChunkerVersion: chunk.Version - 1, Text: text,
		Parents: []index.StoredParent{{Text: text, Length: len(text), Tokens: 5}},
		Chunks:  []index.StoredChunk{{ContentHash: "old " + name, Header: d.Title, Text: text, Length: len(text), Tokens: 5}}})
	s.ok(err)
	s.ok(s.show(s.t.Context(), d.ID))
}

// What an earlier version has cut is searched as it is, through every start and
// every look at the folder. It is cut anew when somebody asks for it, and then
// what did not change is not embedded again.
func TestR059_AnOutdatedCutIsRenewedOnlyWhenAsked(t *testing.T) {
	s := newShelf(t)
	s.write("old.txt", "The boiler is warm.\n")
	s.write("new.txt", "The anchor is heavy.\n")
	s.add("")
	s.sync()
	s.cutBefore("old.txt", "The kettle is warm.")
	s.until("the old cut is embedded", s.idle)
	read, embedded := s.reader.count(), s.embedder.count()
	s.restart()
	s.sync()
	if n := s.reader.count(); n != read || len(s.finds("kettle")) != 1 {
		t.Errorf("%d files were read unasked", n-read)
	}
	cost, err := s.SurveyRecut(t.Context())
	s.ok(err)
	if cost.Files != 1 || cost.Passages != 1 || cost.Bytes != 20 || cost.Seconds <= 0 {
		t.Errorf("%+v", cost)
	}
	n, err := s.Recut(t.Context())
	s.ok(err)
	if n != 1 || len(s.finds("kettle")) != 1 {
		t.Errorf("%d wait, the old cut is found %d times meanwhile", n, len(s.finds("kettle")))
	}
	s.until("it is cut anew", s.finding("boiler", "old.txt"))
	s.until("and embedded", s.idle)
	if cost, err := s.SurveyRecut(t.Context()); err != nil || cost.Files != 0 || s.reader.count() != read+1 || s.embedder.count() != embedded+1 {
		t.Errorf("%+v, %v, %d read, %d embedded", cost, err, s.reader.count()-read, s.embedder.count()-embedded)
	}
}
