package worker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/conformance"
	"referent/inference/fake"
)

func TestConformance(t *testing.T) {
	models, _ := conformance.Fake()
	models.Cycles = 5
	conformance.Run(t, func(t *testing.T) inference.Host {
		return newDriver(t, nil).Host
	}, models)
}

func TestAnAnswerGoesOnOnceAfterEveryDeath(t *testing.T) {
	for _, c := range []struct {
		manner string
		why    class
	}{
		{"kill", classKilled}, {"assert", classAssertion}, {"memory", classMemory}, {"device", classDevice},
		{"exception", classException}, {"panic", classCrash}, {"garbage", classGarbage}, {"exit", classUnknown}, {"hang", classHang},
	} {
		t.Run(c.manner, func(t *testing.T) {
			d := newDriver(t, func(cfg *Config) {
				if c.manner == "hang" {
					cfg.HangAfter = 300 * time.Millisecond
				}
			})
			d.load(chatSpec())
			res, streamed, err := d.tell("do " + c.manner + " after 17 times 1")
			if err != nil {
				t.Fatal(err)
			}
			if res.Text != story || streamed != story {
				t.Errorf("the answer is %q, streamed %q", res.Text, streamed)
			}
			if !res.Continued {
				t.Error("the answer is not marked as continued")
			}
			if told := d.told(); !strings.Contains(told, string(c.why)) || strings.Contains(told, "Rossi") {
				t.Errorf("told %q, want the reason %q", told, c.why)
			}
			want := []EventKind{EventDied, EventRestarted}
			if c.manner == "memory" {
				want = []EventKind{EventDied, EventLowered, EventRestarted}
			}
			expectEvents(t, d, want...)
			d.expectStory()
		})
	}
}

func TestASecondDeathEndsTheAnswerWithWhatThereIs(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	// Behind the first token, twice: the second worker writes its first token
	// behind the text of the first.
	res, streamed, err := d.tell("do kill after 3 times 2")
	d.expectDied(err, "ended from outside. The answer could not be finished.")
	if res.Text != streamed || !strings.HasPrefix(story, res.Text) || !res.Continued || res.Stop != inference.StopCancelled {
		t.Errorf("left is %+v, streamed %q", res, streamed)
	}
	d.expectStory()
}

func TestTheTokenLimitHoldsOverADeath(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.Generate(d.ctx, inference.GenerateRequest{Completion: "do kill after 10 times 1", MaxTokens: 20}, nil)
	if err != nil || res.Stop != inference.StopLength || res.CompletionTokens != 20 {
		t.Fatalf("got %d tokens, stop %q, %v; want 20 and length", res.CompletionTokens, res.Stop, err)
	}
	if want := strings.Join(fake.Tokens(story)[:20], ""); res.Text != want {
		t.Errorf("got %q, want %q", res.Text, want)
	}
}

func TestVectorsAreMadeAgainAfterADeath(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec(), embedSpec())
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Embed(d.ctx, inference.KindPassage, []string{"do assert after 0 times 1", "boiler"}, inference.PriorityIndexing)
	if err != nil || len(v) != 2 {
		t.Fatalf("%d vectors, %v", len(v), err)
	}
	d.expectStory() // the chat model came back as well
}

// Texts for an index that kill the worker, several or one, never put the model
// aside, even where it was about to be. A text that somebody waits for does, until
// a person lets it try once more.
func TestTextsForAnIndexParkNothing(t *testing.T) {
	d := newDriver(t, nil)
	d.load(embedSpec())
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	embed := func(priority inference.Priority, texts ...string) error {
		_, err := e.Embed(d.ctx, inference.KindPassage, texts, priority)
		return err
	}
	if err := embed(inference.PriorityInteractive, "do exit after 1 times 1"); err != nil {
		t.Fatal(err)
	}
	for _, texts := range [][]string{{"do exit after 0 times 99", "boiler"}, {"do exit after 0 times 99"}} {
		err := embed(inference.PriorityIndexing, texts...)
		d.expectDied(err, "The model worker ended twice")
		if errors.Is(err, inference.ErrParked) || d.Parked()[inference.RoleEmbed] != "" {
			t.Fatalf("parked by %q: %v", texts, err)
		}
		if err := embed(inference.PriorityIndexing, "boiler"); err != nil {
			t.Errorf("the next text is not embedded: %v", err)
		}
	}
	d.advance(6 * time.Minute)
	d.expectDied(embed(inference.PriorityInteractive, "do exit after 0 times 99"), "Embed ended the model worker 2 times within 5 minutes and was put aside.")
	if err := embed(inference.PriorityIndexing, "boiler"); !errors.Is(err, inference.ErrParked) {
		t.Errorf("got %v of a model that was put aside", err)
	}
	d.load(embedSpec())
	if err := embed(inference.PriorityIndexing, "boiler"); err != nil {
		t.Errorf("not embedded after it was loaded again: %v", err)
	}
}

