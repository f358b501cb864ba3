package convert

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"referent/inference/gguf"
)

// tinyE5 writes an E5S1 container by hand: width 32, no layers but one, four
// pieces and six tokens, so that two tokens have no piece.
func tinyE5(change func(name string, values uint32) (string, uint32)) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a buffer never fails
	b.WriteString("E5S1")
	put(uint32(1))
	put([]int32{32, 1, 4, 64, 6, 8, 2})
	put(float32(1e-12))
	put([]int32{32, 5, 0, 2, 1, 3})
	pieces := []string{"<s>", "<pad>", "</s>", "<unk>", "<mask>"}
	blob := strings.Join(pieces, "")
	put(uint64(len(blob)))
	at := uint32(0)
	for _, p := range pieces {
		put(at)
		at += uint32(len(p))
	}
	put(at)
	put([]float32{0, 0, 0, 0, -7})
	b.WriteString(blob)
	put(int32(0))
	put(int32(3))
	b.WriteString("map")
	type tensor struct {
		name   string
		quant  byte
		values uint32
	}
	tensors := []tensor{{"emb.word", 1, 192}, {"emb.pos", 0, 256}, {"emb.type", 0, 64}, {"emb.ln.w", 0, 32}, {"l0.fi.w", 1, 2048}, {"l0.fo.w", 1, 2048}, {"l0.q.b", 0, 32}}
	if change != nil {
		tensors[6].name, tensors[6].values = change(tensors[6].name, tensors[6].values)
	}
	put(int32(len(tensors)))
	size := func(t tensor) uint64 {
		if t.quant == 1 {
			return uint64(t.values) / 32 * 18
		}
		return uint64(t.values) * 4
	}
	directory := 0
	for _, t := range tensors {
		directory += 2 + len(t.name) + 1 + 4 + 8 + 8
	}
	offset := uint64(b.Len() + directory)
	for _, t := range tensors {
		put(uint16(len(t.name)))
		b.WriteString(t.name)
		b.WriteByte(t.quant)
		put(t.values)
		put(offset)
		put(size(t))
		offset += size(t)
	}
	for i, t := range tensors {
		b.Write(bytes.Repeat([]byte{byte(i + 1)}, int(size(t))))
	}
	return b.Bytes()
}

func header(t *testing.T, w *gguf.Writer) (*gguf.File, []byte) {
	t.Helper()
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f, b.Bytes()[f.DataOffset:]
}

func TestE5KeepsBlocksAndFillsHoles(t *testing.T) {
	w, err := E5(tinyE5(nil))
	if err != nil {
		t.Fatal(err)
	}
	f, data := header(t, w)
	if err := f.Check(); err != nil {
		t.Error(err)
	}
	if got := f.Strings("tokenizer.ggml.tokens"); !slices.Equal(got, []string{"<s>", "<pad>", "</s>", "<unk>", "<mask>", "[PAD5]"}) {
		t.Errorf("tokens %q", got)
	}
	if got := f.Value("tokenizer.ggml.scores"); !slices.Equal(got.([]float32), []float32{0, 0, 0, 0, -7, -1000}) {
		t.Errorf("scores %v", got)
	}
	if got := f.Value("tokenizer.ggml.token_type"); !slices.Equal(got.([]int32), []int32{3, 3, 3, 2, 3, 5}) {
		t.Errorf("types %v", got)
	}
	if mask, _ := f.Int("tokenizer.ggml.mask_token_id"); mask != 4 || f.Pooling() != "mean" || f.Architecture() != "bert" {
		t.Errorf("mask %d, pooling %s", mask, f.Pooling())
	}
	want := []string{"token_embd.weight[32 6]", "position_embd.weight[32 8]", "token_types.weight[32 2]", "token_embd_norm.weight[32]",
		"blk.0.ffn_up.weight[32 64]", "blk.0.ffn_down.weight[64 32]", "blk.0.attn_q.bias[32]"}
	for i, x := range f.Tensors {
		if got := fmt.Sprintf("%s%v", x.Name, x.Shape); got != want[i] {
			t.Errorf("tensor %d: %s, want %s", i, got, want[i])
		}
	}
	if first := data[:6*18]; !bytes.Equal(first, bytes.Repeat([]byte{1}, 108)) {
		t.Error("the quantised blocks were not copied")
	}
}

