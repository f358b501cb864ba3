package gguf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/inference"
)

// small writes a llama file of two layers whose sizes can be counted by hand:
// width 32, 4 tokens, one F32 matrix of 32 x 32 (4096 bytes) in each layer, a
// Q8_0 output of 32 x 4 (4 blocks of 34 = 136 bytes).
func small(change func(*Writer)) *Writer {
	w := &Writer{}
	w.Set("general.architecture", "llama")
	w.Set("general.type", "model")
	w.Set("llama.block_count", uint32(2))
	w.Set("llama.context_length", uint32(128))
	w.Set("llama.embedding_length", uint32(32))
	w.Set("llama.attention.head_count", uint32(4))
	w.Set("llama.attention.head_count_kv", uint32(2))
	w.Set("tokenizer.ggml.tokens", []string{"<unk>", "a", "b", ""})
	w.Set("tokenizer.ggml.scores", []float32{0, -1, -2, -3})
	w.Set("tokenizer.ggml.token_type", []int32{2, 1, 1, 1})
	w.Set("tokenizer.chat_template", "{{ messages }}")
	w.Add("token_embd.weight", F32, []uint64{32, 4}, Floats(make([]float32, 128)))
	w.Add("blk.0.attn_q.weight", F32, []uint64{32, 32}, Floats(make([]float32, 1024)))
	w.Add("blk.1.attn_q.weight", F32, []uint64{32, 32}, Floats(make([]float32, 1024)))
	w.Add("output.weight", Q8_0, []uint64{32, 4}, Bytes(make([]byte, 136)))
	if change != nil {
		change(w)
	}
	return w
}

func written(t testing.TB, w *Writer) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := w.WriteTo(&b)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) {
		t.Fatalf("WriteTo says %d bytes and wrote %d", n, b.Len())
	}
	return b.Bytes()
}

