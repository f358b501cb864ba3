package llama

import (
	"slices"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference/chat"
)

// vocabulary tokenises safely. It may be used from any goroutine while its
// model is loaded.
type vocabulary struct {
	handle   llama.Vocab
	size     int
	bos, eos llama.Token
	addBOS   bool
	// spaces says that the tokeniser puts a space before every text that does
	// not follow a control token. Parts of a prompt must not get one.
	spaces bool
}

func newVocabulary(model llama.Model) vocabulary {
	h := llama.ModelGetVocab(model)
	v := vocabulary{
		handle: h, size: int(llama.VocabNTokens(h)),
		bos: llama.VocabBOS(h), eos: llama.VocabEOS(h), addBOS: llama.VocabGetAddBOS(h),
	}
	if llama.GetVocabType(h) == llama.VocabTypeSPM {
		prefix, ok := llama.ModelMetaValStr(model, "tokenizer.ggml.add_space_prefix")
		v.spaces = !ok || prefix == "true"
	}
	return v
}

// clean removes what the tokeniser dies of: a NUL byte ends the process with
// an exception. Invalid UTF-8 is replaced.
func clean(text string) string {
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// structure tokenises template text: control tokens are recognised.
func (v vocabulary) structure(text string) []llama.Token {
	return llama.Tokenize(v.handle, clean(text), false, true)
}

// data tokenises text that a person or a document wrote. None of the tokens is
// a control token, whatever the text says: the merges of some vocabularies
// spell one even when control tokens are not recognised, and such a token is
// spelt out in characters instead.
func (v vocabulary) data(text string) []llama.Token {
	return v.spell(llama.Tokenize(v.handle, clean(text), false, false))
}

// encoded tokenises a text for an encoder, with the start and end tokens that
// the vocabulary wants.
func (v vocabulary) encoded(text string) []llama.Token {
	return llama.Tokenize(v.handle, clean(text), true, false)
}

func (v vocabulary) spell(tokens []llama.Token) []llama.Token {
	for i, t := range tokens {
		if !v.control(t) {
			continue
		}
		out := append([]llama.Token(nil), tokens[:i]...)
		for _, t := range tokens[i:] {
			if !v.control(t) {
				out = append(out, t)
				continue
			}
			for _, r := range string(v.piece(t, true)) {
				for _, c := range llama.Tokenize(v.handle, string(r), false, false) {
					if !v.control(c) {
						out = append(out, c)
					}
				}
			}
		}
		return out
	}
	return tokens
}

func (v vocabulary) control(t llama.Token) bool { return llama.VocabIsControl(v.handle, t) }

// piece is the text of a token, in bytes that may be part of a character.
// Control tokens have none unless special is true.
func (v vocabulary) piece(t llama.Token, special bool) []byte {
	buf := make([]byte, 64)
	n := llama.TokenToPiece(v.handle, t, buf, 0, special)
	if n < 0 {
		buf = make([]byte, -n)
		n = llama.TokenToPiece(v.handle, t, buf, 0, special)
	}
	return buf[:max(0, n)]
}

// reply is the text of a token that a model wrote. Control tokens are silent,
// but for the tags of a think block.
func (v vocabulary) reply(t llama.Token) []byte {
	b := v.piece(t, false)
	if len(b) == 0 && v.control(t) {
		if tag := v.piece(t, true); isThinkTag(string(tag)) {
			return tag
		}
	}
	return b
}

func isThinkTag(s string) bool {
	switch s {
	case "<think>", "</think>", "<thinking>", "</thinking>":
		return true
	}
	return false
}

// laidOut is a prompt in tokens.
type laidOut struct {
	tokens []llama.Token
	cut    int   // tokens of the constant part; 0: none
	turns  []int // where messages after the first begin, in tokens
}

// prompt tokenises a rendered conversation segment by segment. There is exactly
// one start token if the vocabulary wants one, also where the template writes it
// itself.
func (v vocabulary) prompt(p chat.Prompt) (out laidOut) {
	var tokens []llama.Token
	if v.addBOS && v.bos != llama.TokenNull {
		tokens = append(tokens, v.bos)
	}
	start := len(tokens)
	for i, s := range p.Segments {
		if i == p.Cut && p.Cut > 0 {
			out.cut = len(tokens)
		}
		if slices.Contains(p.Turns, i) {
			out.turns = append(out.turns, len(tokens))
		}
		part := v.segment(s, len(tokens) == 0 || v.control(tokens[len(tokens)-1]))
		if len(tokens) == start && start > 0 && len(part) > 0 && part[0] == v.bos {
			part = part[1:]
		}
		tokens = append(tokens, part...)
	}
	if p.Cut > 0 && p.Cut == len(p.Segments) {
		out.cut = len(tokens)
	}
	out.tokens = tokens
	return out
}

// segment tokenises one segment. Where the tokeniser would put a space of its
// own before it, a line break goes first and its tokens are taken away again.
func (v vocabulary) segment(s chat.Segment, afterControl bool) []llama.Token {
	tokenise := v.data
	if s.Special {
		tokenise = v.structure
	}
	if !v.spaces || afterControl {
		return tokenise(s.Text)
	}
	guard := tokenise("\n")
	both := tokenise("\n" + s.Text)
	if len(both) >= len(guard) && equalTokens(both[:len(guard)], guard) {
		return both[len(guard):]
	}
	return tokenise(s.Text)
}

func equalTokens(a, b []llama.Token) bool { return commonPrefix(a, b) == len(a) && len(a) == len(b) }

func commonPrefix(a, b []llama.Token) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// count is the number of tokens of a text, without start and end tokens.
func (v vocabulary) count(text string) int {
	if text == "" {
		return 0
	}
	return len(llama.Tokenize(v.handle, clean(text), false, false))
}
