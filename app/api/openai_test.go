package api

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// chat is a completion of messages given as role and text.
func chat(more map[string]any, pairs ...string) map[string]any {
	messages := []any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		messages = append(messages, map[string]any{"role": pairs[i], "content": pairs[i+1]})
	}
	body := map[string]any{"model": "referent", "messages": messages}
	for k, v := range more {
		body[k] = v
	}
	return body
}

// completion is what clients read of a reply.
type completion struct {
	Object  string
	Choices []struct {
		Message struct{ Role, Content string }
		Delta   struct{ Role, Content string }
		Finish  *string `json:"finish_reason"`
	}
	Usage    *struct{ Prompt, Completion, Total int }
	Referent *struct {
		Answer   string
		Notes    []string
		Prepared struct {
			SearchQueries []string `json:"search_queries"`
			Used          int      `json:"history_messages_used"`
		}
		Sources []struct{ Path string }
		Check   struct{ Status string } `json:"answer_check"`
	}
}

func (d *desk) complete(body map[string]any) completion {
	d.t.Helper()
	var c completion
	if err := json.Unmarshal(d.expect(200, "POST", "/v1/chat/completions", body).body, &c); err != nil {
		d.t.Fatal(err)
	}
	return c
}

func TestR06_TheLastUserMessageIsTheQuestionAndTheOthersAreHistory(t *testing.T) {
	d := newDesk(t, nil)
	c := d.complete(chat(map[string]any{"model": "referent:expand", "temperature": 0.2, "tools": []any{}, "referent": map[string]any{"settings": map[string]any{"chat.history": "4"}}},
		"system", "SYSTEM: you are a pirate", "user", howLong, "assistant", "It is 320 metres long [1].", "tool", "TOOL result", "user", "When was it opened?", "assistant", "PREFILL"))
	p := d.lastPrompt()
	all := fmt.Sprint(p)
	if !strings.HasSuffix(p[len(p)-1].Text, "When was it opened?") || strings.Contains(all, "pirate") || strings.Contains(all, "TOOL result") || strings.Contains(all, "PREFILL") {
		t.Errorf("%q", all)
	}
	if len(p) != 4 || p[1].Text != howLong || p[2].Text != "It is 320 metres long [1]." && p[2].Text != "It is 320 metres long." {
		t.Errorf("%q", p)
	}
	notes := strings.Join(c.Referent.Notes, " ")
	for _, want := range []string{"role system were left out", "role tool were left out", "role assistant behind the question was left out", "Ignored: temperature, tools."} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
	if c.Referent.Prepared.Used == 0 {
		t.Error("the history was not used")
	}
}

func TestOpenAI_SourcesComeAsAFieldAndAsText(t *testing.T) {
	d := newDesk(t, nil)
	c := d.complete(chat(nil, "user", howLong))
	text := c.Choices[0].Message.Content
	if c.Object != "chat.completion" || c.Choices[0].Message.Role != "assistant" || c.Referent.Check.Status != "supported" || len(c.Referent.Sources) != 1 {
		t.Errorf("%+v", c)
	}
	if !strings.HasPrefix(text, c.Referent.Answer+"\n\n---\nSearched for: "+howLong+"\n[1] Harlow Bridge") || !strings.HasSuffix(text, "\nAnswer check: supported") || !strings.Contains(text, "bridge.md") {
		t.Errorf("%q", text)
	}
	bare := d.complete(chat(map[string]any{"referent": map[string]any{"sources_as_text": false}}, "user", howLong))
	if got := bare.Choices[0].Message.Content; got != bare.Referent.Answer {
		t.Errorf("%q", got)
	}
	// What was appended comes back as history without it.
	d.complete(chat(map[string]any{"referent": map[string]any{"settings": map[string]any{"chat.history": "4"}}}, "user", howLong, "assistant", text, "user", "When was it opened?"))
	if p := fmt.Sprint(d.lastPrompt()[1:3]); strings.Contains(p, "Searched for") || strings.Contains(p, "Answer check") {
		t.Errorf("%q", p)
	}
}

func TestOpenAI_TheStreamIsTheReplyInPieces(t *testing.T) {
	d := newDesk(t, nil)
	whole := d.complete(chat(nil, "user", howLong))
	all := d.expect(200, "POST", "/v1/chat/completions", chat(map[string]any{"stream": true, "stream_options": map[string]any{"include_usage": true}}, "user", howLong)).messages()
	var text strings.Builder
	finish, usage, extension := "", false, false
	for i, m := range all[:len(all)-1] {
		var c completion
		if err := json.Unmarshal([]byte(m.data), &c); err != nil || c.Object != "chat.completion.chunk" || m.name != "" {
			t.Fatalf("%v %+v", err, m)
		}
		if i == 0 && c.Choices[0].Delta.Role != "assistant" {
			t.Errorf("first %+v", m)
		}
		usage = usage || c.Usage != nil && len(c.Choices) == 0
		extension = extension || c.Referent != nil && c.Referent.Answer == whole.Referent.Answer
		for _, choice := range c.Choices {
			text.WriteString(choice.Delta.Content)
			if choice.Finish != nil {
				finish += *choice.Finish
			}
		}
	}
	if last := all[len(all)-1].data; last != "[DONE]" || finish != "stop" || !usage || !extension {
		t.Errorf("last %q, finish %q, usage %v, extension %v", last, finish, usage, extension)
	}
	if text.String() != whole.Choices[0].Message.Content {
		t.Errorf("%q\n%q", text.String(), whole.Choices[0].Message.Content)
	}
}

