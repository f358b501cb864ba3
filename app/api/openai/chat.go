package openai

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// extra is the field "referent" of a reply.
type extra struct {
	Prepared    rag.Prepared    `json:"prepared"`
	Answer      string          `json:"answer"`
	Citations   []rag.Citation  `json:"citations"`
	Sources     []rag.Source    `json:"sources"`
	AnswerCheck rag.AnswerCheck `json:"answer_check"`
	Notes       []string        `json:"notes"`
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func usageOf(u rag.Usage) *usage {
	return &usage{u.PromptTokens, u.CompletionTokens, u.PromptTokens + u.CompletionTokens}
}

// reply is a whole completion.
type reply struct {
	ID       string   `json:"id"`
	Object   string   `json:"object"`
	Created  int64    `json:"created"`
	Model    string   `json:"model"`
	Choices  []choice `json:"choices"`
	Usage    *usage   `json:"usage"`
	Referent extra    `json:"referent"`
}

type choice struct {
	Index        int          `json:"index"`
	Message      replyMessage `json:"message"`
	FinishReason string       `json:"finish_reason"`
	Logprobs     *struct{}    `json:"logprobs"` // always null
}

type replyMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// turn is a question on its way, and what it gave.
type turn struct {
	request  chatRequest
	ask      public.Ask
	notes    []string
	id       string
	created  int64
	prepared rag.Prepared
	done     rag.Done
}

func (t *turn) extra() extra {
	return extra{Prepared: t.prepared, Answer: t.done.Answer, Citations: append([]rag.Citation{}, t.done.Citations...), Sources: append([]rag.Source{}, t.done.Sources...),
		AnswerCheck: t.done.AnswerCheck, Notes: append([]string{}, t.notes...)}
}

// appended is the text below the answer, or nothing where the caller wants none.
func (t *turn) appended() string {
	if as := t.request.Referent.SourcesAsText; as != nil && !*as {
		return ""
	}
	return appended(t.prepared, t.done)
}

// chat answers POST /v1/chat/completions.
func (f *front) chat(w http.ResponseWriter, r *http.Request) {
	var raw json.RawMessage
	visit, ok := f.begin(w, r, &raw)
	if !ok {
		return
	}
	now := time.Now()
	t := turn{id: "chatcmpl-" + strconv.FormatInt(now.UnixNano(), 36), created: now.Unix()}
	var given map[string]json.RawMessage
	err := json.Unmarshal(raw, &t.request)
	if err == nil {
		err = json.Unmarshal(raw, &given)
	}
	if err != nil {
		err = wire.Invalid("The body does not have the form of a chat completion.")
	} else {
		t.ask, t.notes, err = t.request.question(given)
	}
	if err != nil {
		f.fail(w, r, visit, err)
		return
	}
	if t.request.Stream {
		f.stream(w, r, visit, &t)
		return
	}
	err = f.view.Ask(r.Context(), visit, t.ask, func(e rag.Event) error {
		switch e := e.(type) {
		case rag.Prepared:
			t.prepared = e
		case rag.Done:
			t.done = e
		}
		return nil
	})
	f.finish(w, r, visit, reply{ID: t.id, Object: "chat.completion", Created: t.created, Model: t.request.Model, Usage: usageOf(t.done.Usage), Referent: t.extra(),
		Choices: []choice{{Message: replyMessage{Role: "assistant", Content: t.done.Answer + t.appended()}, FinishReason: "stop"}}}, err)
}

// chunk is a piece of a streamed completion.
type chunk struct {
	ID       string        `json:"id"`
	Object   string        `json:"object"`
	Created  int64         `json:"created"`
	Model    string        `json:"model"`
	Choices  []chunkChoice `json:"choices"`
	Usage    *usage        `json:"usage,omitempty"`
	Referent *extra        `json:"referent,omitempty"`
}

type chunkChoice struct {
	Index        int       `json:"index"`
	Delta        delta     `json:"delta"`
	FinishReason *string   `json:"finish_reason"`
	Logprobs     *struct{} `json:"logprobs"` // always null
}

type delta struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content,omitempty"`
}

// stream answers in chunks. A failure before the first one has a status; after
// that it is an error object, as the clients of OpenAI read it.
func (f *front) stream(w http.ResponseWriter, r *http.Request, visit *public.Visit, t *turn) {
	stream := wire.Stream{W: w}
	defer stream.Close()
	send := func(v any) error {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return stream.Send("", raw)
	}
	piece := func(d delta, finish *string) chunk {
		return chunk{ID: t.id, Object: "chat.completion.chunk", Created: t.created, Model: t.request.Model, Choices: []chunkChoice{{Delta: d, FinishReason: finish}}}
	}
	var shown strings.Builder
	say := func(text string) error {
		if text == "" {
			return nil
		}
		shown.WriteString(text)
		return send(piece(delta{Content: text}, nil))
	}
	err := f.view.Ask(r.Context(), visit, t.ask, func(e rag.Event) error {
		switch e := e.(type) {
		case rag.Prepared:
			t.prepared = e
		case rag.Retrieval:
			return send(piece(delta{Role: "assistant"}, nil))
		case rag.Token:
			return say(e.Text)
		case rag.Done:
			t.done = e
			return say(remaining(shown.String(), e.Answer))
		}
		return nil
	})
	if err == nil {
		if err = say(t.appended()); err == nil {
			stop := "stop"
			last := piece(delta{}, &stop)
			more := t.extra()
			last.Referent = &more
			err = send(last)
		}
		if err == nil && t.request.StreamOptions.IncludeUsage {
			counts := piece(delta{}, nil)
			counts.Choices, counts.Usage = []chunkChoice{}, usageOf(t.done.Usage)
			err = send(counts)
		}
		if err == nil {
			err = stream.Send("", []byte("[DONE]"))
		}
	}
	switch {
	case err == nil:
		f.view.Note(r.Context(), visit, nil)
	case !stream.Open():
		f.fail(w, r, visit, err)
	default:
		failure := wire.FailureOf(err)
		_ = send(ErrorBody(failure)) // a caller that is gone needs no answer
		f.view.Note(r.Context(), visit, failure)
	}
}

// remaining is what the stream has not shown of the authoritative answer. What
// was shown cannot be taken back, so another answer follows as a whole.
func remaining(shown, answer string) string {
	if rest, ok := strings.CutPrefix(answer, shown); ok {
		return rest
	}
	if strings.TrimSpace(shown) == strings.TrimSpace(answer) {
		return ""
	}
	return "\n\nAfter the check the answer reads:\n" + answer
}