func TestAModelThatKeepsDyingIsParked(t *testing.T) {
	d := newDriver(t, nil)
	chat := chatSpec()
	chat.GPULayers = 0 // nothing but the model can be at fault
	d.load(chat, embedSpec())
	_, _, err := d.tell("do assert after 1 times 9") // an answer costs two workers
	d.expectDied(err, "the inference library found an internal error")
	if told := d.told(); !strings.Contains(told, "Chat ended the model worker 2 times within 5 minutes and was put aside. The last time, the inference library found an internal error.") {
		t.Errorf("told %q", told)
	}
	_, _, err = d.tell("do nothing after 0 times 0")
	d.expectDied(err, "Load it again to try once more")
	if d.Parked()[inference.RoleAnswer] == "" || d.Parked()[inference.RoleEmbed] != "" {
		t.Errorf("parked are %v", d.Parked())
	}
	if len(d.Loaded()) != 1 {
		t.Errorf("%d models count as loaded, want the embedder", len(d.Loaded()))
	}
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(d.ctx, inference.KindQuery, []string{"boiler"}, inference.PriorityInteractive); err != nil {
		t.Errorf("the other model suffers: %v", err)
	}
	d.load(chat) // by hand: a new chance
	d.expectStory()
}

// On a device the driver may be at fault: the model goes to the processor first.
func TestAModelThatDiesOnADeviceGoesToTheProcessor(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	for range 2 {
		_, _, err := d.tell("do assert after 1 times 9")
		d.expectDied(err, "")
	}
	var layers []int
	for _, n := range d.loads() {
		layers = append(layers, n.Spec.GPULayers)
	}
	if !slices.Equal(layers, []int{-1, -1, 0, 0}) {
		t.Errorf("loaded with the layers %v", layers)
	}
	_, _, err := d.tell("do nothing after 0 times 0")
	d.expectDied(err, "Chat ended the model worker 4 times")
}

func TestDeathsFarApartDoNotPark(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	for n := range 6 {
		res, _, err := d.tell("do kill after " + string(rune('1'+n)) + " times 1")
		if err != nil || res.Text != story {
			t.Fatalf("death %d: %q, %v", n, res.Text, err)
		}
		d.advance(6 * time.Minute)
	}
	if notes := d.loads(); notes[len(notes)-1].Spec.UBatch != 0 {
		t.Error("deaths that are far apart lowered the model")
	}
}

func TestADeathWhileNothingIsAskedIsRepairedWithTheNextRequest(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	s := d.current
	d.kill()
	<-s.dead
	if d.PID() != 0 {
		t.Error("a dead worker has a process id")
	}
	d.expectStory()
	expectEvents(t, d, EventDied, EventRestarted)
}

func TestACancelDoesNotWaitForAStuckWorker(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	stuck := make(chan struct{})
	d.gate(func(phase byte) bool {
		if phase == 'd' {
			close(stuck)
			return false
		}
		return true
	})
	if err := d.Restart(d.ctx); err != nil { // the next worker finds the gate
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(d.ctx)
	defer cancel()
	go func() { <-stuck; cancel() }()
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	_, err = g.Generate(ctx, inference.GenerateRequest{Completion: "do nothing after 0 times 0"}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if took := time.Since(started); took > 10*cancelGrace {
		t.Errorf("the cancel took %v", took)
	}
}