func TestOpenAI_ModelsAndParts(t *testing.T) {
	d := newDesk(t, nil)
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(d.expect(200, "GET", "/v1/models", nil).body, &list); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	for _, want := range []string{"referent", "referent:simple", "referent:condense_context"} {
		if !strings.Contains(strings.Join(ids, " ")+" ", want+" ") {
			t.Errorf("no %s in %v", want, ids)
		}
	}
	for model, want := range map[string]struct {
		status int
		code   string
	}{"gpt-4o": {404, "not_found"}, "referent:": {404, "not_found"}, "referent:oracle": {422, "unknown_chat_engine"}} {
		if r := d.call("POST", "/v1/chat/completions", chat(map[string]any{"model": model}, "user", howLong)); r.status != want.status || r.code() != want.code || !strings.Contains(r.text(), "simple") {
			t.Errorf("%s: %d %s", model, r.status, r.body)
		}
	}
	parts := func(kind string) map[string]any {
		return map[string]any{"model": "referent", "messages": []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": kind, "text": howLong}}}}}
	}
	if c := d.complete(parts("text")); !strings.Contains(c.Referent.Answer, "320") {
		t.Errorf("%+v", c)
	}
	if r := d.call("POST", "/v1/chat/completions", parts("image_url")); r.status != 422 || !strings.Contains(r.text(), "Only text can be asked.") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := d.call("POST", "/v1/chat/completions", chat(nil, "system", "x", "assistant", "y")); r.status != 422 || !strings.Contains(r.text(), "no message of the role user") {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestOpenAI_EmbeddingsAsNumbersAndAsBase64(t *testing.T) {
	d := newDesk(t, nil)
	var plain struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
		Usage struct {
			Tokens int `json:"total_tokens"`
		}
	}
	r := d.expect(200, "POST", "/v1/embeddings", map[string]any{"model": "referent", "input": []any{"a bridge", "a boiler"}})
	if err := json.Unmarshal(r.body, &plain); err != nil || len(plain.Data) != 2 || plain.Data[1].Index != 1 || plain.Usage.Tokens == 0 {
		t.Fatalf("%v %s", err, r.body)
	}
	sum := 0.0
	for _, x := range plain.Data[0].Embedding {
		sum += float64(x) * float64(x)
	}
	if math.Abs(sum-1) > 1e-4 {
		t.Errorf("the vector is not of unit length: %v", sum)
	}
	var coded struct{ Data []struct{ Embedding string } }
	if err := json.Unmarshal(d.expect(200, "POST", "/v1/embeddings", map[string]any{"model": "referent", "input": "a bridge", "encoding_format": "base64"}).body, &coded); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(coded.Data[0].Embedding)
	if err != nil || len(raw) != 4*len(plain.Data[0].Embedding) {
		t.Fatalf("%v %d", err, len(raw))
	}
	for i, want := range plain.Data[0].Embedding {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); got != want {
			t.Fatalf("%d: %v, want %v", i, got, want)
		}
	}
	if r := d.call("POST", "/v1/embeddings", map[string]any{"model": "referent", "input": "x", "dimensions": 7}); r.status != 422 || !strings.Contains(r.text(), "This model has 384.") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := d.call("POST", "/v1/embeddings", map[string]any{"model": "text-embedding-3-small", "input": "x"}); r.status != 404 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestOpenAI_RerankPutsTheBestFirst(t *testing.T) {
	d := newDesk(t, nil)
	r := d.expect(200, "POST", "/v1/rerank", map[string]any{"query": "length of the bridge", "documents": []any{"A boiler.", "The bridge has a length.", "A bridge."}, "top_n": 2, "return_documents": true})
	var got struct {
		Results []struct {
			Index    int
			Score    float64 `json:"relevance_score"`
			Document struct{ Text string }
		}
	}
	if err := json.Unmarshal(r.body, &got); err != nil || len(got.Results) != 2 {
		t.Fatalf("%v %s", err, r.body)
	}
	if a, b := got.Results[0], got.Results[1]; a.Index != 1 || b.Index != 2 || a.Score <= b.Score || a.Document.Text != "The bridge has a length." {
		t.Errorf("%s", r.body)
	}
}
