package convert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"referent/inference/gguf"
)

// missingScore is the score of a vocabulary entry that has no piece: low
// enough that the tokenizer never prefers it.
const missingScore = -1000

// E5 converts the E5S1 container of multilingual-e5-small. The Q4_0 blocks are
// in ggml's own layout and are copied bit for bit; everything else is float32.
// The result uses mean pooling and a unigram vocabulary.
func E5(data []byte) (*gguf.Writer, error) {
	m, err := readE5(data)
	if err != nil {
		return nil, fmt.Errorf("E5S1: %w", err)
	}
	w := &gguf.Writer{}
	shape := bertShape{
		Name: "multilingual-e5-small", License: "mit", FileType: 2,
		Hidden: m.hidden, Layers: m.layers, Heads: m.heads, Inter: m.inter,
		Context: m.context, Types: m.types, Epsilon: m.epsilon, Pooling: 1,
		BOS: m.bos, EOS: m.eos, PAD: m.pad, UNK: m.unk,
		Separator: m.eos, Class: m.bos, Mask: int32(len(m.pieces) - 1), // <mask> is the last piece
	}
	setModelKeys(w, shape)
	m.setVocabulary(w)
	setTokenKeys(w, shape)
	for _, t := range m.tensors {
		name, err := e5TensorName(t.name)
		if err != nil {
			return nil, err
		}
		kind := gguf.F32
		if t.quantized {
			kind = gguf.Q4_0
		}
		w.Add(name, kind, m.shapeOf(t), gguf.Bytes(t.data))
	}
	return w, nil
}

type e5Tensor struct {
	name      string
	quantized bool
	values    uint64
	data      []byte
}

type e5Model struct {
	hidden, layers, heads, inter int
	vocabulary, context, types   int
	epsilon                      float32
	bos, eos, pad, unk           int32
	pieces                       []string
	scores                       []float32
	tensors                      []e5Tensor
}

func readE5(data []byte) (*e5Model, error) {
	r := &reader{b: data}
	if string(r.take(4)) != "E5S1" {
		return nil, errors.New("no E5S1 file")
	}
	r.u32() // version
	m := &e5Model{
		hidden: r.int(), layers: r.int(), heads: r.int(), inter: r.int(),
		vocabulary: r.int(), context: r.int(), types: r.int(),
		epsilon: r.float(),
	}
	if r.err == nil && (m.vocabulary < 1 || m.vocabulary > 1<<20 || m.hidden < 1 || m.inter < 1) {
		return nil, errors.New("sizes out of range")
	}
	if block := r.int(); r.err == nil && block != 32 {
		return nil, fmt.Errorf("blocks of %d values instead of 32", block)
	}
	n := r.int()
	m.bos, m.eos, m.pad, m.unk = int32(r.u32()), int32(r.u32()), int32(r.u32()), int32(r.u32())
	blobLength := r.u64()
	offsets := r.take(4 * (n + 1))
	scores := r.take(4 * n)
	blob := r.take(int(min(blobLength, math.MaxInt32)))
	if r.err != nil {
		return nil, r.err
	}
	for _, id := range []int32{m.bos, m.eos, m.pad, m.unk, int32(n - 1)} {
		if id < 0 || int(id) >= m.vocabulary {
			return nil, fmt.Errorf("special token %d lies outside the vocabulary", id)
		}
	}
	for i := range n {
		from := binary.LittleEndian.Uint32(offsets[4*i:])
		to := binary.LittleEndian.Uint32(offsets[4*i+4:])
		if from > to || int(to) > len(blob) {
			return nil, fmt.Errorf("piece %d lies outside the vocabulary", i)
		}
		m.pieces = append(m.pieces, string(blob[from:to]))
		m.scores = append(m.scores, math.Float32frombits(binary.LittleEndian.Uint32(scores[4*i:])))
	}
	r.u32() // entries of a character map, which NFKC replaces
	r.take(r.int())
	if err := m.readTensors(r, data); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *e5Model) readTensors(r *reader, data []byte) error {
	for range r.int() {
		t := e5Tensor{name: string(r.take(int(r.u16())))}
		t.quantized = r.u8() == 1
		t.values = uint64(r.u32())
		offset, size := r.u64(), r.u64()
		if r.err != nil {
			return r.err
		}
		if offset > uint64(len(data)) || size > uint64(len(data))-offset {
			return fmt.Errorf("tensor %q lies outside the file", t.name)
		}
		t.data = data[offset : offset+size]
		m.tensors = append(m.tensors, t)
	}
	return r.err
}

