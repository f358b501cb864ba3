package llama

import (
	"slices"
	"sync"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/chat"
)

// fileIdentity says whether two loads mean the same file.
type fileIdentity struct {
	path     string
	size     int64
	modified int64
}

// resident is a model file in memory.
type resident struct {
	model          llama.Model
	vocabulary     vocabulary
	template       *chat.Template
	pairTemplate   string
	dimensions     int
	classes        int // outputs of a rank head
	contextTrained int
	file           fileIdentity
	wantedLayers   int
	evaluators     int // that hold it, and one for a load under way; guarded by library.loads

	mu   sync.Mutex
	info inference.ModelInfo
}

// drop lets go of the weights and frees them with the last holder. It needs
// library.loads.
func (r *resident) drop() {
	if r.evaluators--; r.evaluators == 0 {
		_ = llama.ModelFree(r.model)
	}
}

func (r *resident) describe() inference.ModelInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.info
	info.Roles = slices.Clone(info.Roles)
	return info
}

func (r *resident) profile() inference.Profile {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.info.Profile
}

// leave takes a context out of the description.
func (r *resident) leave(e *evaluator) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.info.Roles = slices.DeleteFunc(r.info.Roles, func(x inference.Role) bool { return x == e.role })
	r.info.ResidentBytes -= e.bytes
}

// measured keeps the newest rates. A rewrite is short, so it speaks only where
// no answer has.
func (r *resident) measured(role inference.Role, prefill, decode float64, threads int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := role == inference.RoleAnswer
	if prefill > 0 && (first || r.info.PrefillPerSecond == 0) {
		r.info.PrefillPerSecond = prefill
	}
	if decode > 0 && (first || r.info.DecodePerSecond == 0) {
		r.info.DecodePerSecond = decode
	}
	r.info.Threads = threads
}
