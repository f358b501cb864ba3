package inference

import (
	"context"
	"time"
)

// Role is the part that a model plays.
type Role string

// The closed list of roles.
const (
	RoleAnswer   Role = "answer"
	RoleCondense Role = "condense"
	RoleEmbed    Role = "embed"
	RoleRerank   Role = "rerank"
)

// Roles lists every role in the order in which the program shows them.
func Roles() []Role { return []Role{RoleAnswer, RoleCondense, RoleEmbed, RoleRerank} }

// PromptStyle says which form of prompt a model follows best. It is measured
// for each model and kept in its catalogue entry.
type PromptStyle string

const (
	// StyleInstruct: rules and examples in one chat message.
	StyleInstruct PromptStyle = "instruct"
	// StyleCompletion: a plain text to be continued, without a chat template.
	StyleCompletion PromptStyle = "completion"
)

// ToolStyle says how a model calls tools.
type ToolStyle string

const (
	// ToolsByLine: one line of plain words, held to a grammar where the host can.
	// The empty style is this one.
	ToolsByLine ToolStyle = "line"
	// ToolsNative: the calls of the model's own chat template, where it has them.
	ToolsNative ToolStyle = "native"
)

// Normalization is what is done to a text before an embedding model tokenises it.
type Normalization string

const (
	// NormalizeNone leaves the text as it is.
	NormalizeNone Normalization = ""
	// NormalizeNFKC applies NFKC and collapses white space (SentencePiece models).
	NormalizeNFKC Normalization = "nfkc_collapse"
	// NormalizeStripMarks applies NFD and drops combining marks (WordPiece models).
	NormalizeStripMarks Normalization = "nfd_strip_marks"
)

// Profile is what the catalogue knows about using a model well. It travels
// with a load, so that an implementation needs no catalogue.
type Profile struct {
	ID            string        `json:"id"`
	Name          string        `json:"name"`
	PromptStyle   PromptStyle   `json:"prompt_style"`
	FewShot       bool          `json:"few_shot"` // answers need three short examples to cite
	QueryPrefix   string        `json:"query_prefix"`
	PassagePrefix string        `json:"passage_prefix"`
	Pooling       string        `json:"pooling"` // mean | cls | last | rank; empty: as the file says
	Normalize     Normalization `json:"normalize"`
	FloorCosine   float64       `json:"floor_cosine"` // dense floor, fitted on development data; 0: not calibrated
	RerankFloor   float64       `json:"rerank_floor"`
	ChatTemplate  string        `json:"chat_template"` // overrides the file's
	Thinks        bool          `json:"thinks"`        // opens a think block unless told not to
	AnswerMode    string        `json:"answer_mode"`   // default answer mode for this model; empty: generate
	ToolStyle     ToolStyle     `json:"tool_style"`    // how it calls tools; empty: by line
}

// ModelInfo describes a loaded model. Sizes are bytes, rates tokens a second.
type ModelInfo struct {
	Profile
	Roles            []Role  `json:"roles"`
	Path             string  `json:"path"`
	Hash             string  `json:"hash"` // SHA-256 of the file, lower-case hex
	Architecture     string  `json:"architecture"`
	Quantization     string  `json:"quantization"`
	Parameters       int64   `json:"parameters"`
	SizeBytes        int64   `json:"size_bytes"`
	ContextTrained   int     `json:"context_trained"`
	Context          int     `json:"context"`
	Dimensions       int     `json:"dimensions"`
	Layers           int     `json:"layers"`
	GPULayersWanted  int     `json:"gpu_layers_wanted"`
	GPULayers        int     `json:"gpu_layers"` // what was really offloaded
	Device           string  `json:"device"`     // "CPU", "Vulkan0", …
	Runtime          string  `json:"runtime"`    // cpu | vulkan | cuda | metal
	Threads          int     `json:"threads"`
	ResidentBytes    int64   `json:"resident_bytes"`
	PrefillPerSecond float64 `json:"prefill_per_second"` // 0 until measured
	DecodePerSecond  float64 `json:"decode_per_second"`  // 0 until measured
	Grammar          bool    `json:"grammar"`            // a reply can be held to a grammar
	ToolCalls        bool    `json:"tool_calls"`         // the chat template has calls of tools in the form of Tool
	Note             string  `json:"note"`               // a sentence about how it was loaded; may be empty
}

// LoadSpec asks a Host for a model. Roles that share a file are loaded
// together: the weights once, a context for each role.
type LoadSpec struct {
	Roles     []Role  `json:"roles"`
	Path      string  `json:"path"`
	Hash      string  `json:"hash"` // expected SHA-256; empty: not checked, computed
	Profile   Profile `json:"profile"`
	GPULayers int     `json:"gpu_layers"` // -1: as many as fit; 0: CPU only
	Context   int     `json:"context"`    // tokens; 0: the implementation's default for the role
	Threads   int     `json:"threads"`    // 0: the implementation's choice

	// UBatch, KVType and MarginBytes lower the need of memory. A supervisor
	// sets them when a load failed or a worker died; zero values leave the
	// implementation's own choice.
	UBatch      int    `json:"ubatch"`       // tokens evaluated in one step
	KVType      string `json:"kv_type"`      // "f16" or "q8_0"
	MarginBytes int64  `json:"margin_bytes"` // device memory left free on top of the usual margin

	// Beside are models that are meant for other roles. As many layers as fit
	// (GPULayers -1) are planned for all of them together that are not in memory
	// yet, so that the order of loads decides nothing.
	Beside []Beside `json:"beside,omitempty"`
}

// Beside is a model of another role, as its own LoadSpec would say it.
type Beside struct {
	Role      Role   `json:"role"`
	Path      string `json:"path"`
	GPULayers int    `json:"gpu_layers"`
	Context   int    `json:"context"` // 0: the implementation's default for the role
}

// Host loads models and hands out what they can do. All methods may be called
// from any goroutine. A model in use is not unloaded under its caller.
type Host interface {
	// Load makes the model ready for its roles, replacing what held them.
	// progress gets 0 to 1 and may be nil. Errors: ErrModelFile,
	// ErrOutOfMemory, ErrNoRuntime, ErrWorkerDied, the context's error.
	Load(ctx context.Context, spec LoadSpec, progress func(done float64)) (ModelInfo, error)
	// Unload frees the role; with nothing loaded it does nothing.
	Unload(ctx context.Context, role Role) error
	// Generator, Embedder, Reranker and Tokenizer return ErrNoModel while
	// the role is empty. Their values stay valid over a restart of the
	// worker behind them.
	Generator(role Role) (Generator, error)
	Embedder() (Embedder, error)
	Reranker() (Reranker, error)
	Tokenizer(role Role) (Tokenizer, error)
	// Loaded lists the models in memory, in no order.
	Loaded() []ModelInfo
	// Close unloads everything and ends what was started.
	Close() error
}

// DefaultIdle is how long a model may rest before a Host may unload it.
const DefaultIdle = 30 * time.Minute
