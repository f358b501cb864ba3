package conformance

import (
	"referent/inference"
	"referent/inference/fake"
)

// script is a reply that the fake writes token by token.
type script struct {
	name       string
	raw        []string
	stop       []string
	text       string
	reasoning  string
	stopReason inference.StopReason
}

var scripts = []script{
	{"SplitUTF8", []string{"Gr", "\xc3", "\xbc", "n ", "\xe7\x95", "\x8c", "."}, nil, "Grün 界.", "", inference.StopEnd},
	{"UnfinishedUTF8", []string{"Ende ", "\xe7\x95"}, nil, "Ende ", "", inference.StopEnd},
	{"ThinkBalanced", []string{"<thi", "nk>", "Let me", " see.", "</th", "ink>", "\n", "\nYes."}, nil, "Yes.", "Let me see.", inference.StopEnd},
	{"ThinkUnclosed", []string{"<think>", "It goes", " on"}, nil, "", "It goes on", inference.StopEnd},
	{"ThinkOrphan", []string{"Yes.", "</think>", " Really."}, nil, "Yes. Really.", "", inference.StopEnd},
	{"AlmostThink", []string{"a <thi", "s> b"}, nil, "a <this> b", "", inference.StopEnd},
	{"StopOverTokens", []string{"one E", "N", "D two"}, []string{"END"}, "one ", "", inference.StopString},
	{"AlmostStop", []string{"one E", "N", "T"}, []string{"END"}, "one ENT", "", inference.StopEnd},
	{"StopInsideThink", []string{"<think>", "a END b", "</think>", "c"}, []string{"END"}, "c", "a END b", inference.StopEnd},
	{"FirstOfTwoStops", []string{"x ", "B", "BA", "A"}, []string{"AA", "BA"}, "x B", "", inference.StopString},
}

// fakePrompt begins the prompt that asks the fake for a script.
const fakePrompt = "conformance script "

// Fake returns what the suite needs to run on the fake model: its models and
// the replies for fake.Config.Match.
func Fake() (Models, func(inference.Role, inference.GenerateRequest) (fake.Reply, bool)) {
	m := Models{Chat: fake.Spec(), Embed: fake.Spec(), Rerank: fake.Spec(), Cycles: 50}
	m.Chat.Context = 1024
	m.Chat.Path, m.Embed.Path, m.Rerank.Path = "/chat.gguf", "/embed.gguf", "/rerank.gguf"
	for _, c := range scripts {
		m.Scripted = append(m.Scripted, Scripted{Name: c.name, Text: c.text, Reasoning: c.reasoning, Stop: c.stopReason,
			Request: inference.GenerateRequest{Completion: fakePrompt + c.name, Stop: c.stop}})
	}
	return m, func(_ inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		for _, c := range scripts {
			if req.Completion == fakePrompt+c.name {
				return fake.Reply{Raw: c.raw}, true
			}
		}
		return fake.Reply{}, false
	}
}
