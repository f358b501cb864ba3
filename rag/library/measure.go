package library

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"referent/rag"
)

// metaMeasured is the key of the note with what reading took on this computer.
const metaMeasured = "measured"

// KindRate is what files of one kind took, from the disk to the search by words.
type KindRate struct {
	Files    int     `json:"files"`
	Bytes    int64   `json:"bytes"`
	Pages    int     `json:"pages"`
	Passages int     `json:"passages"`
	Seconds  float64 `json:"seconds"`
}

// ModelRate is what the vectors of one model took.
type ModelRate struct {
	Passages int     `json:"passages"`
	Seconds  float64 `json:"seconds"`
}

// measured is everything that was measured, kept between starts.
type measured struct {
	Kinds  map[string]KindRate  `json:"kinds"`
	Models map[string]ModelRate `json:"models"`
}

// remembered is how many files of a kind (or passages of a model) count fully:
// beyond it older ones count less, since computers and files change.
const (
	rememberedFiles    = 2_000
	rememberedPassages = 20_000
)

// Report says where the time of the newest run went. A run begins when the
// queue was empty. Seconds of the stages are added up over all readers.
type Report struct {
	Files    int     `json:"files"`
	Pages    int     `json:"pages"`
	Passages int     `json:"passages"`
	Vectors  int     `json:"vectors"`
	Seconds  float64 `json:"seconds"` // from the first file to the last vector
	Parse    float64 `json:"parse"`   // in the parse worker, with its start
	Chunk    float64 `json:"chunk"`
	Write    float64 `json:"write"` // into the database and the search
	Embed    float64 `json:"embed"`
	Other    float64 `json:"other"` // hashes of the files and the ledger
}

// FilesPerSecond is 0 for no files.
func (r Report) FilesPerSecond() float64 {
	if r.Seconds <= 0 {
		return 0
	}
	return float64(r.Files) / r.Seconds
}

// measure collects what the work takes. Its times are the system's: they say
// something of the computer, which no clock of a test does.
type measure struct {
	mu     sync.Mutex
	loaded bool
	dirty  bool
	all    measured
	report Report
	began  time.Time // of the newest run
}

// taken is the time of the stages of one file.
type taken struct {
	whole, parse, chunk, write time.Duration
	pages, passages            int
}

// beginRun starts a new report.
func (m *measure) beginRun() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.report, m.began = Report{}, time.Now()
}

func (m *measure) file(kind string, bytes int64, t taken) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &m.report
	r.Files++
	r.Pages += t.pages
	r.Passages += t.passages
	r.Parse += t.parse.Seconds()
	r.Chunk += t.chunk.Seconds()
	r.Write += t.write.Seconds()
	r.Other += (t.whole - t.parse - t.chunk - t.write).Seconds()
	r.Seconds = time.Since(m.began).Seconds()
	if kind == "" || t.parse == 0 {
		return // nothing was read
	}
	m.dirty = true
	k := m.all.Kinds[kind]
	if k.Files >= rememberedFiles {
		k = KindRate{k.Files / 2, k.Bytes / 2, k.Pages / 2, k.Passages / 2, k.Seconds / 2}
	}
	if m.all.Kinds == nil {
		m.all.Kinds = map[string]KindRate{}
	}
	m.all.Kinds[kind] = KindRate{k.Files + 1, k.Bytes + bytes, k.Pages + t.pages, k.Passages + t.passages, k.Seconds + t.whole.Seconds()}
}

func (m *measure) vectors(model string, n int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.report.Vectors += n
	m.report.Embed += took.Seconds()
	if !m.began.IsZero() {
		m.report.Seconds = time.Since(m.began).Seconds()
	}
	m.dirty = true
	r := m.all.Models[model]
	if r.Passages >= rememberedPassages {
		r = ModelRate{r.Passages / 2, r.Seconds / 2}
	}
	if m.all.Models == nil {
		m.all.Models = map[string]ModelRate{}
	}
	m.all.Models[model] = ModelRate{r.Passages + n, r.Seconds + took.Seconds()}
}

// plus adds two notes up; neither need have anything in it.
func (m measured) plus(n measured) measured {
	sum := measured{Kinds: maps.Clone(n.Kinds), Models: maps.Clone(n.Models)}
	if sum.Kinds == nil {
		sum.Kinds = map[string]KindRate{}
	}
	if sum.Models == nil {
		sum.Models = map[string]ModelRate{}
	}
	for kind, k := range m.Kinds {
		o := sum.Kinds[kind]
		sum.Kinds[kind] = KindRate{o.Files + k.Files, o.Bytes + k.Bytes, o.Pages + k.Pages, o.Passages + k.Passages, o.Seconds + k.Seconds}
	}
	for model, k := range m.Models {
		o := sum.Models[model]
		sum.Models[model] = ModelRate{o.Passages + k.Passages, o.Seconds + k.Seconds}
	}
	return sum
}

// loadMeasured adds what earlier starts have noted. A note that cannot be read
// counts nothing.
func (l *Library) loadMeasured(ctx context.Context) error {
	m := &l.measure
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.loaded {
		return nil
	}
	text, err := l.store.Meta(ctx, metaMeasured)
	if err != nil {
		return err
	}
	m.loaded = true
	var noted measured
	if text == "" || json.Unmarshal([]byte(text), &noted) != nil {
		return nil
	}
	m.all = m.all.plus(noted)
	return nil
}

// saveMeasured notes what was measured, if anything was.
func (l *Library) saveMeasured(ctx context.Context) {
	if l.loadMeasured(ctx) != nil {
		return // tried again after the next run
	}
	m := &l.measure
	m.mu.Lock()
	text, err := json.Marshal(m.all)
	dirty := m.dirty
	m.dirty = false
	m.mu.Unlock()
	if dirty && err == nil {
		_ = l.store.SetMeta(ctx, metaMeasured, string(text)) // the next run notes it again
	}
}

// Report tells where the time of the newest run went.
func (l *Library) Report() Report {
	l.measure.mu.Lock()
	defer l.measure.mu.Unlock()
	return l.measure.report
}

// EmbedRate is how many passages a second got vectors of a model here; 0: it was
// never measured. model is a VectorKey.
func (l *Library) EmbedRate(ctx context.Context, model string) (float64, error) {
	if err := l.loadMeasured(ctx); err != nil {
		return 0, err
	}
	l.measure.mu.Lock()
	defer l.measure.mu.Unlock()
	r := l.measure.all.Models[model]
	if r.Seconds <= 0 {
		return 0, nil
	}
	return float64(r.Passages) / r.Seconds, nil
}

// kindRates are the rates of all kinds: measured here where at least a few files
// of the kind were read, else those of the machine in docs/performance.md.
func (l *Library) kindRates(ctx context.Context) (kindRates, error) {
	if err := l.loadMeasured(ctx); err != nil {
		return nil, err
	}
	rates := maps.Clone(usualRates)
	l.measure.mu.Lock()
	defer l.measure.mu.Unlock()
	for kind, r := range l.measure.all.Kinds {
		if _, usual := rates[kind]; !usual || r.Files >= enoughFiles {
			rates[kind] = r
		}
	}
	return rates, nil
}

// enoughFiles is how many files of a kind say more than the usual rate.
const enoughFiles = 5

// readable tells statuses whose reading says how long their kind takes.
func readable(s rag.FileStatus) bool { return s == rag.FileIndexed || s == rag.FilePartlyIndexed }
