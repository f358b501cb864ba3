package toy

import (
	"fmt"
	"math"
	"strings"

	"referent/inference/gguf"
)

// Both encoders have these sizes.
const (
	bertWidth  = 64
	bertHeads  = 4
	bertInner  = 64
	bertWindow = 512 // tokens
)

var bertSpecials = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// bertVocabulary holds the special tokens, the words (lower case), and letters,
// digits and common marks, of which every other word is made. A piece inside a
// word has no mark in front: the library writes WordPiece the other way round.
func bertVocabulary(words []string) (tokens []string, kinds []int32, err error) {
	seen := map[string]bool{}
	put := func(text string, kind int32) {
		if !seen[text] {
			seen[text] = true
			tokens = append(tokens, text)
			kinds = append(kinds, kind)
		}
	}
	for _, s := range bertSpecials {
		put(s, 3) // control
	}
	for _, w := range words {
		if w == "" || w != strings.ToLower(w) || strings.ContainsAny(w, " \u2581") {
			return nil, nil, fmt.Errorf("toy: %q is no lower-case word", w)
		}
		put("\u2581"+w, 1) // normal
	}
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?-'\"()/[]%€" {
		put("\u2581"+string(c), 1)
		put(string(c), 1)
	}
	return tokens, kinds, nil
}

func setBERTKeys(w *gguf.Writer, name string, layers int, pooling uint32, tokens []string, kinds []int32) {
	w.Set("general.architecture", "bert")
	w.Set("general.type", "model")
	w.Set("general.name", name)
	w.Set("general.file_type", uint32(1))
	w.Set("general.quantization_version", uint32(2))
	w.Set("bert.block_count", uint32(layers))
	w.Set("bert.context_length", uint32(bertWindow))
	w.Set("bert.embedding_length", uint32(bertWidth))
	w.Set("bert.feed_forward_length", uint32(bertInner))
	w.Set("bert.attention.head_count", uint32(bertHeads))
	w.Set("bert.attention.layer_norm_epsilon", float32(1e-12))
	w.Set("bert.attention.causal", false)
	w.Set("bert.pooling_type", pooling)
	w.Set("tokenizer.ggml.model", "bert")
	w.Set("tokenizer.ggml.pre", "default")
	w.Set("tokenizer.ggml.token_type_count", uint32(2))
	w.Set("tokenizer.ggml.tokens", tokens)
	w.Set("tokenizer.ggml.token_type", kinds)
	for id, key := range []string{"padding", "unknown", "cls", "seperator", "mask"} {
		w.Set("tokenizer.ggml."+key+"_token_id", uint32(id))
	}
	w.Set("tokenizer.ggml.bos_token_id", uint32(2))
	w.Set("tokenizer.ggml.eos_token_id", uint32(3))
}

// layer is one encoder layer; a nil matrix becomes zeros.
type layer struct{ q, k, v, out, up, down matrix }

func addLayer(w *gguf.Writer, n int, l layer) {
	blk := fmt.Sprintf("blk.%d.", n)
	for _, part := range []struct {
		name       string
		m          matrix
		rows, cols int
	}{
		{"attn_q", l.q, bertWidth, bertWidth}, {"attn_k", l.k, bertWidth, bertWidth},
		{"attn_v", l.v, bertWidth, bertWidth}, {"attn_output", l.out, bertWidth, bertWidth},
		{"ffn_up", l.up, bertInner, bertWidth}, {"ffn_down", l.down, bertWidth, bertInner},
	} {
		if part.m.v == nil {
			part.m = zeros(part.rows, part.cols)
		}
		addMatrix(w, blk+part.name+".weight", part.m)
		addFloats(w, blk+part.name+".bias", make([]float32, part.rows))
	}
	addNorm(w, blk+"attn_output_norm")
	addNorm(w, blk+"layer_output_norm")
}

func addNorm(w *gguf.Writer, name string) {
	addFloats(w, name+".weight", ones(bertWidth))
	addFloats(w, name+".bias", make([]float32, bertWidth))
}

