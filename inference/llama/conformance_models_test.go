//go:build models

package llama

import (
	"path/filepath"
	"testing"

	"referent/inference"
	"referent/inference/conformance"
	"referent/inference/gguf/toy"
)

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	models := conformance.Models{
		Chat:   inference.LoadSpec{Path: modelFile(smol), Context: 1024},
		Embed:  inference.LoadSpec{Path: modelFile(e5), Profile: e5Profile},
		Rerank: inference.LoadSpec{Path: filepath.Join(dir, "rerank.gguf")},
		Cycles: 5,
	}
	if _, err := (toy.Reranker{Likes: []string{"boiler", "serviced", "october"}, Knows: []string{"dogs", "board"}}).Write(models.Rerank.Path); err != nil {
		t.Fatal(err)
	}
	for _, script := range []struct {
		name            string
		pieces          []string
		stop            []string
		text, reasoning string
		reason          inference.StopReason
	}{
		{"SplitUTF8", append([]string{"Gr"}, append(toy.SingleBytes("ü"), "n")...), nil, "Grün", "", inference.StopEnd},
		{"UnfinishedUTF8", append([]string{"Ende "}, toy.SingleBytes("界")[:2]...), nil, "Ende ", "", inference.StopEnd},
		{"ThinkBalanced", []string{"<thi", "nk>", "Let me", " see.", "</th", "ink>", "Yes."}, nil, "Yes.", "Let me see.", inference.StopEnd},
		{"ThinkUnclosed", []string{"<think>", "It goes", " on"}, nil, "", "It goes on", inference.StopEnd},
		{"ThinkOrphan", []string{"Yes.", "</think>", " Really."}, nil, "Yes. Really.", "", inference.StopEnd},
		{"StopOverTokens", []string{"one E", "N", "D two"}, []string{"END"}, "one ", "", inference.StopString},
		{"AlmostStop", []string{"one E", "N", "T"}, []string{"END"}, "one ENT", "", inference.StopEnd},
		{"StopInsideThink", []string{"<think>", "a END b", "</think>", "c"}, []string{"END"}, "c", "a END b", inference.StopEnd},
	} {
		path := filepath.Join(dir, script.name+".gguf")
		if _, err := (toy.Chat{Pieces: script.pieces}).Write(path); err != nil {
			t.Fatal(err)
		}
		models.Scripted = append(models.Scripted, conformance.Scripted{
			Name: script.name, Spec: inference.LoadSpec{Path: path}, Text: script.text, Reasoning: script.reasoning, Stop: script.reason,
			Request: inference.GenerateRequest{Messages: user("?"), Stop: script.stop},
		})
	}
	conformance.Run(t, func(t *testing.T) inference.Host {
		h, err := New(Config{RuntimeDir: runtimeDir("cpu"), Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}, models)
}
