package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/conformance"
	"referent/inference/fake"
	"referent/inference/outbound"
)

// server speaks the protocol in front of the fake model.
type server struct {
	*httptest.Server
	host *fake.Host
}

func newServer(t *testing.T) (*server, conformance.Models) {
	t.Helper()
	models, replies := conformance.Fake()
	s := &server{host: fake.New(fake.Config{Match: replies})}
	for _, role := range inference.Roles() {
		spec := models.Chat
		spec.Roles = []inference.Role{role}
		if _, err := s.host.Load(t.Context(), spec, nil); err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.generate)
	mux.HandleFunc("POST /v1/completions", s.generate)
	mux.HandleFunc("POST /v1/embeddings", s.embed)
	mux.HandleFunc("POST /v1/rerank", s.rerank)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	for _, spec := range []*inference.LoadSpec{&models.Chat, &models.Embed, &models.Rerank} {
		spec.Profile.ID = strings.Trim(spec.Path, "/.guf")
		spec.Path = s.URL + "/v1"
	}
	models.Elsewhere = true
	return s, models
}

func (s *server) generate(w http.ResponseWriter, r *http.Request) {
	var body chatRequest
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !body.Stream {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	req := inference.GenerateRequest{MaxTokens: body.MaxTokens, Temperature: body.Temperature, Seed: body.Seed}
	if body.Prompt != nil {
		req.Completion = *body.Prompt
	}
	for i, m := range body.Messages {
		if m.Role == "assistant" && i == len(body.Messages)-1 {
			req.Prefill = m.Content
			continue
		}
		req.Messages = append(req.Messages, inference.Message{Role: m.Role, Text: m.Content})
	}
	g, err := s.host.Generator(inference.RoleAnswer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(v any) error {
		text, err := json.Marshal(v)
		if err == nil {
			_, err = fmt.Fprintf(w, ": still here\r\ndata: %s\r\n\r\n", text)
		}
		_ = http.NewResponseController(w).Flush()
		return err
	}
	choice := func(delta map[string]any, finish any) map[string]any {
		if body.Prompt != nil && delta["reasoning_content"] == nil {
			return map[string]any{"choices": []any{map[string]any{"index": 0, "text": delta["content"], "finish_reason": finish}}}
		}
		return map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	res, err := g.Generate(r.Context(), req, func(p inference.Piece) error {
		if p.Reasoning {
			return send(choice(map[string]any{"reasoning_content": p.Text}, nil))
		}
		return send(choice(map[string]any{"content": p.Text}, nil))
	})
	if err != nil {
		return
	}
	finish := "stop"
	if res.Stop == inference.StopLength {
		finish = "length"
	}
	_ = send(choice(map[string]any{"content": ""}, finish))
	_ = send(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": res.PromptTokens, "completion_tokens": res.CompletionTokens}})
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

func (s *server) embed(w http.ResponseWriter, r *http.Request) {
	var body embedRequest
	e, err := s.host.Embedder()
	if json.NewDecoder(r.Body).Decode(&body) != nil || err != nil {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	vectors, err := e.Embed(r.Context(), inference.KindPassage, body.Input, inference.PriorityIndexing)
	if err != nil {
		return
	}
	var data []any
	for i := len(vectors) - 1; i >= 0; i-- { // the order is the index's business
		v := vectors[i]
		for k := range v {
			v[k] *= 3 // servers need not normalise
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func (s *server) rerank(w http.ResponseWriter, r *http.Request) {
	var body rerankRequest
	m, err := s.host.Reranker()
	if json.NewDecoder(r.Body).Decode(&body) != nil || err != nil {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	scores, err := m.Rerank(r.Context(), body.Query, body.Documents)
	if err != nil {
		return
	}
	var results []any
	for i := len(scores) - 1; i >= 0; i-- {
		results = append(results, map[string]any{"index": i, "relevance_score": scores[i]})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

func client() *http.Client { return outbound.New(nil).Client("remote") }

func TestConformance(t *testing.T) {
	_, models := newServer(t)
	conformance.Run(t, func(*testing.T) inference.Host { return New(Config{Client: client()}) }, models)
}

// Beside a host on this computer the whole suite holds for either place.
func TestConformance_Beside(t *testing.T) {
	_, models := newServer(t)
	models.Scripted, models.Cycles = nil, 2
	conformance.Run(t, func(*testing.T) inference.Host {
		return Beside(fake.New(fake.Config{}), New(Config{Client: client()}))
	}, models)
	here, replies := conformance.Fake()
	conformance.Run(t, func(*testing.T) inference.Host {
		return Beside(fake.New(fake.Config{Match: replies}), New(Config{Client: client()}))
	}, here)
}
