package lab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"referent/rag"
	"referent/rag/chunk"
)

// Extract reads a file; the program's own reader.
type Extract func(ctx context.Context, path string) (rag.Extraction, error)

// readSample reads the product's own set: the files below library, cut into
// chunks as the product does, and the conversations about them.
func readSample(ctx context.Context, root string, extract Extract) ([]Set, error) {
	dir := filepath.Join(root, "library")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, dir)
	}
	conversations, err := Load(filepath.Join(root, "conversations"))
	if err != nil {
		return nil, err
	}
	set := ConversationSet("sample", conversations)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := rowsOf(ctx, dir, path, extract)
		set.Rows = append(set.Rows, rows...)
		return err
	})
	return []Set{set}, err
}

// rowsOf reads one file. A kind that is not read has no rows, as in a library. Any
// other failure, such as a reader that had no time on a busy machine, is an error:
// all facts of the file would count as not found, and nobody would know why.
func rowsOf(ctx context.Context, dir, path string, extract Extract) ([]Row, error) {
	name, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, err
	}
	name = "sample/" + filepath.ToSlash(name)
	ex, err := extract(ctx, path)
	switch {
	case err != nil || ex.Status == rag.FileUnsupported:
		return nil, err
	case !ex.Status.Searchable():
		return nil, fmt.Errorf("%s could not be read (%s)", name, ex.Status)
	}
	return cut(ex, name, path), nil
}

// cut makes rows of the chunks of a file.
func cut(ex rag.Extraction, name, path string) []Row {
	chunks, _ := chunk.Split(ex, path)
	rows := make([]Row, len(chunks))
	for i, c := range chunks {
		rows[i] = Row{ID: fmt.Sprintf("%s#%d", name, c.Ordinal), Document: name, Title: ex.Title, Heading: strings.Join(c.Heading, " > "),
			Header: c.Header, Text: c.Text, Language: ex.Language, Locator: c.Locator, Stretch: Stretch{c.Offset, c.Offset + c.Length}}
	}
	return rows
}

// ConversationSet makes a question of every turn that has something to find.
// Replies are the scripted ones.
func ConversationSet(name string, conversations []Conversation) Set {
	set := Set{Suite: "S0", Name: name}
	for _, c := range conversations {
		var history []rag.Message
		for i, t := range c.Turns {
			if len(t.References) > 0 {
				set.Questions = append(set.Questions, Question{ID: fmt.Sprintf("%s/%d", c.Name, i+1), Text: t.Question, History: history[:len(history):len(history)],
					Slice: string(t.Kind), References: t.References, Reference: t.Standalone})
			}
			history = append(history, rag.Message{Role: "user", Text: t.Question}, rag.Message{Role: "assistant", Text: t.Reply})
		}
	}
	return set
}

// Read reads the sets of a suite. The error is ErrAbsent where they do not lie
// there, and says what is malformed otherwise.
func Read(ctx context.Context, suite string, p Places) ([]Set, error) {
	readers := map[string]func(string) ([]Set, error){"S1": readSciFact, "S2": readXQuAD, "S4": readMTRAG, "S5": readCanard, "S6": readShifts, "S7": readCAsT}
	switch {
	case suite == "S0":
		return readSample(ctx, p.Sample, p.Extract)
	case suite == "S3":
		return readChunking(ctx, p.Sets, p.Extract)
	case suite == "S8":
		return readAnswerable(p)
	case suite == "S9":
		return readUnanswerable(p)
	case suite == "S10":
		return readGates(p)
	case suite == SuiteOwn:
		return readOwn(p.Sets)
	case readers[suite] != nil:
		return readers[suite](p.Sets)
	}
	return nil, errors.New("there is no suite " + suite)
}

// Places says where the sets lie.
type Places struct {
	Sets    string // laid out as the public sets are, or one set of one's own
	Sample  string // with the folders library and conversations
	Extract Extract
	clapNQ  func() (clapnq, error) // nil: read where it is asked for
}

// shared is the same places for suites that are read one after the other: a set
// that several of them use is read once.
func (p Places) shared() Places {
	p.clapNQ = sync.OnceValues(func() (clapnq, error) { return readClapNQ(p.Sets) })
	return p
}

// answers reads ClapNQ, which nobody may change.
func (p Places) answers() (clapnq, error) {
	if p.clapNQ == nil {
		return readClapNQ(p.Sets)
	}
	return p.clapNQ()
}