func read(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Read(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReadGivesBackWhatWasWritten(t *testing.T) {
	values := []any{
		uint8(1), int8(-2), uint16(3), int16(-4), uint32(5), int32(-6), float32(1.5), true, "text",
		uint64(1 << 40), int64(-1 << 40), 2.5,
		[]uint8{1, 2}, []int8{-1}, []uint16{7}, []int16{-7}, []uint32{8}, []int32{-8}, []float32{0.5},
		[]bool{true, false}, []string{"x", "", "y"}, []uint64{9}, []int64{-9}, []float64{0.25},
	}
	b := written(t, small(func(w *Writer) {
		for i, v := range values {
			w.Set("test."+string(rune('a'+i)), v)
		}
	}))
	f := read(t, b)
	for i, v := range values {
		if got := f.Value("test." + string(rune('a'+i))); !reflect.DeepEqual(got, v) {
			t.Errorf("%T: got %#v, want %#v", v, got, v)
		}
	}
	if f.DataOffset%32 != 0 || f.Version != 3 {
		t.Errorf("data at %d, version %d", f.DataOffset, f.Version)
	}
}

func TestEqualInputGivesEqualBytes(t *testing.T) {
	if !bytes.Equal(written(t, small(nil)), written(t, small(nil))) {
		t.Error("two runs differ")
	}
}

func TestFactsOfAFile(t *testing.T) {
	f := read(t, written(t, small(nil)))
	for name, pair := range map[string][2]int{
		"context": {f.ContextLength(), 128}, "width": {f.EmbeddingLength(), 32}, "layers": {f.BlockCount(), 2},
		"heads": {f.HeadCount(), 4}, "kv heads": {f.HeadCountKV(), 2}, "key length": {f.KeyLength(), 8},
		"value length": {f.ValueLength(), 8}, "vocabulary": {f.VocabularySize(), 4}, "window": {f.SlidingWindow(), 0},
		"parameters": {int(f.Parameters()), 128 + 1024 + 1024 + 128},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: got %d, want %d", name, pair[0], pair[1])
		}
	}
	w := f.BytesPerLayer()
	if !slices.Equal(w.Layers, []int64{4096, 4096}) || w.Input != 512 || w.Output != 136 || w.TiedOutput {
		t.Errorf("bytes per layer: %+v", w)
	}
	if f.ChatTemplate() != "{{ messages }}" || f.Architecture() != "llama" || f.Quantization() != "F32" {
		t.Errorf("%q %q %q", f.ChatTemplate(), f.Architecture(), f.Quantization())
	}
}

func TestHeadsOfEachLayer(t *testing.T) {
	b := written(t, small(func(w *Writer) {
		w.keys = slices.DeleteFunc(w.keys, func(k Key) bool { return k.Name == "llama.attention.head_count_kv" })
		w.Set("llama.attention.head_count_kv", []int32{0, 4})
	}))
	f := read(t, b)
	if f.HeadCountKVAt(0) != 0 || f.HeadCountKVAt(1) != 4 || f.HeadCountKV() != 4 {
		t.Errorf("%d %d %d", f.HeadCountKVAt(0), f.HeadCountKVAt(1), f.HeadCountKV())
	}
}

func TestCheckRefusesWithASentence(t *testing.T) {
	set := func(name string, v any) func(*Writer) {
		return func(w *Writer) {
			w.keys = slices.DeleteFunc(w.keys, func(k Key) bool { return k.Name == name })
			if v != nil {
				w.Set(name, v)
			}
		}
	}
	tensor := func(change func(*Tensor)) func(*Writer) {
		return func(w *Writer) { change(&w.tensors[1].Tensor) }
	}
	cases := map[string]struct {
		change func(*Writer)
		says   string
	}{
		"unknown architecture":  {set("general.architecture", "quark"), "architecture"},
		"an adapter":            {set("general.type", "adapter"), "addition"},
		"an image encoder":      {set("general.type", "mmproj"), "addition"},
		"a split model":         {set("split.count", uint16(3)), "split into 3"},
		"no layers":             {set("llama.block_count", nil), "damaged"},
		"too many layers":       {set("llama.block_count", uint32(513)), "damaged"},
		"no vocabulary":         {set("tokenizer.ggml.tokens", nil), "no vocabulary"},
		"a token twice":         {set("tokenizer.ggml.tokens", []string{"a", "b", "a", "c"}), "twice"},
		"the library's own":     {set("tokenizer.ggml.tokens", []string{"", "[EMPTY_0]", "a", "c"}), "twice"},
		"scores too few":        {set("tokenizer.ggml.scores", []float32{1}), "damaged"},
		"types too few":         {set("tokenizer.ggml.token_type", []int32{1}), "damaged"},
		"a tensor beyond":       {tensor(func(t *Tensor) { t.Offset = 1 << 20 }), "ends too early"},
		"a tensor that wraps":   {tensor(func(t *Tensor) { t.Offset = math.MaxUint64 - 31 }), "ends too early"},
		"a huge shape":          {tensor(func(t *Tensor) { t.Shape = []uint64{1 << 40, 1 << 40} }), "damaged"},
		"not aligned":           {tensor(func(t *Tensor) { t.Offset = 33 }), "damaged"},
		"an unknown type":       {tensor(func(t *Tensor) { t.Type = 99 }), "not known"},
		"a broken row":          {tensor(func(t *Tensor) { t.Type, t.Shape = Q8_0, []uint64{33} }), "damaged"},
		"a tensor twice":        {tensor(func(t *Tensor) { t.Name = "token_embd.weight" }), "damaged"},
		"no weights":            {func(w *Writer) { w.tensors = nil }, "no weights"},
		"an odd alignment":      {set("general.alignment", uint32(33)), "damaged"},
		"a text for the number": {set("llama.block_count", "two"), "damaged"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.gguf")
			if err := os.WriteFile(path, written(t, small(c.change)), 0o600); err != nil {
				t.Fatal(err)
			}
			expectSentence(t, Check(path), c.says)
		})
	}
}

func expectSentence(t *testing.T, err error, says string) {
	t.Helper()
	if !errors.Is(err, inference.ErrModelFile) || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want a sentence with %q", err, says)
	}
}

