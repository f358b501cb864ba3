package openai

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/app/api/wire"
)

// replies are whole replies with every field set, by their schemas.
func replies() map[string]any {
	stop := "stop"
	return map[string]any{
		"ChatReply": reply{Usage: &usage{}}, "ChatChoice": choice{}, "ChatReplyMessage": replyMessage{}, "ChatUsage": usage{}, "ChatExtra": extra{},
		"ChatChunk": chunk{Usage: &usage{}, Referent: &extra{}}, "ChatChunkChoice": chunkChoice{FinishReason: &stop}, "ChatDelta": delta{Role: "assistant", Content: "x"},
		"ModelName": modelName{}, "ModelNames": modelNames{}, "EmbeddingsReply": embeddingsReply{}, "Embedding": embedding{}, "EmbeddingsUsage": tokens{},
		"RerankReply": rerankReply{}, "RerankResult": rerankResult{Document: &rerankText{}}, "RerankText": rerankText{}, "OpenAIError": ErrorBody(&wire.Failure{}),
		"ChatExtension": extension{}, "EmbeddingsRequest": struct {
			embeddingsRequest
			User string `json:"user"` // accepted and ignored
		}{}, "RerankRequest": rerankRequest{},
	}
}

func fields(t *testing.T, v any) []string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return slices.Sorted(maps.Keys(object))
}

func TestContract_EveryFieldOfTheShapesIsDescribedAndBack(t *testing.T) {
	all := replies()
	for name, v := range all {
		s := wire.Described.Schema(name)
		if s == nil {
			t.Errorf("there is no schema %s", name)
			continue
		}
		if got, want := fields(t, v), slices.Sorted(maps.Keys(s.Properties)); !slices.Equal(got, want) {
			t.Errorf("%s: the program has %v,\nthe description %v", name, got, want)
		}
	}
	for name, v := range map[string]any{"ChatRequest": chatRequest{}, "ChatMessage": message{Content: json.RawMessage("null")}} {
		known := wire.Described.Schema(name).Properties
		read := fields(t, v)
		for _, field := range read {
			if known[field] == nil {
				t.Errorf("%s reads %s, which is not described", name, field)
			}
		}
		for field, s := range known {
			if !slices.Contains(read, field) && !strings.Contains(s.Description, "ignored") && field != "n" {
				t.Errorf("%s describes %s, which is not read", name, field)
			}
		}
	}
	body, _ := reflect.TypeOf(ErrorBody(&wire.Failure{})).FieldByName("Error")
	if got, want := body.Type.NumField(), len(wire.Described.Schema("OpenAIErrorBody").Properties); got != want {
		t.Errorf("an error has %d fields, %d are described", got, want)
	}
	described := append(slices.Collect(maps.Keys(all)), "ChatRequest", "ChatMessage", "ChatPart", "OpenAIErrorBody")
	for _, name := range wire.Described.Schemas() {
		mine := strings.HasPrefix(name, "Chat") || strings.HasPrefix(name, "Embedding") || strings.HasPrefix(name, "Rerank") || strings.HasPrefix(name, "OpenAI") || strings.HasPrefix(name, "ModelName")
		if mine && !slices.Contains(described, name) {
			t.Errorf("the schema %s is behind no struct", name)
		}
	}
}

func TestRemaining_TheStreamEndsWithTheAuthoritativeText(t *testing.T) {
	for _, c := range []struct{ shown, answer, want string }{
		{"", "320 metres [1].", "320 metres [1]."},
		{"320 metres", "320 metres [1].", " [1]."},
		{"320 metres [1].", "320 metres [1].", ""},
		{"320 metres [1].\n", "320 metres [1].", ""},
		{"999 metres.", "I did not find this.", "\n\nAfter the check the answer reads:\nI did not find this."},
	} {
		if got := remaining(c.shown, c.answer); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.shown, c.answer, got, c.want)
		}
	}
}

func TestPacked_IsLittleEndianFloat32(t *testing.T) {
	// 1 is 0x3f800000, -2 is 0xc0000000 (IEEE 754).
	if got, want := packed([]float32{1, -2}), "AACAPwAAAMA="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
