package main

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"referent/inference"
	"referent/inference/llama"
)

// The least shares of the C loop's speed.
const (
	leastDecode = 0.97
	leastEmbed  = 0.95
)

const (
	replyTokens = 64
	prefix      = "passage: "
)

func main() {
	rounds := flag.Int("rounds", 11, "rounds of each loop")
	flag.Parse()
	if err := run(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(rounds int) error {
	cache, err := cacheFolder()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "native")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	runtime := filepath.Join(cache, "runtime", "cpu")
	program, err := compile(work, runtime)
	if err != nil {
		return err
	}
	host, err := llama.New(llama.Config{RuntimeDir: runtime, Threads: 1})
	if err != nil {
		return err
	}
	defer host.Close()
	load, _ := os.ReadFile("/proc/loadavg") // only told
	fmt.Printf("against a loop in C: one thread, %d rounds by turns, medians; load of the machine %s\n", rounds, firstWords(string(load), 3))
	p := pair{host, program, runtime, rounds}
	decode, err := p.chat(filepath.Join(cache, "models", "smollm2-135m-instruct-q4_1.gguf"))
	if err != nil {
		return err
	}
	embed, err := p.embed(filepath.Join(cache, "models", "multilingual-e5-small-q4_0.gguf"))
	if err != nil {
		return err
	}
	if decode < leastDecode || embed < leastEmbed {
		return fmt.Errorf("below the promise of %.2f for written tokens and %.2f for embedded texts", leastDecode, leastEmbed)
	}
	return nil
}

func cacheFolder() (string, error) {
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "referent"), err
}

func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}

// pair runs both loops by turns.
type pair struct {
	host             *llama.Host
	program, runtime string
	rounds           int
}

// chat compares reading a prompt and writing a reply. It returns the share of
// written tokens a second of processor time.
func (p pair) chat(model string) (float64, error) {
	ctx := context.Background()
	text := ""
	for day := range 24 { // no words that come again and again: a reply that does so is cut
		text += fmt.Sprintf("On day %d the keeper of the lighthouse counted %d ships and %d birds. ", day+1, day*7%23+3, day*day%51+5)
	}
	text += "Then a storm came up, and in the night a stranger knocked at the door. The stranger"
	if _, err := p.host.Load(ctx, inference.LoadSpec{Roles: []inference.Role{inference.RoleAnswer}, Path: model, Context: 1024}, nil); err != nil {
		return 0, err
	}
	g, err := p.host.Generator(inference.RoleAnswer)
	if err != nil {
		return 0, err
	}
	c, err := start(p.program, p.runtime, model, "chat", replyTokens, text)
	if err != nil {
		return 0, err
	}
	defer c.close()
	var read, write comparison
	for range p.rounds {
		theirs, err := c.round()
		if err != nil || len(theirs) != 6 {
			return 0, fmt.Errorf("the C loop said %q: %v", theirs, err)
		}
		// Another prompt first: nothing of the last round may be left.
		if _, err := g.Generate(ctx, inference.GenerateRequest{Completion: "x", MaxTokens: 1}, nil); err != nil {
			return 0, err
		}
		began := now()
		var first mark
		res, err := g.Generate(ctx, inference.GenerateRequest{Completion: text, MaxTokens: replyTokens}, func(inference.Piece) error {
			if first.wall.IsZero() {
				first = now()
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		ended := now()
		if words, err := hex.DecodeString(theirs[5]); err != nil || res.Text != string(words) || strconv.Itoa(res.PromptTokens) != theirs[0] {
			return 0, fmt.Errorf("the loops wrote different words: %q after %d tokens, in C %q after %s (%v)", res.Text, res.PromptTokens, words, theirs[0], err)
		}
		read.add(first.since(began), theirs[1], theirs[2])
		write.add(ended.since(first), theirs[3], theirs[4])
		read.units, write.units = float64(res.PromptTokens), replyTokens-1
	}
	read.print("prompt read", "tokens/s")
	return write.print("reply written", "tokens/s"), nil
}

// embed compares texts of about 200 tokens.
func (p pair) embed(model string) (float64, error) {
	ctx := context.Background()
	var texts []string
	for i := range 16 {
		texts = append(texts, fmt.Sprintf("Minutes %d. ", i+1)+strings.Repeat("The board meets in March and in October. ", 22))
	}
	profile := inference.Profile{QueryPrefix: "query: ", PassagePrefix: prefix, Pooling: "mean", Normalize: inference.NormalizeNFKC}
	if _, err := p.host.Load(ctx, inference.LoadSpec{Roles: []inference.Role{inference.RoleEmbed}, Path: model, Profile: profile}, nil); err != nil {
		return 0, err
	}
	m, err := p.host.Embedder()
	if err != nil {
		return 0, err
	}
	lines := ""
	for _, t := range texts {
		lines += prefix + strings.TrimSpace(t) + "\n"
	}
	c, err := start(p.program, p.runtime, model, "embed", 0, lines)
	if err != nil {
		return 0, err
	}
	defer c.close()
	var all comparison
	for range p.rounds {
		theirs, err := c.round()
		if err != nil || len(theirs) < 4 {
			return 0, fmt.Errorf("the C loop said %q: %v", theirs, err)
		}
		began := now()
		vectors, err := m.Embed(ctx, inference.KindPassage, texts, inference.PriorityIndexing)
		if err != nil {
			return 0, err
		}
		took := now().since(began)
		if cosine := dot(vectors[len(vectors)-1], theirs[3:]); cosine < 0.99999 {
			return 0, fmt.Errorf("the loops made different vectors: cosine %f", cosine)
		}
		all.add(took, theirs[1], theirs[2])
		all.units = float64(len(texts))
	}
	return all.print("texts embedded", "texts/s"), nil
}

func dot(v []float32, words []string) float64 {
	if len(v) != len(words) {
		return 0
	}
	var sum float64
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return 0
		}
		sum += x * float64(v[i])
	}
	return sum
}

// mark is a moment, in time and in processor time of this process.
type mark struct {
	wall time.Time
	cpu  time.Duration
}

func now() mark {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for a wrong argument only
	return mark{time.Now(), time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}

// span is how long something took, in seconds.
type span struct{ cpu, wall float64 }

func (m mark) since(o mark) span {
	return span{(m.cpu - o.cpu).Seconds(), m.wall.Sub(o.wall).Seconds()}
}

// comparison holds the rounds of one kind of work.
type comparison struct {
	units        float64 // of work in a round
	ours, theirs []span
}

func (c *comparison) add(ours span, cpu, wall string) {
	var s span
	s.cpu, _ = strconv.ParseFloat(cpu, 64) // nonsense gives a share of nothing
	s.wall, _ = strconv.ParseFloat(wall, 64)
	c.ours, c.theirs = append(c.ours, ours), append(c.theirs, s)
}

// print tells the speeds and returns the share of processor time: the median
// over the rounds, each compared with the round in C beside it.
func (c *comparison) print(what, unit string) float64 {
	var ours, theirs, cpu, wall []float64
	for i, o := range c.ours {
		t := c.theirs[i]
		ours, theirs = append(ours, c.units/o.cpu), append(theirs, c.units/t.cpu)
		cpu, wall = append(cpu, t.cpu/o.cpu), append(wall, t.wall/o.wall)
	}
	share := median(cpu)
	fmt.Printf("  %-15s %8.1f %-8s in C %8.1f   share %.3f (%.3f to %.3f; of elapsed time %.3f)\n",
		what, median(ours), unit, median(theirs), share, slices.Min(cpu), slices.Max(cpu), median(wall))
	return share
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if len(v) == 0 {
		return math.NaN()
	}
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
