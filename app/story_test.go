package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/inference/runtime/pack"
	"referent/rag"
	"referent/rag/extract"
)

// story drives a whole program, from files to stored turns, in the words of a
// person who uses it. Each verb fails the test when it cannot be done.
type story struct {
	t      testing.TB
	app    *app.App
	config app.Config
	models *models // nil: real ones

	docs         string // the first folder that was added
	conversation *int64 // that Ask and FollowUp go on with; nil: a new one
	events       []rag.Event
	err          error
}

// quick is a clock on which library times pass twenty times as fast.
type quick struct{ begin time.Time }

const quicker = 20

func (q quick) Now() time.Time { return q.begin.Add(time.Since(q.begin) * quicker) }

func (q quick) After(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d / quicker)
	return t.C, func() { t.Stop() }
}

// models is the fake behind the names of the catalogue, with the floor that
// suits its vectors.
type models struct{ *fake.Host }

func (m *models) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	spec.Profile.FloorCosine = fake.FloorCosine
	return m.Host.Load(ctx, spec, progress)
}

// rewrites counts the calls that rewrote a question: warming up asks for one
// token only.
func (m *models) rewrites() int {
	n := 0
	for _, c := range m.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleCondense && c.Request.MaxTokens > 1 {
			n++
		}
	}
	return n
}

// answerPrompts returns the last message of each call that wrote an answer.
func (m *models) answerPrompts() []string {
	var out []string
	for _, c := range m.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleAnswer && c.Request.MaxTokens > 1 && len(c.Request.Messages) > 0 {
			out = append(out, c.Request.Messages[len(c.Request.Messages)-1].Text)
		}
	}
	return out
}

// newStory opens a program on an empty data folder with fake models.
func newStory(t testing.TB, c fake.Config) *story {
	t.Helper()
	s := &story{t: t, models: &models{fake.New(c)}, config: hermetic(t.TempDir())}
	s.config.Host = s.models
	s.open()
	t.Cleanup(func() { s.close() })
	return s
}

// hermetic is a program that reads in this process and finds the starter models
// as empty files of the right size.
func hermetic(dir string) app.Config {
	cache := filepath.Join(dir, "cache")
	for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleEmbed} {
		if err := emptyModel(filepath.Join(cache, "models"), role); err != nil {
			panic(err)
		}
	}
	return app.Config{DataDir: filepath.Join(dir, "data"), CacheDir: cache, Version: "test", Clock: quick{time.Now()},
		Extract: func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
			return extract.File(ctx, path, extract.Options{Password: file.Password, Encoding: file.Encoding})
		},
		Driver: func(context.Context, pack.Pack) error { return nil }}
}

func emptyModel(dir string, role inference.Role) error {
	e, ok := catalogue.Starter(role)
	if !ok {
		return errors.New("no starter model for " + string(role))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, e.File))
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(e.Bytes), f.Close())
}

