package convert

import "referent/inference/gguf"

// bertShape is what the library needs to know of a BERT encoder. Counts are
// elements, Epsilon is the one of the layer norms.
type bertShape struct {
	Name, License          string
	FileType               uint32 // llama.cpp's file type number: 0 F32, 1 F16, 2 Q4_0, 7 Q8_0
	Hidden, Layers, Heads  int
	Inter, Context, Types  int
	Epsilon                float32
	Pooling                uint32 // 1 mean, 2 first token, 4 rank
	BOS, EOS, PAD, UNK     int32
	Separator, Class, Mask int32
}

// setModelKeys writes the keys before the vocabulary. The order of all keys is
// fixed because it decides the hash of the file.
func setModelKeys(w *gguf.Writer, s bertShape) {
	w.Set("general.architecture", "bert")
	w.Set("general.type", "model")
	w.Set("general.name", s.Name)
	w.Set("general.license", s.License)
	w.Set("general.file_type", s.FileType)
	w.Set("general.quantization_version", uint32(2))
	w.Set("bert.block_count", uint32(s.Layers))
	w.Set("bert.context_length", uint32(s.Context))
	w.Set("bert.embedding_length", uint32(s.Hidden))
	w.Set("bert.feed_forward_length", uint32(s.Inter))
	w.Set("bert.attention.head_count", uint32(s.Heads))
	w.Set("bert.attention.layer_norm_epsilon", s.Epsilon)
	w.Set("bert.attention.causal", false)
	w.Set("bert.pooling_type", s.Pooling)
}

// setTokenKeys writes the ids of the special tokens, after the vocabulary.
func setTokenKeys(w *gguf.Writer, s bertShape) {
	// "seperator" is the format's own spelling.
	for _, k := range []struct {
		name string
		id   int32
	}{
		{"bos", s.BOS}, {"eos", s.EOS}, {"unknown", s.UNK}, {"seperator", s.Separator},
		{"padding", s.PAD}, {"cls", s.Class}, {"mask", s.Mask},
	} {
		if k.id >= 0 {
			w.Set("tokenizer.ggml."+k.name+"_token_id", uint32(k.id))
		}
	}
}

// The library's token types.
const (
	tokenNormal  int32 = 1
	tokenUnknown int32 = 2
	tokenControl int32 = 3
	tokenUnused  int32 = 5
)
