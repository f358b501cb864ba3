package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/llama"
	"referent/rag/lab"
)

// realSuites are the public sets whose passages and questions are real text.
var realSuites = []string{"S1", "S2", "S4", "S8", "S9"}

// realQuestions is how many real questions are embedded.
const realQuestions = 600

// texts are real passages and questions.
type texts struct{ passages, questions []string }

// realTexts reads the passages and questions of the public sets, each once, in
// a fixed random order, so that a part of them is a fair sample; only what a
// claim of SciFact wants comes first, so that the quality of a hybrid search can
// be told early.
func realTexts(ctx context.Context) (t texts, err error) {
	places := lab.Places{Sets: sharedData()}
	seen := map[string]bool{}
	add := func(to *[]string, text string) {
		if text = strings.TrimSpace(text); text != "" && !seen[text] {
			seen[text] = true
			*to = append(*to, text)
		}
	}
	claims, err := sciFact(ctx)
	if err != nil {
		return t, err
	}
	for _, q := range claims.Questions {
		add(&t.questions, q.Text)
		for _, r := range claims.Rows {
			if q.Relevant[r.ID] > 0 {
				add(&t.passages, passageOf(r))
			}
		}
	}
	first := texts{t.passages, t.questions}
	t = texts{}
	for _, suite := range realSuites {
		sets, err := lab.Read(ctx, suite, places)
		if err != nil {
			return t, err
		}
		for _, s := range sets {
			for _, r := range s.Rows {
				add(&t.passages, passageOf(r))
			}
			for _, q := range s.Questions {
				add(&t.questions, q.Text)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	for _, list := range [][]string{t.passages, t.questions} {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	t.questions = t.questions[:min(len(t.questions), realQuestions)]
	return texts{append(first.passages, t.passages...), append(first.questions, t.questions...)}, nil
}

func sciFact(ctx context.Context) (lab.Set, error) {
	sets, err := lab.Read(ctx, "S1", lab.Places{Sets: sharedData()})
	if err != nil {
		return lab.Set{}, err
	}
	return sets[0], nil
}

// passageOf is the text of a row as it is embedded.
func passageOf(r lab.Row) string { return strings.TrimSpace(r.Header + "\n" + r.Text) }

// sharedData is the folder of the public sets: REFERENT_SHARED_DATA, or beside
// the repository.
func sharedData() string {
	if dir := os.Getenv("REFERENT_SHARED_DATA"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared", "data")
}

// embedding is a file of vectors by text: the SHA-256 of kind and text, then
// the vector, little-endian float32. It only grows.
type embedding struct {
	path string
	rows map[[sha256.Size]byte][]float32
}

const embeddingRecord = sha256.Size + 4*dimensions

func textKey(kind inference.TextKind, text string) [sha256.Size]byte {
	return sha256.Sum256([]byte(string(kind) + "\n" + text))
}

// openEmbedding reads what is there; what a kill cut off at the end is dropped.
func openEmbedding(cache, model string) (*embedding, error) {
	e := &embedding{path: filepath.Join(cache, "real-"+model+".vectors"), rows: map[[sha256.Size]byte][]float32{}}
	data, err := os.ReadFile(e.path)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	for len(data) >= embeddingRecord {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[sha256.Size+4*i:]))
		}
		e.rows[[sha256.Size]byte(data)] = v
		data = data[embeddingRecord:]
	}
	if len(data) > 0 {
		err = os.Truncate(e.path, int64(len(e.rows)*embeddingRecord))
	}
	return e, err
}

// of returns the vectors of those texts that have one.
func (e *embedding) of(kind inference.TextKind, texts []string) [][]float32 {
	var out [][]float32
	for _, t := range texts {
		if v, ok := e.rows[textKey(kind, t)]; ok {
			out = append(out, v)
		}
	}
	return out
}

// real are the texts with the vectors that the starter model gives them.
type real struct {
	texts
	*embedding
}

// readReal reads the texts and the vectors of the cache. What it lacks is
// embedded for as long as patience lasts; the cache keeps it.
func readReal(ctx context.Context, cache string, patience time.Duration) (r real, err error) {
	if r.texts, err = realTexts(ctx); err != nil {
		return r, err
	}
	entry, ok := catalogue.Starter(inference.RoleEmbed)
	if !ok {
		return r, errors.New("the catalogue has no starter model that embeds")
	}
	if r.embedding, err = openEmbedding(cache, strings.TrimSuffix(entry.File, ".gguf")); err != nil {
		return r, err
	}
	if patience <= 0 || len(r.asked()) == len(r.questions) && len(r.embedded()) == len(r.passages) {
		return r, nil
	}
	model, closeModel, err := starterEmbedder(ctx, filepath.Dir(cache), entry)
	if err != nil {
		return r, err
	}
	until := time.Now().Add(patience)
	err = errors.Join(r.fill(ctx, model, inference.KindQuery, r.questions, until), r.fill(ctx, model, inference.KindPassage, r.passages, until))
	return r, errors.Join(err, closeModel())
}

// embedded are the vectors of the passages that have one.
func (r real) embedded() [][]float32 { return r.of(inference.KindPassage, r.passages) }

// asked are the vectors of the questions that have one.
func (r real) asked() [][]float32 { return r.of(inference.KindQuery, r.questions) }

// starterEmbedder loads the starter model with its libraries, which the set-up
// has put into the cache.
func starterEmbedder(ctx context.Context, cache string, entry catalogue.Entry) (inference.Embedder, func() error, error) {
	host, err := llama.New(llama.Config{RuntimeDir: filepath.Join(cache, "runtime", "cpu"), Threads: threads()})
	if err != nil {
		return nil, nil, err
	}
	spec := inference.LoadSpec{Roles: []inference.Role{inference.RoleEmbed}, Path: filepath.Join(cache, "models", entry.File), Profile: entry.Profile()}
	if _, err := host.Load(ctx, spec, nil); err != nil {
		return nil, nil, errors.Join(err, host.Close())
	}
	m, err := host.Embedder()
	return m, host.Close, err
}

// threads is all of the processors, or what REFERENT_MODEL_THREADS says.
func threads() int {
	n := 0
	if _, err := fmt.Sscan(os.Getenv("REFERENT_MODEL_THREADS"), &n); err == nil && n > 0 {
		return n
	}
	return runtime.NumCPU()
}

// fill embeds the texts that lack a vector, until the time is over.
func (e *embedding) fill(ctx context.Context, model inference.Embedder, kind inference.TextKind, texts []string, until time.Time) (err error) {
	f, err := os.OpenFile(e.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	const batch = 16
	for from := 0; from < len(texts) && time.Now().Before(until); from += batch {
		var lacks []string
		for _, t := range texts[from:min(len(texts), from+batch)] {
			if e.rows[textKey(kind, t)] == nil {
				lacks = append(lacks, t)
			}
		}
		if len(lacks) == 0 {
			continue
		}
		vectors, err := model.Embed(ctx, kind, lacks, inference.PriorityIndexing)
		if err != nil {
			return err
		}
		if err := e.put(f, kind, lacks, vectors); err != nil {
			return err
		}
	}
	return nil
}

func (e *embedding) put(to io.Writer, kind inference.TextKind, texts []string, vectors [][]float32) error {
	var data []byte
	for i, t := range texts {
		if len(vectors[i]) != dimensions {
			return fmt.Errorf("the model gives %d dimensions, not %d", len(vectors[i]), dimensions)
		}
		key := textKey(kind, t)
		e.rows[key] = vectors[i]
		data = append(data, key[:]...)
		for _, x := range vectors[i] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	_, err := to.Write(data)
	return err
}
