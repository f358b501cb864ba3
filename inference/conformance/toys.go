package conformance

import (
	"path/filepath"
	"strings"

	"referent/inference"
	"referent/inference/gguf/toy"
)

// Toys writes generated models into dir and returns what the suite needs to run
// on nothing else: a chat model, an embedder, a reranker, replies that are known
// in advance, and reference vectors.
func Toys(dir string) (Models, error) {
	m := Models{Chat: inference.LoadSpec{Path: filepath.Join(dir, "chat.gguf"), Context: 1024}, Embed: inference.LoadSpec{Path: filepath.Join(dir, "embed.gguf")}}
	words := strings.Fields("the is boiler serviced every year in october dogs may be kept with consent of board when rent tenant pays")
	embedder := toy.Embedder{Words: words}
	text := "One after another, word by word, without any haste at all, until everything that had to be said in this long sentence was finally told."
	if _, err := (toy.Chat{Text: text}).Write(m.Chat.Path); err != nil {
		return m, err
	}
	if _, err := embedder.Write(m.Embed.Path); err != nil {
		return m, err
	}
	if err := m.addToyReplies(dir); err != nil {
		return m, err
	}
	m.References.Spec = m.Embed
	for _, text := range []string{"boiler", "the boiler is serviced every year in october", "dogs may be kept", "when is the rent of the tenant"} {
		v, err := embedder.Vector(strings.Fields(text)...)
		if err != nil {
			return m, err
		}
		m.References.Texts = append(m.References.Texts, text)
		m.References.Vectors = append(m.References.Vectors, v)
	}
	return m, nil
}

// AddToys adds to models of another kind what only a generated one can show.
func (m *Models) AddToys(dir string) error {
	toys, err := Toys(dir)
	m.Rerank, m.Scripted, m.References = toys.Rerank, toys.Scripted, toys.References
	return err
}

func (m *Models) addToyReplies(dir string) error {
	m.Rerank.Path = filepath.Join(dir, "rerank.gguf")
	if _, err := (toy.Reranker{Likes: []string{"boiler", "serviced", "october"}, Knows: []string{"dogs", "board"}}).Write(m.Rerank.Path); err != nil {
		return err
	}
	for _, s := range []struct {
		name            string
		model           toy.Chat
		stop            []string
		text, reasoning string
		reason          inference.StopReason
	}{
		{"SplitUTF8", toy.Chat{Pieces: append([]string{"Gr"}, append(toy.SingleBytes("ü"), "n")...)}, nil, "Grün", "", inference.StopEnd},
		{"UnfinishedUTF8", toy.Chat{Pieces: append([]string{"Ende "}, toy.SingleBytes("界")[:2]...)}, nil, "Ende ", "", inference.StopEnd},
		{"ThinkBalanced", toy.Chat{Pieces: []string{"<thi", "nk>", "Let me", " see.", "</th", "ink>", "Yes."}}, nil, "Yes.", "Let me see.", inference.StopEnd},
		{"ThinkUnclosed", toy.Chat{Pieces: []string{"<think>", "It goes", " on"}}, nil, "", "It goes on", inference.StopEnd},
		{"ThinkOrphan", toy.Chat{Pieces: []string{"Yes.", "</think>", " Really."}}, nil, "Yes. Really.", "", inference.StopEnd},
		{"StopOverTokens", toy.Chat{Pieces: []string{"one E", "N", "D two"}}, []string{"END"}, "one ", "", inference.StopString},
		{"AlmostStop", toy.Chat{Pieces: []string{"one E", "N", "T"}}, []string{"END"}, "one ENT", "", inference.StopEnd},
		{"StopInsideThink", toy.Chat{Pieces: []string{"<think>", "a END b", "</think>", "c"}}, []string{"END"}, "c", "a END b", inference.StopEnd},
		{"SlidingWindow", toy.Chat{Text: "Seen through a window [1].", Kind: toy.Sliding}, nil, "Seen through a window [1].", "", inference.StopEnd},
		{"Hybrid", toy.Chat{Text: "Carried from word to word [1].", Kind: toy.Hybrid}, nil, "Carried from word to word [1].", "", inference.StopEnd},
	} {
		path := filepath.Join(dir, s.name+".gguf")
		if _, err := s.model.Write(path); err != nil {
			return err
		}
		m.Scripted = append(m.Scripted, Scripted{
			Name: s.name, Spec: inference.LoadSpec{Path: path}, Text: s.text, Reasoning: s.reasoning, Stop: s.reason,
			Request: inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: "?"}}, Stop: s.stop},
		})
	}
	return nil
}
