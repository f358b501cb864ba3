package library

import (
	"errors"
	"testing"

	"referent/rag"
	"referent/rag/extract"
)

// inSetEncoding reads files as text in the encoding that was set for them.
func inSetEncoding(text string, file extract.FileOptions) (rag.Extraction, error, bool) {
	if text == "pages" {
		return rag.Extraction{Status: rag.FileIndexed, Kind: "pdf", Text: "The anchor."}, nil, true
	}
	said, name := "Nobody reads these marks.", "windows-1252"
	if file.Encoding == "koi8-r" {
		said, name = "The boiler is warm.", "koi8-r"
	}
	return rag.Extraction{Status: rag.FileIndexed, Kind: "text", Title: "T", Encoding: name, Text: said, Blocks: []rag.Block{{Kind: rag.BlockParagraph, Text: said}}}, nil, true
}

// A set encoding has the file read again, and counts for every later reading:
// of a new version, after a move, after a restart.
func TestSetEncodingOutlivesNewVersionsMovesAndRestarts(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = inSetEncoding
	s.write("a.txt", "first")
	s.write("b.txt", "other")
	s.add("")
	s.sync()
	n, err := s.SetEncoding(t.Context(), s.path("a.txt"), "koi8-r")
	s.ok(err)
	if d := s.document("a.txt"); n != 1 || d.EncodingChoice != "koi8-r" {
		t.Errorf("%d, %+v", n, d)
	}
	s.sync()
	s.until("only it is read anew", s.finding("boiler", "a.txt"))
	s.rename("a.txt", "deep/c.txt")
	s.until("it is found at its new place", s.finding("boiler", "c.txt"))
	s.restart()
	s.write("deep/c.txt", "second version")
	s.until("the new version is read", func() bool { return s.reader.count() >= 4 && s.idle() })
	if d := s.document("deep/c.txt"); d.Encoding != "koi8-r" || d.EncodingChoice != "koi8-r" || len(s.finds("boiler")) != 1 {
		t.Errorf("%+v", d)
	}
	_, err = s.SetEncoding(t.Context(), s.path("deep/c.txt"), "")
	s.ok(err)
	s.sync()
	if d := s.document("deep/c.txt"); d.Encoding != "windows-1252" || d.EncodingChoice != "" || len(s.finds("boiler")) != 0 {
		t.Errorf("%+v", d)
	}
}

// What is set while the file is being read does not get lost with that reading.
func TestEncodingSetWhileAFileIsRead(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = inSetEncoding
	s.reader.holdOn = make(chan struct{})
	s.write("a.txt", "first")
	s.add("")
	s.until("it is being read", s.stateIs("a.txt", "indexing"))
	_, err := s.SetEncoding(t.Context(), s.path("a.txt"), "koi8-r")
	s.ok(err)
	close(s.reader.holdOn)
	s.until("it is read a second time", s.finding("boiler", "a.txt"))
	if n := s.reader.count(); n != 2 {
		t.Errorf("read %d times", n)
	}
}

// A folder stands for the files in it that take an encoding; a file that takes
// none says so.
func TestEncodingOfAFolder(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = inSetEncoding
	s.write("old/a.txt", "first")
	s.write("old/b.txt", "other")
	s.write("old/c.pdf", "pages")
	s.write("d.txt", "beside")
	s.add("")
	s.sync()
	n, err := s.SetEncoding(t.Context(), s.path("old"), "koi8-r")
	s.ok(err)
	s.until("both are read anew", s.finding("boiler", "a.txt", "b.txt"))
	if n != 2 {
		t.Errorf("%d files", n)
	}
	var known *rag.Error
	if _, err := s.SetEncoding(t.Context(), s.path("old/c.pdf"), "koi8-r"); !errors.As(err, &known) || known.Code != rag.CodeInvalidSetting {
		t.Errorf("%v", err)
	}
	if _, err := s.SetEncoding(t.Context(), s.path("nowhere.txt"), "koi8-r"); !errors.As(err, &known) || known.Code != rag.CodeUnknownDocument {
		t.Errorf("%v", err)
	}
}
