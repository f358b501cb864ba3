package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/rag"
)

// otherEmbedder is a search model of the catalogue that is not the starter.
const otherEmbedder = "all-minilm-l6-v2-q8_0"

// twoSizes is a host whose search models give vectors of a length of their own,
// as real ones do: the starter's are long, the others' short.
type twoSizes struct{ *models }

func (h twoSizes) Embedder() (inference.Embedder, error) {
	e, err := h.Host.Embedder()
	return sized{e}, err
}

type sized struct{ inference.Embedder }

func (e sized) Info() inference.ModelInfo {
	i := e.Embedder.Info()
	i.Dimensions = 64
	if starter, ok := catalogue.Starter(inference.RoleEmbed); ok && i.Hash == starter.SHA256 {
		i.Dimensions = fake.DefaultDimensions
	}
	return i
}

func (e sized) Embed(ctx context.Context, kind inference.TextKind, texts []string, p inference.Priority) ([][]float32, error) {
	vectors, err := e.Embedder.Embed(ctx, kind, texts, p)
	for i := range vectors {
		vectors[i] = fake.Vector(texts[i], e.Info().Dimensions)
	}
	return vectors, err
}

// exchange is a story with a second search model.
type exchange struct {
	*story
	second []*models // hosts that build, in order
}

func twoEmbedders(dir string, second func() inference.Host) app.Config {
	config := hermetic(dir)
	other, ok := catalogue.ByID(otherEmbedder)
	if !ok {
		panic("the catalogue has no " + otherEmbedder)
	}
	path := filepath.Join(config.CacheDir, "models", other.File)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		panic(err)
	}
	if err := os.Truncate(path, other.Bytes); err != nil {
		panic(err)
	}
	config.Host, config.Second = twoSizes{&models{fake.New(fake.Config{})}}, second
	return config
}

// newExchange opens a program whose building host works by c.
func newExchange(t *testing.T, c fake.Config) *exchange {
	t.Helper()
	x := &exchange{story: &story{t: t}}
	x.config = twoEmbedders(t.TempDir(), func() inference.Host {
		m := &models{fake.New(c)}
		x.second = append(x.second, m)
		return twoSizes{m}
	})
	x.models = x.config.Host.(twoSizes).models
	x.open()
	t.Cleanup(func() { x.close() })
	return x
}

// fortyFiles is forty files with one fact each.
func fortyFiles() map[string]string {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("house%d.txt", i)] = fmt.Sprintf("House number %d belongs to the family of boatman %c. Its roof was mended in spring.\n", i, 'A'+i%26)
	}
	return files
}

// embeddedTexts counts the texts that a host has embedded as passages.
func embeddedTexts(m *models) int {
	n := 0
	for _, c := range m.Calls() {
		if c.Kind == "embed" && c.TextKind == inference.KindPassage {
			n += len(c.Texts)
		}
	}
	return n
}

// expectMeaning searches by meaning alone and expects a hit.
func (x *exchange) expectMeaning() {
	x.t.Helper()
	found, err := x.app.Search(x.t.Context(), app.AskRequest{Question: "Whose house is number 7?", Retriever: "dense", NoStore: true})
	if err != nil || len(found.Hits) == 0 {
		x.t.Errorf("search by meaning: %v, %d hits", err, len(found.Hits))
	}
}

