package conformance

import (
	"context"
	"strings"
	"testing"
	"time"

	"referent/inference"
)

// Models names what the suite loads. Roles of the specifications are set by the
// suite.
type Models struct {
	// Chat writes text; it is loaded for answer and condense. Its context must
	// be at least 512 tokens; a small one keeps the overflow test quick.
	Chat inference.LoadSpec
	// Embed makes vectors and is loaded beside Chat.
	Embed inference.LoadSpec
	// Rerank judges passages; without a path the role is not tested.
	Rerank inference.LoadSpec
	// Scripted are replies that are known in advance.
	Scripted []Scripted
	// References are texts whose vectors are known from elsewhere.
	References References
	// Cycles is how often a model is loaded and unloaded; 0: 3.
	Cycles int
	// Device is where the layers of a load that asks for some must be; empty:
	// not compared.
	Device string
	// Elsewhere: the models run on a server, which tells nothing of its threads
	// and promises nothing about its cache.
	Elsewhere bool
}

// Scripted is a request whose reply is known.
type Scripted struct {
	Name    string
	Spec    inference.LoadSpec // loaded for the answer role; no path: Models.Chat
	Request inference.GenerateRequest
	// What must come out.
	Text      string
	Reasoning string
	Stop      inference.StopReason // empty: not compared
}

// References are vectors that were not computed by the implementation.
type References struct {
	Spec    inference.LoadSpec // loaded for the embed role; no path: not tested
	Texts   []string
	Vectors [][]float32
}

// limit guards every test against a hang; it is no promise of speed.
const limit = 5 * time.Minute

// Run runs the suite on one host, which newHost returns with nothing loaded: a
// device that makes its programs anew for each process does so once. Whatever
// was loaded before, a load must give the same. The suite closes the host.
func Run(t *testing.T, newHost func(t *testing.T) inference.Host, m Models) {
	m.Chat.Roles = []inference.Role{inference.RoleAnswer, inference.RoleCondense}
	m.Embed.Roles = []inference.Role{inference.RoleEmbed}
	m.Rerank.Roles = []inference.Role{inference.RoleRerank}

	s := open(t, newHost, m.Device)
	t.Run("Empty", func(t *testing.T) { empty(s.in(t)) })
	known(t, s, m)
	t.Run("Loaded", func(t *testing.T) {
		in := s.in(t)
		in.load(m.Chat)
		in.load(m.Embed)
		if m.Rerank.Path != "" {
			in.load(m.Rerank)
		}
		for _, test := range []struct {
			name string
			run  func(*suite)
		}{
			{"Info", func(s *suite) { info(s, m) }},
			{"Stream", func(s *suite) { stream(s, m) }}, {"Prefill", prefill}, {"Length", length}, {"Stop", stop}, {"HostileText", hostile}, {"Grammar", held},
			{"CancelledBefore", cancelledBefore}, {"CancelInPrefill", cancelInPrefill}, {"CancelInDecode", cancelInDecode}, {"StoppedByCaller", stoppedByCaller},
			{"Seed", seed}, {"FixedCut", func(s *suite) { fixedCut(s, m) }}, {"PrefixReuse", func(s *suite) { prefixReuse(s, m) }}, {"Overflow", overflow},
			{"Vectors", vectors}, {"VectorBatch", vectorBatch}, {"VectorOrder", vectorOrder}, {"OddTexts", oddTexts}, {"CountTokens", countTokens},
			{"TwoAtOnce", twoAtOnce},
		} {
			t.Run(test.name, func(t *testing.T) { test.run(s.in(t)) })
		}
		if m.Rerank.Path != "" {
			t.Run("Rerank", func(t *testing.T) { rerank(s.in(t)) })
		}
	})
	t.Run("Cycles", func(t *testing.T) { cycles(s.in(t), m) })
	t.Run("Replace", func(t *testing.T) { replace(s.in(t), m) })
}

// known compares with what was known before.
func known(t *testing.T, s *suite, m Models) {
	if m.References.Spec.Path != "" {
		t.Run("ReferenceVectors", func(t *testing.T) { references(s.in(t), m.References) })
	}
	for _, script := range m.Scripted {
		t.Run("Scripted/"+script.Name, func(t *testing.T) {
			if script.Spec.Path == "" {
				script.Spec = m.Chat
			}
			scripted(s.in(t), script)
		})
	}
}

// suite is a host under test with the verbs that the tests share.
type suite struct {
	*testing.T
	host   inference.Host
	device string // see Models
	ctx    context.Context
}

func open(t *testing.T, newHost func(t *testing.T) inference.Host, device string) *suite {
	t.Helper()
	h := newHost(t)
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return (&suite{host: h, device: device}).in(t)
}

func (s *suite) in(t *testing.T) *suite {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return &suite{t, s.host, s.device, ctx}
}

func (s *suite) load(spec inference.LoadSpec) inference.ModelInfo {
	s.Helper()
	info, err := s.host.Load(s.ctx, spec, nil)
	if err != nil {
		s.Fatalf("load %s: %v", spec.Path, err)
	}
	if n := spec.GPULayers; s.device != "" && n > 0 && (info.Device != s.device || info.GPULayers != n || info.Layers <= n) {
		s.Errorf("%s was to have %d layers on %s, and some not: %+v", spec.Path, n, s.device, info)
	}
	return info
}

func (s *suite) generator() inference.Generator {
	s.Helper()
	g, err := s.host.Generator(inference.RoleAnswer)
	if err != nil {
		s.Fatal(err)
	}
	return g
}

// generate runs a request that must succeed and returns its pieces too.
func (s *suite) generate(req inference.GenerateRequest) (inference.GenerateResult, []inference.Piece) {
	s.Helper()
	var pieces []inference.Piece
	res, err := s.generator().Generate(s.ctx, req, func(p inference.Piece) error {
		pieces = append(pieces, p)
		return nil
	})
	if err != nil {
		s.Fatalf("generate: %v", err)
	}
	s.checkStream(res, pieces)
	return res, pieces
}

// long repeats a text until it has about so many tokens of the role's model, and
// never fewer: where a word is cut into letters, a few sentences are many.
func (s *suite) long(role inference.Role, text string, tokens int) string {
	s.Helper()
	t, err := s.host.Tokenizer(role)
	if err != nil {
		s.Fatal(err)
	}
	n, err := t.CountTokens(s.ctx, []string{strings.Repeat(text, 16)})
	if err != nil || n[0] == 0 {
		s.Fatalf("%d tokens in %q, %v", n, text, err)
	}
	return strings.Repeat(text, (16*tokens+n[0]-1)/n[0])
}

// chat is a request that any chat model answers with a few sentences.
func chat(maxTokens int) inference.GenerateRequest {
	return inference.GenerateRequest{MaxTokens: maxTokens, Messages: []inference.Message{
		{Role: "system", Text: "You are a helpful assistant."},
		{Role: "user", Text: "Write three sentences about the sea and the ships that sail on it."},
	}}
}