// shapeOf returns the dimensions, fastest-moving first.
func (m *e5Model) shapeOf(t e5Tensor) []uint64 {
	hidden, inter := uint64(m.hidden), uint64(m.inter)
	if table, ok := strings.CutPrefix(t.name, "emb."); ok && !strings.HasPrefix(table, "ln.") {
		return []uint64{hidden, t.values / hidden}
	}
	_, part, _ := strings.Cut(t.name, ".")
	switch part {
	case "q.w", "k.w", "v.w", "ao.w":
		return []uint64{hidden, hidden}
	case "fi.w":
		return []uint64{hidden, inter}
	case "fo.w":
		return []uint64{inter, hidden}
	}
	return []uint64{t.values}
}

func (m *e5Model) setVocabulary(w *gguf.Writer) {
	tokens := make([]string, m.vocabulary)
	scores := make([]float32, m.vocabulary)
	kinds := make([]int32, m.vocabulary)
	for i := range tokens {
		if i < len(m.pieces) && m.pieces[i] != "" {
			tokens[i], scores[i], kinds[i] = m.pieces[i], m.scores[i], tokenNormal
			continue
		}
		tokens[i], scores[i], kinds[i] = fmt.Sprintf("[PAD%d]", i), missingScore, tokenUnused
	}
	for _, id := range []int32{m.bos, m.eos, m.pad, int32(len(m.pieces) - 1)} {
		kinds[id] = tokenControl
	}
	kinds[m.unk] = tokenUnknown
	w.Set("tokenizer.ggml.model", "t5")
	w.Set("tokenizer.ggml.pre", "default")
	w.Set("tokenizer.ggml.token_type_count", uint32(m.types))
	for _, flag := range []string{"add_space_prefix", "remove_extra_whitespaces", "add_bos_token", "add_eos_token"} {
		w.Set("tokenizer.ggml."+flag, true)
	}
	w.Set("tokenizer.ggml.tokens", tokens)
	w.Set("tokenizer.ggml.scores", scores)
	w.Set("tokenizer.ggml.token_type", kinds)
}

var e5Names = map[string]string{
	"emb.word": "token_embd.weight", "emb.pos": "position_embd.weight", "emb.type": "token_types.weight",
	"emb.ln": "token_embd_norm",
	"q":      "attn_q", "k": "attn_k", "v": "attn_v", "ao": "attn_output", "aln": "attn_output_norm",
	"fi": "ffn_up", "fo": "ffn_down", "oln": "layer_output_norm",
}

// e5TensorName translates emb.* and lN.part.w|b.
func e5TensorName(name string) (string, error) {
	if to, ok := e5Names[name]; ok && strings.HasPrefix(name, "emb.") {
		return to, nil
	}
	base, ending := name, ""
	switch {
	case strings.HasSuffix(name, ".w"):
		base, ending = name[:len(name)-2], ".weight"
	case strings.HasSuffix(name, ".b"):
		base, ending = name[:len(name)-2], ".bias"
	}
	if to, ok := e5Names[base]; ok && ending != "" && strings.HasPrefix(base, "emb.") {
		return to + ending, nil
	}
	layer, part, ok := strings.Cut(strings.TrimPrefix(base, "l"), ".")
	if to := e5Names[part]; ok && to != "" && ending != "" {
		return "blk." + layer + "." + to + ending, nil
	}
	return "", fmt.Errorf("unknown tensor %q", name)
}