func (s *story) open() {
	s.t.Helper()
	if err := os.MkdirAll(s.config.DataDir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	var err error
	if s.app, err = app.Open(s.t.Context(), s.config); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) close() {
	s.t.Helper()
	if s.app == nil {
		return
	}
	if err := s.app.Close(); err != nil {
		s.t.Errorf("closing: %v", err)
	}
	s.app = nil
}

// Restart ends the program and starts it again on the same data folder.
func (s *story) Restart() {
	s.t.Helper()
	s.close()
	s.open()
}

// Write makes files below the story's folder, an hour old, so that nothing
// waits for them to rest.
func (s *story) Write(files map[string]string) {
	s.t.Helper()
	if s.docs == "" {
		s.docs = s.t.TempDir()
	}
	for name, text := range files {
		path := filepath.Join(s.docs, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			s.t.Fatal(err)
		}
	}
}

// AddFolder writes files, adds their folder and waits until they are read.
func (s *story) AddFolder(files map[string]string) {
	s.t.Helper()
	s.Write(files)
	s.Add(app.AddRequest{Paths: []string{s.docs}})
}

// Add adds what is there already and waits until it is read.
func (s *story) Add(req app.AddRequest) {
	s.t.Helper()
	result, err := s.app.Add(s.t.Context(), req)
	if err != nil || len(result.Problems) > 0 {
		s.t.Fatalf("adding: %v %+v", err, result.Problems)
	}
	s.Sync()
}

// Sync waits until the library is in step with the disk.
func (s *story) Sync() {
	s.t.Helper()
	if err := s.app.Sync(s.t.Context(), nil); err != nil {
		s.t.Fatal(err)
	}
}

// Path is where a file of the story lies.
func (s *story) Path(name string) string { return filepath.Join(s.docs, filepath.FromSlash(name)) }

// AskWith runs one turn and checks what is true of every turn.
func (s *story) AskWith(ctx context.Context, req app.AskRequest) (rag.Done, error) {
	s.t.Helper()
	s.events = nil
	s.err = s.app.Ask(ctx, req, func(e rag.Event) { s.events = append(s.events, e) })
	s.checkOrder()
	done, _ := last[rag.Done](s)
	if (s.err == nil) != (done.Answer != "") {
		s.t.Errorf("%q ended with %v and the answer %q", req.Question, s.err, done.Answer)
	}
	if done.Conversation != nil {
		s.conversation = done.Conversation
	}
	return done, s.err
}

// Ask begins a conversation with the engine of the settings.
func (s *story) Ask(question string) rag.Done {
	s.t.Helper()
	s.conversation = nil
	return s.FollowUp("", question)
}

// FollowUp goes on with the conversation under an engine.
func (s *story) FollowUp(engine, question string) rag.Done {
	s.t.Helper()
	done, err := s.AskWith(s.t.Context(), app.AskRequest{Question: question, Engine: engine, Conversation: s.conversation})
	if err != nil {
		s.t.Fatalf("asking %q: %v", question, err)
	}
	return done
}

// ExpectFails asks and expects a typed failure with a sentence.
func (s *story) ExpectFails(req app.AskRequest, code rag.Code) *rag.Error {
	s.t.Helper()
	_, err := s.AskWith(s.t.Context(), req)
	var known *rag.Error
	if !errors.As(err, &known) || known.Code != code {
		s.t.Fatalf("asking %q ended with %v, want %s", req.Question, err, code)
	}
	if !strings.HasSuffix(known.Error(), ".") && !strings.HasSuffix(known.Error(), "?") {
		s.t.Errorf("%q is no sentence", known.Error())
	}
	failed, ok := last[rag.Failed](s)
	if !ok || failed.Err.Code != code {
		s.t.Errorf("the last event is %+v, want the error %s", failed, code)
	}
	return known
}

// checkOrder: step*, prepared, retrieval, (reasoning | token | stats)*, then
// done or error; an error may come early.
func (s *story) checkOrder() {
	s.t.Helper()
	place := map[string]int{"step": 0, "prepared": 1, "retrieval": 2, "reasoning": 3, "token": 3, "stats": 3, "done": 4, "error": 4}
	at, ends := 0, 0
	var names []string
	for _, e := range s.events {
		name := e.EventName()
		names = append(names, name)
		if place[name] < at || (place[name] == at && at != 0 && at != 3) {
			s.t.Errorf("%s comes too late in %v", name, names)
		}
		at = place[name]
		if at == 4 {
			ends++
		}
	}
	if ends != 1 {
		s.t.Errorf("%d ends in %v", ends, names)
	}
	if slices.Contains(names, "done") && !slices.Contains(names, "retrieval") {
		s.t.Errorf("an answer without evidence: %v", names)
	}
}

// last returns the last event of a kind.
func last[E rag.Event](s *story) (E, bool) {
	for i := len(s.events) - 1; i >= 0; i-- {
		if e, ok := s.events[i].(E); ok {
			return e, true
		}
	}
	var none E
	return none, false
}

// Prepared is the event of the last turn.
func (s *story) Prepared() rag.Prepared {
	s.t.Helper()
	p, ok := last[rag.Prepared](s)
	if !ok {
		s.t.Fatal("nothing was prepared")
	}
	return p
}

// Hits are the packed passages of the last turn.
func (s *story) Hits() []rag.Hit {
	r, _ := last[rag.Retrieval](s)
	var out []rag.Hit
	for _, h := range r.Hits {
		if h.Packing == rag.Packed {
			out = append(out, h)
		}
	}
	return out
}