func (x *exchange) plan() app.EmbedPlan {
	x.t.Helper()
	plan, err := x.app.PlanEmbedder(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	return plan
}

func (x *exchange) choose(id string) {
	x.t.Helper()
	if err := x.app.SetSettings(x.t.Context(), map[string]string{"model.embed": id}); err != nil {
		x.t.Fatal(err)
	}
	x.Sync()
}

// R059: a change of the search model starts nothing; its cost is shown, and it
// begins when a person says so.
func TestR059_AChangedSearchModelStartsNothingByItself(t *testing.T) {
	x := newExchange(t, fake.Config{})
	x.AddFolder(fortyFiles())
	if plan := x.plan(); plan.To != "" || plan.From == "" {
		t.Errorf("nothing was changed, and the plan is %+v", plan)
	}
	before := embeddedTexts(x.models)
	x.choose(otherEmbedder)
	x.expectMeaning()
	x.Restart()
	x.Sync()
	x.expectMeaning()
	if n := embeddedTexts(x.models); n != before || len(x.second) > 0 {
		t.Errorf("%d texts were embedded by the old model, %d hosts were made", n-before, len(x.second))
	}
	plan := x.plan()
	if plan.To == "" || plan.Passages != before || plan.Done != 0 || plan.Building || plan.Seconds <= 0 || !strings.HasSuffix(string(plan.Sentence), ".") {
		t.Errorf("the cost is shown as %+v", plan)
	}
	x.choose("auto")
	if plan := x.plan(); plan.To != "" {
		t.Errorf("the change was taken back, and the plan is %+v", plan)
	}
}

// R061: the old index serves until the new one is complete, and nothing else is
// done again.
func TestR061_TheOldIndexServesUntilTheNewOneIsComplete(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	x := newExchange(t, fake.Config{Step: func(ctx context.Context, s fake.Step) error {
		if s.Phase == fake.PhaseEmbed {
			once.Do(func() { close(begun) })
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}})
	x.AddFolder(fortyFiles())
	done := x.Ask("Whose house is number 7?")
	x.choose(otherEmbedder)
	built := make(chan error, 1)
	go func() { built <- x.app.BuildEmbedder(context.WithoutCancel(t.Context()), nil) }()
	<-begun
	x.expectMeaning()
	if plan := x.plan(); !plan.Building {
		t.Errorf("while it is built: %+v", plan)
	}
	if err := x.app.BuildEmbedder(t.Context(), nil); err == nil || !strings.HasSuffix(err.Error(), ".") {
		t.Errorf("a second build: %v", err)
	}
	// A file that comes meanwhile is found by the old index, and gets into the new.
	x.Write(map[string]string{"late.txt": "The lighthouse keeper repairs clocks on Tuesdays.\n"})
	x.Sync()
	close(goOn)
	if err := <-built; err != nil {
		t.Fatal(err)
	}
	x.Sync()
	x.expectMeaning()
	status, err := x.app.Status(t.Context())
	if err != nil || status.Index.VectorsDone != status.Index.VectorsTotal || status.Index.VectorsTotal != 41 {
		t.Errorf("in the end %+v, %v", status.Index, err)
	}
	if string(status.Embed.ID) != otherEmbedder {
		t.Errorf("the search model is %q", status.Embed.ID)
	}
	if plan := x.plan(); plan.To != "" {
		t.Errorf("in the end the plan is %+v", plan)
	}
	x.Restart()
	x.Sync()
	x.expectMeaning()
	if done.Conversation == nil {
		t.Fatal("the first turn was not stored")
	}
	if _, err := x.app.Conversation(t.Context(), *done.Conversation); err != nil {
		t.Errorf("the conversation is gone: %v", err)
	}
}

func TestStory_AStoppedOrFailedBuildKeepsWhatIsMade(t *testing.T) {
	fails := errors.New("the new model fails")
	limit, n := 20, 0
	x := newExchange(t, fake.Config{Step: func(_ context.Context, s fake.Step) error {
		if s.Phase == fake.PhaseEmbed {
			if n++; n > limit {
				return fails
			}
		}
		return nil
	}})
	x.AddFolder(fortyFiles())
	x.choose(otherEmbedder)
	if err := x.app.BuildEmbedder(t.Context(), nil); err == nil || !strings.HasSuffix(err.Error(), ".") {
		t.Fatalf("a model that fails: %v", err)
	}
	x.expectMeaning()
	plan := x.plan()
	if plan.Done != 16 || plan.Building || !strings.Contains(string(plan.Sentence), "was not finished") {
		t.Errorf("after the failure: %+v", plan)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := x.app.BuildEmbedder(stopped, nil); err == nil {
		t.Error("a build that is stopped at once has succeeded")
	}
	limit = 1 << 30
	if err := x.app.BuildEmbedder(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := embeddedTexts(x.second[len(x.second)-1]); got != 40-16 {
		t.Errorf("the last build embedded %d texts, want those that were missing", got)
	}
	x.expectMeaning()
}

// buildingFolder names the folder of the program that
// TestStory_ABuildThatIsKilledGoesOn kills.
const buildingFolder = "REFERENT_TEST_BUILDING"

func init() {
	roles["building"] = func() int {
		n, never := 0, make(chan struct{})
		config := twoEmbedders(os.Getenv(buildingFolder), func() inference.Host {
			return twoSizes{&models{fake.New(fake.Config{Step: func(_ context.Context, s fake.Step) error {
				if s.Phase == fake.PhaseEmbed {
					if n++; n == 33 {
						fmt.Println("killme")
						<-never
					}
				}
				return nil
			}})}}
		})
		program, err := app.Open(context.Background(), config)
		if err == nil {
			err = program.BuildEmbedder(context.Background(), nil)
		}
		fmt.Println(err)
		return 1
	}
}

// A program that is killed while it builds begins with the old index, keeps what
// was made, and goes on in its window without being told again.
func TestStory_ABuildThatIsKilledGoesOn(t *testing.T) {
	x := newExchange(t, fake.Config{})
	dir := filepath.Dir(x.config.DataDir)
	x.AddFolder(fortyFiles())
	x.choose(otherEmbedder)
	x.close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--role=building")
	cmd.Env = append(os.Environ(), buildingFolder+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if said = append(said, lines.Text()); lines.Text() == "killme" {
			_ = cmd.Process.Kill() // it waits for ever
		}
	}
	_ = cmd.Wait() // killed
	if !slices.Contains(said, "killme") {
		t.Fatalf("the program said %q", said)
	}
	x.open()
	x.expectMeaning()
	if plan := x.plan(); plan.Done != 32 || plan.To == "" {
		t.Errorf("after the kill: %+v", plan)
	}
	x.close()
	x.config.Window = true
	x.open()
	x.Eventually("the new index to be taken over", time.Minute, func() bool {
		plan, err := x.app.PlanEmbedder(t.Context())
		return err == nil && plan.To == ""
	})
	if got := embeddedTexts(x.second[0]); got != 40-32 {
		t.Errorf("the window embedded %d texts, want those that were missing", got)
	}
	x.Sync()
	x.expectMeaning()
}

// R081: a question can be stopped wherever it is.
func TestR081_CancelIsHonouredInEveryStage(t *testing.T) {
	for name, at := range map[string]fake.Step{
		"the rewrite is read":    {Phase: fake.PhasePrefill, Role: inference.RoleCondense},
		"the rewrite is written": {Phase: fake.PhaseDecode, Role: inference.RoleCondense},
		"the search":             {Phase: fake.PhaseEmbed, Role: inference.RoleEmbed},
		"the answer is read":     {Phase: fake.PhasePrefill, Role: inference.RoleAnswer},
		"the answer is written":  {Phase: fake.PhaseDecode, Role: inference.RoleAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			armed, reached := false, make(chan struct{}, 100)
			s := newStory(t, fake.Config{Step: func(ctx context.Context, step fake.Step) error {
				mu.Lock()
				stop := armed && step.Phase == at.Phase && step.Role == at.Role
				mu.Unlock()
				if stop {
					reached <- struct{}{}
					<-ctx.Done() // a model that never comes back by itself
				}
				return ctx.Err()
			}})
			s.AddFolder(map[string]string{"a.txt": "Rosa Lang keeps the keys of the boathouse.\n"})
			first := s.Ask("Who keeps the keys of the boathouse?")
			mu.Lock()
			armed = true
			mu.Unlock()
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-reached
				cancel()
			}()
			_, err := s.AskWith(ctx, app.AskRequest{Question: "And where does she keep them?", Engine: "condense_context", Conversation: first.Conversation})
			var known *rag.Error
			if !errors.As(err, &known) || known.Code != rag.CodeCancelled {
				t.Errorf("ended with %v", err)
			}
		})
	}
}
