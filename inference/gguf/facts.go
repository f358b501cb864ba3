package gguf

import (
	"strconv"
	"strings"
)

// Architecture returns general.architecture, or "".
func (f *File) Architecture() string { return f.String("general.architecture") }

// Name returns general.name, or "".
func (f *File) Name() string { return f.String("general.name") }

// ChatTemplate returns the model's Jinja chat template, or "".
func (f *File) ChatTemplate() string { return f.String("tokenizer.chat_template") }

// hyper returns a number under the architecture's own prefix. Some models give
// one value a layer; then it is the largest of them.
func (f *File) hyper(name string) int {
	v := f.Value(f.Architecture() + "." + name)
	if n, ok := toInt(v); ok {
		return clampInt(n)
	}
	most := int64(0)
	for _, n := range perLayer(v) {
		most = max(most, n)
	}
	return clampInt(most)
}

// perLayer returns the numbers of an array of integers.
func perLayer(v any) []int64 {
	var out []int64
	switch v := v.(type) {
	case []int32:
		for _, n := range v {
			out = append(out, int64(n))
		}
	case []uint32:
		for _, n := range v {
			out = append(out, int64(n))
		}
	case []int64:
		out = v
	}
	return out
}

// clampInt keeps nonsense out of later arithmetic: no count of a model comes
// near the bound.
func clampInt(n int64) int { return int(min(max(n, 0), 1<<40)) }

// ContextLength returns the context that the model was trained with, in
// tokens; 0 if the file does not say.
func (f *File) ContextLength() int { return f.hyper("context_length") }

// EmbeddingLength returns the width of the model in elements; 0 if unknown.
func (f *File) EmbeddingLength() int { return f.hyper("embedding_length") }

// BlockCount returns the number of layers; 0 if unknown.
func (f *File) BlockCount() int { return f.hyper("block_count") }

// HeadCount returns the attention heads of the widest layer.
func (f *File) HeadCount() int { return f.hyper("attention.head_count") }

// HeadCountKV returns the key/value heads of the widest layer: HeadCount
// unless the file says otherwise.
func (f *File) HeadCountKV() int {
	if n := f.hyper("attention.head_count_kv"); n > 0 {
		return n
	}
	return f.HeadCount()
}

// HeadCountKVAt returns the key/value heads of one layer; 0 for a layer
// without attention (hybrid models).
func (f *File) HeadCountKVAt(layer int) int {
	list := perLayer(f.Value(f.Architecture() + ".attention.head_count_kv"))
	if layer >= 0 && layer < len(list) {
		return clampInt(list[layer])
	}
	return f.HeadCountKV()
}

// KeyLength returns the elements of one key head.
func (f *File) KeyLength() int {
	if n := f.hyper("attention.key_length"); n > 0 {
		return n
	}
	if h := f.HeadCount(); h > 0 {
		return f.EmbeddingLength() / h
	}
	return 0
}

// ValueLength returns the elements of one value head.
func (f *File) ValueLength() int {
	if n := f.hyper("attention.value_length"); n > 0 {
		return n
	}
	return f.KeyLength()
}

// SlidingWindow returns the attention window in tokens; 0 for full attention.
func (f *File) SlidingWindow() int { return f.hyper("attention.sliding_window") }

// VocabularySize returns the number of tokens.
func (f *File) VocabularySize() int {
	if n := len(f.Strings("tokenizer.ggml.tokens")); n > 0 {
		return n
	}
	return f.hyper("vocab_size")
}

// Pooling returns mean, cls, last or rank, or "" for a model that does not pool.
func (f *File) Pooling() string {
	n, ok := f.Int(f.Architecture() + ".pooling_type")
	if !ok {
		return ""
	}
	// enum llama_pooling_type
	return map[int64]string{1: "mean", 2: "cls", 3: "last", 4: "rank"}[n]
}

// Parameters returns the number of weights.
func (f *File) Parameters() int64 {
	var sum int64
	for _, t := range f.Tensors {
		if n, err := t.Elements(); err == nil {
			sum += int64(min(n, 1<<50))
		}
	}
	return sum
}

// fileTypes is llama.cpp's enum llama_ftype.
var fileTypes = map[int64]string{
	0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1",
	10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M",
	16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S",
	22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M",
	28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4",
}

// Quantization returns the name of the file's quantisation, such as Q4_K_M,
// or the type that holds most bytes if the file does not say.
func (f *File) Quantization() string {
	if n, ok := f.Int("general.file_type"); ok && fileTypes[n] != "" {
		return fileTypes[n]
	}
	bytes := map[TensorType]uint64{}
	var most TensorType
	for _, t := range f.Tensors {
		if n, err := t.Size(); err == nil {
			bytes[t.Type] += n
			if bytes[t.Type] > bytes[most] {
				most = t.Type
			}
		}
	}
	if len(f.Tensors) == 0 {
		return ""
	}
	return most.String()
}

// Weights says where the bytes of a model lie, for a plan of what goes to a GPU.
type Weights struct {
	Layers []int64 // bytes of each layer, in order
	Input  int64   // token embedding and what comes before the first layer; stays on the CPU
	Output int64   // what comes after the last layer; offloaded as one more layer
	// TiedOutput: the output matrix is the token embedding. Offloading the
	// output then copies Input's table.
	TiedOutput bool
}

// BytesPerLayer adds up the tensor table by layer.
func (f *File) BytesPerLayer() Weights {
	w := Weights{Layers: make([]int64, min(f.BlockCount(), 1<<12)), TiedOutput: true}
	for _, t := range f.Tensors {
		n, err := t.Size()
		if err != nil {
			continue
		}
		size := int64(min(n, 1<<50))
		if layer, ok := layerOf(t.Name); ok && layer < len(w.Layers) {
			w.Layers[layer] += size
			continue
		}
		switch {
		case strings.HasPrefix(t.Name, "output"), strings.HasPrefix(t.Name, "cls"):
			w.Output += size
			w.TiedOutput = w.TiedOutput && t.Name != "output.weight"
		default:
			w.Input += size
		}
	}
	return w
}

// layerOf reads N from "blk.N.rest".
func layerOf(name string) (int, bool) {
	rest, ok := strings.CutPrefix(name, "blk.")
	if !ok {
		return 0, false
	}
	digits, _, ok := strings.Cut(rest, ".")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0
}
