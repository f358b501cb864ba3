package process

import (
	"regexp"
	"strings"
)

// known are the forms of lines that the runtime of Go, the C library and the
// inference libraries write about themselves. None of them carries text of a
// document; what fits no form is dropped.
var known = []*regexp.Regexp{
	// Go: reasons of a crash, stacks, registers.
	regexp.MustCompile(`^(panic: runtime error: |fatal error: |runtime: |unexpected fault address |SIG[A-Z]+: |\[signal SIG|PC=0x|signal arrived during )`),
	regexp.MustCompile(`^goroutine \d+ .*:$`),
	regexp.MustCompile(`^(created by )?[\w./*()\[\]·{}-]+\(([0-9a-fx{}., ?_]|\.\.\.)*\)$`),
	regexp.MustCompile(`^created by [\w./*()-]+( in goroutine \d+)?$`),
	regexp.MustCompile(`^\t\S+\.(go|s|c|cpp|cu):\d+( \+0x[0-9a-f]+)?$`),
	regexp.MustCompile(`^(r[a-z0-9]+|rip|rflags|cs|fs|gs|x\d+|lr|sp|pc|fault)\s+0x[0-9a-f]+$`),
	regexp.MustCompile(`^exit status \d+$`),
	// C and C++.
	regexp.MustCompile(`^(terminate called |free\(\): |malloc\(\): |corrupted |double free|munmap_chunk|\*\*\* stack smashing|libc\+\+abi: )`),
	regexp.MustCompile(`^\S+\.(c|cc|cpp|cu|cuh|h|hpp|m):\d+: (GGML_\w+|[\w ]{0,60}(error|failed)\b)`),
	regexp.MustCompile(`error while loading shared libraries: `),
	// llama.cpp and ggml.
	regexp.MustCompile(`^~?(llama|ggml|gguf|common)_\w+: `),
	regexp.MustCompile(`^(load_backend|load_tensors|load|load_hparams|init_tokenizer|print_info|sched_reserve|graph_reserve|set_abort_callback|create_memory|alloc_tensor_range|register_backend|register_device|get_memory): `),
	regexp.MustCompile(`^(CUDA error|ROCm error|GGML_(ASSERT|ABORT)|vk::\w+|cudaMalloc failed)\b`),
	// Our own children.
	regexp.MustCompile(`^referent: `),
}

// what() of a C++ exception may quote anything; only the forms of allocators
// and drivers are kept whole.
var exception = regexp.MustCompile(`^\s+what\(\):\s+(std::|vk::|basic_string::|vector::|map::|unordered_map::|_Map_base::|cudaMalloc|failed to allocate|unable to allocate)[\w:,.()<> &-]{0,160}$`)

// tokenText are lines of the libraries that print pieces of a vocabulary or of
// a prompt.
var tokenText = regexp.MustCompile(`(?i)(\bprompt|\btokens?\s*[:=]|\btext\s*[:=]|\bpiece)`)

// Scrub decides whether a line of error output may be kept, and in what form:
// a panic with a message of its own keeps only the fact, an exception with an
// unknown text likewise.
func Scrub(line string) (string, bool) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		return "", false
	case exception.MatchString(line):
		return line, true
	case strings.HasPrefix(trimmed, "what():"):
		return "  what():  (text removed)", true
	case strings.HasPrefix(line, "panic: ") && !strings.HasPrefix(line, "panic: runtime error: "):
		return "panic: (text removed)", true
	case tokenText.MatchString(line) && !strings.HasPrefix(line, "\t"):
		return "", false
	}
	for _, form := range known {
		if form.MatchString(line) {
			return line, true
		}
	}
	return "", false
}
