package app_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/chunk"
	"referent/rag/extract"
	"referent/storage/index"
)

// shelve fills the story's library with documents of a hundred chunks each, as
// reading their files would leave it, and waits until every chunk has a vector
// and a token count, so that nothing runs beside what is measured.
func (s *story) shelve(chunks int) {
	s.t.Helper()
	fatal := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	const each = 100
	embed, _ := catalogue.Starter(inference.RoleEmbed)
	answer, _ := catalogue.Starter(inference.RoleAnswer)
	files := map[string]string{}
	for i := range chunks / each {
		files[fmt.Sprintf("shelf/%04d.txt", i)] = "."
	}
	s.Write(files)
	s.close()
	ctx := s.t.Context()
	store, err := index.Open(ctx, s.config.DataDir)
	fatal(err)
	folder, err := store.AddFolder(ctx, index.Folder{Path: s.Path("shelf"), Label: "public"})
	fatal(err)
	var seen []index.FileSeen
	for name := range files {
		path := filepath.Join(s.docs, filepath.FromSlash(name))
		info, err := os.Stat(path)
		fatal(err)
		seen = append(seen, index.FileSeen{Folder: folder.ID, Path: path, Size: info.Size(), ModTime: info.ModTime()})
	}
	_, err = store.Found(ctx, seen)
	fatal(err)
	random := rand.New(rand.NewPCG(1, 100))
	zipf := rand.NewZipf(random, 1.1, 8, 200_000)
	for {
		d, ok, err := store.NextWaiting(ctx)
		fatal(err)
		if !ok {
			break
		}
		c := index.DocumentContent{Document: d.ID, Status: string(rag.FileIndexed), Kind: "text", Language: "en", Class: string(rag.ClassFact), Hash: d.Path,
			ExtractorVersion: extract.Version, ChunkerVersion: chunk.Version}
		for i := range each {
			var text strings.Builder
			if i == 0 {
				fmt.Fprintf(&text, "The length of the Harlow Bridge in report %d is %d metres. ", d.ID, 300+d.ID)
			}
			for range 40 {
				fmt.Fprintf(&text, "w%x ", zipf.Uint64())
			}
			c.Chunks = append(c.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: fmt.Sprintf("%d/%d", d.ID, i), Text: text.String(), Locator: "{}", Tokens: 60})
		}
		stored, _, err := store.Replace(ctx, c)
		fatal(err)
		vectors, counts := make([]index.HashVector, len(stored)), map[int64]int{}
		for i, k := range stored {
			vectors[i] = index.HashVector{ContentHash: k.ContentHash, V: fake.Vector(k.Text, fake.DefaultDimensions)}
			counts[k.ID] = len(strings.Fields(k.Text))
		}
		fatal(store.PutVectors(ctx, embed.SHA256, vectors))
		fatal(store.PutTokenCounts(ctx, answer.SHA256, counts))
	}
	fatal(store.Close())
	s.open()
	s.Sync()
	s.Ask(howLong) // loads the models
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(s.config.DataDir, "index.db")+"?mode=ro")
	fatal(err)
	defer db.Close()
	s.Eventually("counting and embedding what is left", time.Minute, func() bool {
		var vectors, counts int
		fatal(db.QueryRow("SELECT (SELECT count(*) FROM vectors), (SELECT count(*) FROM token_counts)").Scan(&vectors, &counts))
		return vectors >= chunks && counts >= chunks
	})
}

// BenchmarkOurs_100kChunks asks in a library of 100,000 chunks, with models that
// take no time. ours-ms is from the question to the first token, without the
// retrieval: settings, history, engine, packing, prompt, and the events. It must
// stay below 15.
func BenchmarkOurs_100kChunks(b *testing.B) {
	s := newStory(b, fake.Config{})
	s.shelve(100_000)
	for _, c := range []struct {
		name string
		req  app.AskRequest
	}{
		{"first question", app.AskRequest{Question: howLong}},
		{"follow-up by expand", app.AskRequest{Question: "How many metres is it?", Engine: "expand", Conversation: s.conversation}},
		{"follow-up by condense_context", app.AskRequest{Question: "How many metres is it?", Engine: "condense_context", Conversation: s.conversation}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ours, retrieval float64
			n := 0
			for b.Loop() {
				began := time.Now()
				first, found := 0.0, 0.0
				err := s.app.Ask(b.Context(), c.req, func(e rag.Event) {
					switch e := e.(type) {
					case rag.Token:
						if first == 0 {
							first = time.Since(began).Seconds() * 1000
						}
					case rag.Done:
						found = e.LatencyMS.Retrieve + e.LatencyMS.Rerank
					}
				})
				if err != nil || first == 0 || found == 0 {
					b.Fatalf("first token after %v ms, retrieval %v ms, %v", first, found, err)
				}
				ours, retrieval, n = ours+first-found, retrieval+found, n+1
			}
			b.ReportMetric(ours/float64(n), "ours-ms")
			b.ReportMetric(retrieval/float64(n), "retrieval-ms")
		})
	}
}