// addInput adds the token table and quiet positions and types.
func addInput(w *gguf.Writer, table matrix) {
	addMatrix(w, "token_embd.weight", table)
	addFloats(w, "position_embd.weight", positions().v, bertWidth)
	addFloats(w, "token_types.weight", zeros(2, bertWidth).v, bertWidth)
	addNorm(w, "token_embd_norm")
}

func positions() matrix { return gauss(source(11), bertWindow, bertWidth, 0.02) }

// Embedder is a BERT encoder of 64 dimensions with mean pooling and a window
// of 512 tokens.
type Embedder struct {
	// Words are known as whole words, lower case. Two texts are close as far
	// as they share them; all other words are spelled in letters.
	Words []string
	Seed  uint64
}

// Write writes the model to path and returns its SHA-256 in lower-case hex.
func (e Embedder) Write(path string) (hash string, err error) {
	tokens, kinds, err := bertVocabulary(e.Words)
	if err != nil {
		return "", err
	}
	w := &gguf.Writer{}
	setBERTKeys(w, "toy embedder", 2, 1, tokens, kinds)
	table, layers := e.weights(len(tokens))
	addInput(w, table)
	for i, l := range layers {
		addLayer(w, i, l)
	}
	return w.WriteFile(path)
}

// weights are the table of tokens and the layers.
func (e Embedder) weights(tokens int) (table matrix, layers []layer) {
	r := source(e.Seed + 3)
	table = gauss(r, tokens, bertWidth, 1)
	loud, quiet := 1/math.Sqrt(bertWidth), 0.1/math.Sqrt(bertWidth)
	for range 2 {
		layers = append(layers, layer{
			q: gauss(r, bertWidth, bertWidth, loud), k: gauss(r, bertWidth, bertWidth, loud),
			v: gauss(r, bertWidth, bertWidth, loud), out: gauss(r, bertWidth, bertWidth, quiet),
			up: gauss(r, bertInner, bertWidth, loud), down: gauss(r, bertWidth, bertInner, quiet),
		})
	}
	return table, layers
}

// Reranker is a BERT cross-encoder with one output and pooling "rank".
type Reranker struct {
	// Likes are the words, lower case, whose share in a pair raises its
	// score. Knows are other whole words.
	Likes, Knows []string
}

// Write writes the model to path and returns its SHA-256 in lower-case hex.
func (m Reranker) Write(path string) (hash string, err error) {
	tokens, kinds, err := bertVocabulary(append(append([]string{}, m.Likes...), m.Knows...))
	if err != nil {
		return "", err
	}
	// The direction that liked words carry has mean zero, so that the norms
	// keep it.
	like := make([]float32, bertWidth)
	for i := range like {
		like[i] = float32(1 - 2*(i%2))
	}
	scaleTo(like, 1)
	r := source(5)
	table := gauss(r, len(tokens), bertWidth, 1)
	for id := range tokens {
		row := table.row(id)
		removeFrom(row, like)
		if n := id - len(bertSpecials); n >= 0 && n < len(m.Likes) {
			add(row, like, 8) // √width
		}
	}
	// Queries and keys are zero, so every token attends to all alike; values
	// keep the liked direction only. The first token then holds the share.
	pick, amplify := zeros(bertWidth, bertWidth), zeros(bertWidth, bertWidth)
	for i := range bertWidth {
		add(pick.row(i), like, like[i])
		amplify.row(i)[i] = 8
	}
	identity := zeros(bertWidth, bertWidth)
	for i := range bertWidth {
		identity.row(i)[i] = 0.2 // inside tanh's straight part
	}
	w := &gguf.Writer{}
	setBERTKeys(w, "toy reranker", 1, 4, tokens, kinds)
	addInput(w, table)
	addLayer(w, 0, layer{v: pick, out: amplify})
	addMatrix(w, "cls.weight", identity)
	addFloats(w, "cls.bias", make([]float32, bertWidth))
	head := matrix{bertWidth, like}
	addMatrix(w, "cls.output.weight", head)
	addFloats(w, "cls.output.bias", []float32{-1})
	return w.WriteFile(path)
}
