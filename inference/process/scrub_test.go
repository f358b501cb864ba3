package process

import (
	"strings"
	"testing"
)

func TestScrub(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"panic: runtime error: index out of range [5] with length 3", "panic: runtime error: index out of range [5] with length 3"},
		{"panic: the rent of flat 12 is 840 euros", "panic: (text removed)"},
		{"fatal error: all goroutines are asleep - deadlock!", "fatal error: all goroutines are asleep - deadlock!"},
		{"[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a2b10]", "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a2b10]"},
		{"goroutine 17 [running]:", "goroutine 17 [running]:"},
		{"referent/inference/llama.(*Host).decode(0xc000012345, {0xc00010, 0x3, 0x8})", "referent/inference/llama.(*Host).decode(0xc000012345, {0xc00010, 0x3, 0x8})"},
		{"\treferent/inference/llama/decode.go:120 +0x1d4", "\treferent/inference/llama/decode.go:120 +0x1d4"},
		{"SIGABRT: abort", "SIGABRT: abort"},
		{"/src/llama.cpp/src/llama-vocab.cpp:1234: GGML_ASSERT(id_to_token.size() == token_to_id.size()) failed", "/src/llama.cpp/src/llama-vocab.cpp:1234: GGML_ASSERT(id_to_token.size() == token_to_id.size()) failed"},
		{"/src/ggml-cuda.cu:75: CUDA error", "/src/ggml-cuda.cu:75: CUDA error"},
		{"ggml_vulkan: Device memory allocation of size 1073741824 failed.", "ggml_vulkan: Device memory allocation of size 1073741824 failed."},
		{"llama_context: n_ctx = 4096", "llama_context: n_ctx = 4096"},
		{"load_tensors: offloaded 3/5 layers to GPU", "load_tensors: offloaded 3/5 layers to GPU"},
		{"terminate called after throwing an instance of 'vk::DeviceLostError'", "terminate called after throwing an instance of 'vk::DeviceLostError'"},
		{"  what():  vk::Queue::submit: ErrorDeviceLost", "  what():  vk::Queue::submit: ErrorDeviceLost"},
		{"  what():  invalid text near: Maria Rossi", "  what():  (text removed)"},
		{"llama_tokenize: prompt: the rent is 840", ""},
		{"llama_tokenize: text = the rent is 840", ""},
		{"The rent of flat 12 is 840 euros.", ""},
		{"load the dishwasher at noon", ""},
		{"note: the tenant left in March", ""},
		{"rules.c:12: the tenant left in March", ""},
		{"", ""},
	} {
		got, ok := Scrub(c.line)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("Scrub(%q) = %q, %v; want %q", c.line, got, ok, c.want)
		}
	}
}

func TestTheRingKeepsTheLastWholeLines(t *testing.T) {
	r := newRing(60)
	for _, part := range []string{"llama_a: first\nllama_b", ": second\nsecret of ", "the house\nllama_c: third\n", "llama_d: ", "fourth, and the longest of them", "\r\nllama_e: un"} {
		if n, err := r.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	// The unfinished line is not told yet. 14+1, 15+1, 14+1 and 40+1 bytes do
	// not fit 60: the first two lines go.
	if want := "llama_c: third\nllama_d: fourth, and the longest of them\n"; r.String() != want {
		t.Errorf("got %q, want %q", r.String(), want)
	}
	r.flush()
	if !strings.HasSuffix(r.String(), "llama_e: un\n") {
		t.Errorf("the unfinished line is lost: %q", r.String())
	}
	if _, err := r.Write([]byte("llama_f: " + strings.Repeat("x", 10_000))); err != nil {
		t.Fatal(err)
	}
	r.flush()
	if got := len(r.String()); got > 60 {
		t.Errorf("the ring holds %d bytes, want at most 60", got)
	}
}
