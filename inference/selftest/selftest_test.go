package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/process"
)

func TestMain(m *testing.M) { process.TestMain(m, map[string]func() int{Role: child}) }

// manner chooses what the child of a test does.
const manner = "REFERENT_TEST_MANNER"

// child is a backend that computes right, or fails in one way.
func child() int {
	args := process.Args()
	for _, name := range []string{ChatFile, EmbedFile} {
		if _, err := os.Stat(filepath.Join(args[1], name)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 3
		}
	}
	r := Result{Device: "Card0", Layers: 5, Text: text}
	for _, t := range Texts {
		v, err := embedder.Vector(strings.Fields(t)...)
		if err != nil {
			return 3
		}
		r.Vectors = append(r.Vectors, v)
	}
	kind := FrameResult
	switch os.Getenv(manner) {
	case "other text":
		r.Text = strings.Repeat("@", 40)
	case "other vector":
		r.Vectors[1][3] += 0.2
	case "no vector":
		r.Vectors[2] = make([]float32, len(r.Vectors[2]))
	case "few vectors":
		r.Vectors = r.Vectors[:1]
	case "processor":
		r.Device, r.Layers = "CPU", 0
	case "dies":
		fmt.Fprintln(os.Stderr, "vk::Device::waitForFences: ErrorDeviceLost")
		panic("as a driver does")
	case "garbage":
		kind = 'x'
	case "hangs":
		never := make(chan os.Signal, 1)
		signal.Notify(never, os.Interrupt)
		fmt.Println("here")
		<-never
	}
	b, err := json.Marshal(r)
	if err != nil || process.NewPipe(process.Stdio()).Send(kind, b) != nil {
		return 3
	}
	return 0
}

// A backend that computes something else, or ends over it, is refused with a
// sentence; one that computes right is taken.
func TestRun_RefusesWhatDoesNotComputeRight(t *testing.T) {
	for _, c := range []struct{ manner, says string }{
		{"right", ""},
		{"other text", "wrote another text than it must"},
		{"other vector", "a vector is another one"},
		{"no vector", "a vector is another one"},
		{"few vectors", "vectors are missing"},
		{"processor", "no layer of a small model got onto the graphics processor"},
		{"dies", "ended while they computed"},
		{"garbage", "ended while they computed"},
	} {
		t.Run(c.manner, func(t *testing.T) {
			temporary := t.TempDir()
			t.Setenv("TMPDIR", temporary)
			r, err := Run(t.Context(), t.TempDir(), true, manner+"="+c.manner)
			if c.says == "" {
				if err != nil || r.Device != "Card0" {
					t.Errorf("%+v, %v", r, err)
				}
			} else {
				var e *inference.Error
				if !errors.Is(err, inference.ErrNoRuntime) || !errors.As(err, &e) || !strings.Contains(e.Message, c.says) {
					t.Errorf("got %v, want %q", err, c.says)
				}
			}
			if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	if r, err := Run(t.Context(), t.TempDir(), false, manner+"=processor"); err != nil {
		t.Errorf("without a graphics processor: %+v, %v", r, err)
	}
}

func TestRun_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, t.TempDir(), true, manner+"=hangs"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A reference that no wrong vector could miss would prove nothing.
func TestJudge_TellsNumbersThatAreNone(t *testing.T) {
	r := Result{Layers: 1, Text: text}
	for range Texts {
		r.Vectors = append(r.Vectors, []float32{float32(math.NaN())})
	}
	if judge(r, true) == nil {
		t.Error("NaN was taken for a vector")
	}
}