func TestCheckOfFilesThatAreNoModel(t *testing.T) {
	good := written(t, small(nil))
	version1 := slices.Clone(good)
	version1[4] = 1
	for name, c := range map[string]struct {
		bytes []byte
		says  string
	}{
		"empty":           {nil, "not a GGUF"},
		"a text":          {[]byte("hello, world"), "not a GGUF"},
		"version 1":       {version1, "version 1"},
		"cut in the keys": {good[:100], "ends too early"},
		"cut in the data": {good[:len(good)-200], "ends too early"},
		"only ones in it": {append([]byte("GGUF\x03\x00\x00\x00"), bytes.Repeat([]byte{0xff}, 500)...), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.gguf")
			if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			expectSentence(t, Check(path), c.says)
		})
	}
	expectSentence(t, Check(filepath.Join(t.TempDir(), "none")), "not there")
	expectSentence(t, Check(t.TempDir()), "damaged")
}

func TestCheckAcceptsAGoodFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gguf")
	hash, err := small(nil).WriteFile(path)
	if err != nil || len(hash) != 64 {
		t.Fatal(hash, err)
	}
	if err := Check(path); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.part*"))
	if err != nil || len(left) > 0 {
		t.Error("a part file stayed:", left, err)
	}
}

func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gguf")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*Writer{
		"too few bytes": small(func(w *Writer) { w.Add("x", F32, []uint64{4}, Bytes(make([]byte, 15))) }),
		"a failure":     small(func(w *Writer) { w.Add("x", F32, []uint64{4}, func(io.Writer) error { return io.ErrClosedPipe }) }),
		"a key twice":   small(func(w *Writer) { w.Set("general.type", "model") }),
		"no such type":  small(func(w *Writer) { w.Set("x", struct{}{}) }),
	} {
		if _, err := w.WriteFile(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("the old file became %q, %v", b, err)
	}
	if left, _ := filepath.Glob(path + ".part*"); len(left) > 0 {
		t.Error("part files stayed:", left)
	}
}

// The count is believed only as far as the file reaches: 2^60 strings in a file
// of a hundred bytes must not take memory.
func TestHugeCountsAreRefusedBeforeMemoryIsTaken(t *testing.T) {
	header := func(kind uint32, n uint64) []byte {
		b := []byte(Magic)
		b = binary.LittleEndian.AppendUint32(b, 3)
		b = binary.LittleEndian.AppendUint64(b, 0)
		b = binary.LittleEndian.AppendUint64(b, 1)
		b = binary.LittleEndian.AppendUint64(b, 1)
		b = append(b, 'k')
		b = binary.LittleEndian.AppendUint32(b, typeArray)
		b = binary.LittleEndian.AppendUint32(b, kind)
		return binary.LittleEndian.AppendUint64(b, n)
	}
	for _, kind := range []uint32{typeUint8, typeString, typeFloat64, typeArray, 77} {
		b := header(kind, 1<<60)
		grown := testing.AllocsPerRun(1, func() {
			if _, err := Read(bytes.NewReader(b), int64(len(b))); err == nil {
				t.Errorf("type %d: no error", kind)
			}
		})
		if grown > 100 {
			t.Errorf("type %d: %v allocations", kind, grown)
		}
	}
}

func TestHalf(t *testing.T) {
	for x, want := range map[float32]uint16{
		0: 0, 1: 0x3c00, -2: 0xc000, 65504: 0x7bff, 65536: 0x7c00, 0.5: 0x3800,
		float32(math.Ldexp(1, -24)): 1, float32(math.Ldexp(1, -14)): 0x0400,
		float32(math.Ldexp(1, -25)): 0, // a tie goes to the even zero
		float32(math.Inf(-1)):       0xfc00,
		1 + 1.0/2048:                0x3c00, // ties to even
		1 + 3.0/2048:                0x3c02,
	} {
		if got := Half(x); got != want {
			t.Errorf("Half(%v) = %#x, want %#x", x, got, want)
		}
	}
	if Half(float32(math.NaN()))&0x7fff <= 0x7c00 {
		t.Error("not a number became a number")
	}
}

func FuzzRead(f *testing.F) {
	good := written(f, small(nil))
	f.Add(good)
	f.Add(good[:200])
	f.Add([]byte("GGUF\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Read(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		_ = file.Check()
		_ = file.BytesPerLayer()
		_ = file.Parameters()
		_, _, _ = file.Quantization(), file.KeyLength(), file.HeadCountKVAt(1)
	})
}
