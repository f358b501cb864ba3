package convert

import (
	"encoding/json"
	"fmt"
	"strings"

	"referent/inference/gguf"
)

// BERT converts a sentence encoder: weights in safetensors, the model's
// config.json, and its WordPiece vocabulary, one piece a line. Matrices become
// Q8_0, the rest float32; pooling is the mean.
func BERT(name, license string, safetensors, config, vocabulary []byte) (*gguf.Writer, error) {
	fail := func(err error) (*gguf.Writer, error) { return nil, fmt.Errorf("%s: %w", name, err) }
	var c struct {
		Hidden    int     `json:"hidden_size"`
		Layers    int     `json:"num_hidden_layers"`
		Heads     int     `json:"num_attention_heads"`
		Inter     int     `json:"intermediate_size"`
		Positions int     `json:"max_position_embeddings"`
		Types     int     `json:"type_vocab_size"`
		Tokens    int     `json:"vocab_size"`
		Epsilon   float32 `json:"layer_norm_eps"`
	}
	if err := json.Unmarshal(config, &c); err != nil {
		return fail(err)
	}
	if c.Hidden < 1 || c.Hidden%32 != 0 || c.Inter%32 != 0 || c.Layers < 1 || c.Layers > 512 || c.Tokens < 1 || c.Tokens > 1<<20 {
		return fail(fmt.Errorf("sizes out of range: %+v", c))
	}
	st, err := readSafetensors(safetensors)
	if err != nil {
		return fail(err)
	}
	tokens, kinds, special, err := wordPieces(vocabulary, c.Tokens)
	if err != nil {
		return fail(err)
	}
	shape := bertShape{
		Name: name, License: license, FileType: 7,
		Hidden: c.Hidden, Layers: c.Layers, Heads: c.Heads, Inter: c.Inter,
		Context: c.Positions, Types: c.Types, Epsilon: c.Epsilon, Pooling: 1,
		BOS: special["[CLS]"], EOS: special["[SEP]"], UNK: special["[UNK]"], PAD: special["[PAD]"],
		Separator: special["[SEP]"], Class: special["[CLS]"], Mask: special["[MASK]"],
	}
	w := &gguf.Writer{}
	setModelKeys(w, shape)
	w.Set("tokenizer.ggml.model", "bert")
	w.Set("tokenizer.ggml.pre", "default")
	w.Set("tokenizer.ggml.token_type_count", uint32(c.Types))
	w.Set("tokenizer.ggml.tokens", tokens)
	w.Set("tokenizer.ggml.token_type", kinds)
	setTokenKeys(w, shape)
	for _, t := range bertTensors(shape, c.Tokens) {
		v, err := st.float32s(t.from, t.shape...)
		if err != nil {
			return fail(err)
		}
		addTensor(w, t, v)
	}
	return w, nil
}

func addTensor(w *gguf.Writer, t bertTensor, v []float32) {
	if len(t.shape) == 1 {
		w.Add(t.to, gguf.F32, t.shape, gguf.Floats(v))
		return
	}
	ne := []uint64{t.shape[1], t.shape[0]}
	if t.exact {
		w.Add(t.to, gguf.F32, ne, gguf.Floats(v))
		return
	}
	w.Add(t.to, gguf.Q8_0, ne, q8(v))
}

type bertTensor struct {
	from, to string
	shape    []uint64 // slowest-moving first
	exact    bool     // a matrix that stays float32
}

// bertTensors lists the tensors in the order of the file. Positions and types
// are added to every token and stay exact.
func bertTensors(s bertShape, tokens int) []bertTensor {
	h, inter := uint64(s.Hidden), uint64(s.Inter)
	list := []bertTensor{
		{"embeddings.word_embeddings.weight", "token_embd.weight", []uint64{uint64(tokens), h}, false},
		{"embeddings.position_embeddings.weight", "position_embd.weight", []uint64{uint64(s.Context), h}, true},
		{"embeddings.token_type_embeddings.weight", "token_types.weight", []uint64{uint64(s.Types), h}, true},
		{"embeddings.LayerNorm.weight", "token_embd_norm.weight", []uint64{h}, false},
		{"embeddings.LayerNorm.bias", "token_embd_norm.bias", []uint64{h}, false},
	}
	for i := range s.Layers {
		from, to := fmt.Sprintf("encoder.layer.%d.", i), fmt.Sprintf("blk.%d.", i)
		for _, part := range []struct {
			from, to  string
			rows, len uint64 // rows 0: a norm
		}{
			{"attention.self.query", "attn_q", h, h},
			{"attention.self.key", "attn_k", h, h},
			{"attention.self.value", "attn_v", h, h},
			{"attention.output.dense", "attn_output", h, h},
			{"attention.output.LayerNorm", "attn_output_norm", 0, h},
			{"intermediate.dense", "ffn_up", inter, h},
			{"output.dense", "ffn_down", h, inter},
			{"output.LayerNorm", "layer_output_norm", 0, h},
		} {
			weight, bias := []uint64{part.rows, part.len}, []uint64{part.rows}
			if part.rows == 0 {
				weight, bias = []uint64{part.len}, []uint64{part.len}
			}
			list = append(list,
				bertTensor{from + part.from + ".weight", to + part.to + ".weight", weight, false},
				bertTensor{from + part.from + ".bias", to + part.to + ".bias", bias, false})
		}
	}
	return list
}

// wordPieces turns a vocabulary into the form that the library wants: a piece
// that begins a word gets U+2581 in front, one inside a word loses its "##".
func wordPieces(text []byte, size int) (tokens []string, kinds []int32, special map[string]int32, err error) {
	special = map[string]int32{"[PAD]": -1, "[UNK]": -1, "[CLS]": -1, "[SEP]": -1, "[MASK]": -1}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
	if len(lines) > size {
		return nil, nil, nil, fmt.Errorf("%d pieces for %d tokens", len(lines), size)
	}
	seen := map[string]bool{}
	for i := range size {
		token, kind := fmt.Sprintf("[PAD%d]", i), tokenUnused
		if i < len(lines) && lines[i] != "" {
			piece := lines[i]
			_, isSpecial := special[piece]
			inside, isInside := strings.CutPrefix(piece, "##")
			switch {
			case isSpecial:
				token, kind = piece, tokenControl
				special[piece] = int32(i)
			case isInside && inside != "":
				token, kind = inside, tokenNormal
			default:
				token, kind = "\u2581"+piece, tokenNormal
			}
		}
		if seen[token] {
			return nil, nil, nil, fmt.Errorf("the piece %q appears twice", token)
		}
		seen[token] = true
		tokens, kinds = append(tokens, token), append(kinds, kind)
	}
	return tokens, kinds, special, nil
}
