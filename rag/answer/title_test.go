package answer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
)

func TestTitle(t *testing.T) {
	question := "How long\nis the Harlow Bridge, and who measured it with which instrument in which year?"
	for reply, want := range map[string]string{
		"Length of the Harlow Bridge":                "", // "length" is not in the question
		"\"The Harlow Bridge and its instrument.\"":  "The Harlow Bridge and its instrument",
		"Harlow Bridge measured\nSure, here you are": "Harlow Bridge measured",
		"The Harlow Bridge is 320 metres long":       "", // an answer
		"Title":                                      "",
		"the":                                        "",
		"":                                           "",
		strings.Repeat("bridge measured year ", 4):           "",
		"<think>hm</think>Instrument of the measured Bridge": "Instrument of the measured Bridge",
	} {
		host := fake.NewLoaded(fake.Config{Replies: []fake.Reply{{Text: reply}}})
		model, err := host.Generator(inference.RoleAnswer)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Title(t.Context(), model, question)
		if got != want || ok != (want != "") {
			t.Errorf("%q gave %q %v, want %q", reply, got, ok, want)
		}
		calls := host.Calls()
		req := calls[len(calls)-1].Request
		if req.Priority != inference.PriorityIndexing || len(req.Messages) != 1 || strings.Contains(req.Messages[0].Text, "long\nis") {
			t.Errorf("%+v", req)
		}
	}
}

func TestTitle_AModelThatFailsLeavesTheQuestion(t *testing.T) {
	host := fake.NewLoaded(fake.Config{Replies: []fake.Reply{{Err: errors.New("broken")}}})
	model, err := host.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := Title(context.Background(), model, "Who?"); ok || got != "" {
		t.Errorf("%q", got)
	}
}
