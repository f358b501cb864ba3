package chat

import (
	"strings"
	"testing"
)

// split feeds text in pieces of n bytes and returns the text, the reasoning,
// and what an orphan closer turned into reasoning.
func split(text string, n int, inside bool) (reply, reasoning string) {
	s := NewSplitter(inside)
	take := func(parts []Part) {
		for _, p := range parts {
			switch p.Kind {
			case PartText:
				reply += p.Text
			case PartReasoning:
				reasoning += p.Text
			case PartOrphan:
				reasoning, reply = reasoning+reply, ""
			}
		}
	}
	for text != "" {
		take(s.Push(text[:min(n, len(text))]))
		text = text[min(n, len(text)):]
	}
	take(s.Flush())
	return reply, reasoning
}

func TestSplitter(t *testing.T) {
	for _, test := range []struct {
		name, in         string
		inside           bool
		reply, reasoning string
	}{
		{"no block", "plain < text <thin> ice", false, "plain < text <thin> ice", ""},
		{"balanced", "<think>\nwhy</think>\n\nanswer", false, "answer", "why"},
		{"two blocks", "<think>a</think>x<thinking>b</thinking> y", false, "xy", "ab"},
		{"unclosed", "so <think>never ends", false, "so ", "never ends"},
		{"orphan closer", "hidden</think> answer", false, " answer", "hidden"},
		{"begun by the prompt", "hidden</think>answer", true, "answer", "hidden"},
		{"only a block", "<think>a</think>", false, "", "a"},
		{"a partial tag at the end is text", "a</thi", false, "a</thi", ""},
		{"an opener inside a block is reasoning", "<think>a<think>b</think>c", false, "c", "a<think>b"},
	} {
		for n := 1; n <= len(test.in); n++ {
			reply, reasoning := split(test.in, n, test.inside)
			if reply != test.reply || reasoning != test.reasoning {
				t.Errorf("%s in pieces of %d: reply %q, reasoning %q", test.name, n, reply, reasoning)
			}
		}
	}
}

func TestSplitter_HoldsBackOnlyTags(t *testing.T) {
	s := NewSplitter(false)
	if got := s.Push("a <b"); len(got) != 1 || got[0].Text != "a <b" {
		t.Errorf("text that begins no tag was held back: %+v", got)
	}
	if got := s.Push(" <th"); len(got) != 1 || got[0].Text != " " {
		t.Errorf("the beginning of a tag was shown: %+v", got)
	}
}

func TestStops(t *testing.T) {
	for _, test := range []struct {
		name  string
		stops []string
		in    string
		want  string
		hit   bool
	}{
		{"none", nil, "abc", "abc", false},
		{"over a border", []string{"\n\n"}, "one\ntwo\n\nthree", "one\ntwo", true},
		{"the first of several", []string{"END", "D"}, "aDbEND", "a", true},
		{"a false start", []string{"END"}, "ENENx", "ENENx", false},
		{"a partial at the end is text", []string{"END"}, "aEN", "aEN", false},
		{"an empty one is no stop", []string{""}, "abc", "abc", false},
		{"characters of several bytes", []string{"。"}, "一。二", "一", true},
	} {
		for n := 1; n <= len(test.in); n++ {
			s := NewStops(test.stops)
			var got strings.Builder
			hit := false
			for in := test.in; in != "" && !hit; in = in[min(n, len(in)):] {
				out, h := s.Push(in[:min(n, len(in))])
				got.WriteString(out)
				hit = h
			}
			if !hit {
				got.WriteString(s.Flush())
			}
			if got.String() != test.want || hit != test.hit {
				t.Errorf("%s in pieces of %d: %q, %v", test.name, n, got.String(), hit)
			}
		}
	}
}

func TestTail(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"whole characters", "aé漢😀", "aé漢😀"},
		{"a lone continuation byte", "a\x80b", "a\uFFFDb"},
		{"a character that never ends", "a\xE6\xBC", "a"},
		{"a character interrupted by another", "\xE6\xBCa", "\uFFFDa"},
	} {
		for n := 1; n <= len(test.in); n++ {
			var tail Tail
			var got strings.Builder
			for in := test.in; in != ""; in = in[min(n, len(in)):] {
				got.WriteString(tail.Push([]byte(in[:min(n, len(in))])))
			}
			if got.String() != test.want {
				t.Errorf("%s in pieces of %d: %q", test.name, n, got.String())
			}
		}
	}
}

func TestLoop(t *testing.T) {
	push := func(tokens ...int32) int {
		var l Loop
		for i, token := range tokens {
			if l.Push(token) {
				return i + 1
			}
		}
		return 0
	}
	repeat := func(period, times int) (out []int32) {
		for i := range period * times {
			out = append(out, int32(i%period))
		}
		return out
	}
	for _, test := range []struct {
		name   string
		tokens []int32
		want   int // after how many tokens; 0: never
	}{
		{"one token", repeat(1, 100), 49},         // 48 repeat the one before
		{"five tokens", repeat(5, 100), 53},       // 48 repeat what stood 5 before
		{"a hundred tokens", repeat(100, 5), 400}, // three whole periods
		{"a list of ten lines that differ", func() (out []int32) {
			for i := range int32(10) {
				out = append(out, 1, 2, 3, 100+i)
			}
			return out
		}(), 0},
		{"a row of dashes in a table", repeat(2, 20), 0},
	} {
		if got := push(test.tokens...); got != test.want {
			t.Errorf("%s: after %d, want %d", test.name, got, test.want)
		}
	}
}
