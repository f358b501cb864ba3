package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"referent/rag/lexical"
	"referent/rag/retrieve"
	"referent/rag/segment"
)

// asked are the questions of a hybrid search: words as asked, and the vector of
// a real question.
type asked struct {
	Words   []string
	Vectors [][]float32
}

// measured is what a process of its own says of a library.
type measured struct {
	Open     spans // from the call to the first answer
	Ask      spans // of each question
	Shown    spans // from the commit of a document of 20 passages until it is found
	Resident int64 // bytes after the questions
	Files    int64 // of them, pages of files
	Segments int
	Chunks   int
}

// spans are times in ms, by the clock and of the processor.
type spans struct{ Clock, CPU []float64 }

// begin starts to measure; what it returns adds the time since then.
func (s *spans) begin() (end func()) {
	start, cpu := time.Now(), cpuTime()
	return func() {
		s.Clock, s.CPU = append(s.Clock, ms(time.Since(start))), append(s.CPU, ms(cpuTime()-cpu))
	}
}

// openRuns and addRuns are how often opening and adding are repeated.
const (
	openRuns = 5
	addRuns  = 9
)

// measureLibrary asks a process of its own that has one thread for Go code, so
// that memory and processor time are those of the library alone.
func measureLibrary(dir string, questions asked) (m measured, err error) {
	in, err := os.CreateTemp("", "questions-*.json")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, in.Close(), os.Remove(in.Name())) }()
	if err := json.NewEncoder(in).Encode(questions); err != nil {
		return m, err
	}
	cmd := exec.Command(os.Args[0], "-library", dir, "-questions", in.Name())
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(out, &m)
}

// libraryChild is that process.
func libraryChild(ctx context.Context, dir, questions string) error {
	data, err := os.ReadFile(questions)
	if err != nil {
		return err
	}
	var q asked
	if err := json.Unmarshal(data, &q); err != nil {
		return err
	}
	var m measured
	var l *library
	for range openRuns {
		if l != nil {
			if err := l.close(); err != nil {
				return err
			}
		}
		end := m.Open.begin()
		if l, err = openLibrary(ctx, dir); err != nil {
			return err
		}
		if _, err := l.ask(ctx, retrieve.Hybrid, q.Words[0], q.Vectors[0]); err != nil {
			return err
		}
		end()
		if err := l.index.Settle(ctx); err != nil { // the check after a start
			return err
		}
	}
	defer l.close()
	for i := range q.Words {
		to := &m.Ask
		if i < 3 { // the first ones warm it
			to = &spans{}
		}
		end := to.begin()
		if _, err := l.ask(ctx, retrieve.Hybrid, q.Words[i], q.Vectors[i]); err != nil {
			return err
		}
		end()
	}
	runtime.GC()
	m.Resident, m.Files = resident()
	m.Chunks = l.index.Snapshot().Chunks()
	files, err := filepath.Glob(filepath.Join(dir, "index", "seg-*.bm25"))
	if err != nil {
		return err
	}
	m.Segments = len(files)
	for i := range addRuns {
		if err := l.addAndFind(ctx, i, &m.Shown); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// ask is one search with the program's defaults, texts of the hits included.
func (l *library) ask(ctx context.Context, retriever, words string, v []float32) (retrieve.Result, error) {
	result, err := l.askFor(ctx, retriever, retrieve.Query{Texts: []string{words}, Vector: v})
	if err == nil && len(result.Hits) == 0 {
		err = errors.New("no hits")
	}
	return result, err
}

func (l *library) askFor(ctx context.Context, retriever string, q retrieve.Query) (retrieve.Result, error) {
	set := retrieve.New(retrieve.Deps{Snapshot: func() *segment.Snapshot { return l.index.Snapshot() }, Store: l.store})
	r, err := set.Lookup(retriever)
	if err != nil {
		return retrieve.Result{}, err
	}
	return r.Retrieve(ctx, q)
}

// addAndFind adds a document of 20 passages, finds it by a word of its own, and
// takes it out again.
func (l *library) addAndFind(ctx context.Context, n int, shown *spans) error {
	if err := l.addFolder(ctx); err != nil {
		return err
	}
	word := "zz" + spell(n)
	c := content{path: fmt.Sprintf("/library/added-%d.txt", n)}
	r := rand.New(rand.NewPCG(7, uint64(n)))
	w := newWords()
	for range documentSize {
		var b strings.Builder
		b.WriteString(word)
		for range chunkTokens {
			b.WriteString(" " + spell(w.draw(r)))
		}
		v := make([]float32, dimensions)
		for j := range v {
			v[j] = float32(r.NormFloat64())
		}
		c.texts, c.vectors = append(c.texts, b.String()), append(c.vectors, unit(v))
	}
	fresh, err := l.keep(ctx, []content{c})
	if err != nil {
		return err
	}
	end := shown.begin()
	if err := l.show(fresh); err != nil {
		return err
	}
	hits, err := l.index.Snapshot().Lexical().Search(ctx, lexical.NewQuery(word, []string{"pl"}), nil, depth)
	if err != nil || len(hits) != documentSize {
		return errors.Join(err, fmt.Errorf("%d of the passages are found", len(hits)))
	}
	end()
	return l.remove(ctx, c.path)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// cpuTime is what this process has used of the processor.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident reads from the kernel what the process holds in memory, and how much
// of that are pages of files.
func resident() (all, files int64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		var kb int64
		if _, err := fmt.Sscan(value, &kb); err != nil {
			continue
		}
		switch name {
		case "VmRSS":
			all = kb << 10
		case "RssFile":
			files = kb << 10
		}
	}
	return all, files
}