func TestE5RefusesWhatIsBroken(t *testing.T) {
	good := tinyE5(nil)
	cases := map[string][]byte{
		"empty":       nil,
		"other magic": append([]byte("E5S2"), good[4:]...),
		"cut":         good[:90],
		"cut later":   good[:len(good)-1],
		"unknown tensor": tinyE5(func(string, uint32) (string, uint32) {
			return "l0.xx.w", 32
		}),
	}
	block := slices.Clone(good)
	block[40] = 64
	cases["other blocks"] = block
	special := slices.Clone(good)
	special[48] = 200
	cases["a special token outside"] = special
	for name, b := range cases {
		if _, err := E5(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzE5(f *testing.F) {
	f.Add(tinyE5(nil))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = E5(b) }) // it must end, without a panic
}

// tinyBERT is a model of one layer and width 32; every weight is 1.
func tinyBERT(t *testing.T, drop string) (safetensors, config []byte) {
	t.Helper()
	s := bertShape{Hidden: 32, Layers: 1, Inter: 64, Context: 4, Types: 2}
	head := map[string]weight{}
	var data []byte
	for _, x := range bertTensors(s, 6) {
		if x.from == drop {
			continue
		}
		n := uint64(1)
		for _, d := range x.shape {
			n *= d
		}
		head[x.from] = weight{"F32", x.shape, []uint64{uint64(len(data)), uint64(len(data)) + 4*n}}
		for range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(1))
		}
	}
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	safetensors = append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), append(text, data...)...)
	return safetensors, []byte(`{"hidden_size":32,"num_hidden_layers":1,"num_attention_heads":4,"intermediate_size":64,
		"max_position_embeddings":4,"type_vocab_size":2,"vocab_size":6,"layer_norm_eps":1e-12}`)
}

func TestBERTWritesPiecesTheLibrarysWay(t *testing.T) {
	st, config := tinyBERT(t, "")
	w, err := BERT("tiny", "mit", st, config, []byte("[PAD]\n[UNK]\n[CLS]\n[SEP]\nhouse\n##s\n"))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := header(t, w)
	if err := f.Check(); err != nil {
		t.Error(err)
	}
	if got := f.Strings("tokenizer.ggml.tokens"); !slices.Equal(got, []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "\u2581house", "s"}) {
		t.Errorf("tokens %q", got)
	}
	if _, ok := f.Int("tokenizer.ggml.mask_token_id"); ok {
		t.Error("a mask token that the vocabulary lacks was written")
	}
	kinds := map[string]gguf.TensorType{}
	for _, x := range f.Tensors {
		kinds[x.Name] = x.Type
	}
	for name, want := range map[string]gguf.TensorType{
		"token_embd.weight": gguf.Q8_0, "position_embd.weight": gguf.F32, "blk.0.ffn_up.weight": gguf.Q8_0, "blk.0.ffn_up.bias": gguf.F32,
	} {
		if kinds[name] != want {
			t.Errorf("%s is %s, want %s", name, kinds[name], want)
		}
	}
}

func TestBERTRefusesWhatIsBroken(t *testing.T) {
	st, config := tinyBERT(t, "")
	short, _ := tinyBERT(t, "encoder.layer.0.output.dense.weight")
	const vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n"
	for name, c := range map[string]struct{ st, config, vocabulary string }{
		"a missing tensor":  {string(short), string(config), vocabulary},
		"a piece twice":     {string(st), string(config), "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\na\n"},
		"too many pieces":   {string(st), string(config), vocabulary + "c\n"},
		"a cut file":        {string(st[:len(st)-1]), string(config), vocabulary},
		"a header too long": {"\xff\xff\xff\xff\xff\xff\xff\xff{}", string(config), vocabulary},
		"no sizes":          {string(st), "{}", vocabulary},
	} {
		if _, err := BERT("tiny", "mit", []byte(c.st), []byte(c.config), []byte(c.vocabulary)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// One block by hand: the largest value is 12.7, so the scale is 0.1 and the
// bytes are ten times the values.
func TestQ8Block(t *testing.T) {
	v := make([]float32, 32)
	v[0], v[1], v[2], v[31] = 12.7, -12.7, 0.1, 5
	got := appendQ8Block(nil, v)
	want := make([]byte, 34)
	h := gguf.Half(0.1)
	want[0], want[1] = byte(h), byte(h>>8)
	want[2], want[3], want[4], want[33] = 127, 0x81, 1, 50
	if !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if zero := appendQ8Block(nil, make([]float32, 32)); !bytes.Equal(zero, make([]byte, 34)) {
		t.Errorf("zeros became %v", zero)
	}
}
