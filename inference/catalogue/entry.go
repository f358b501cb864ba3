package catalogue

import (
	"slices"

	"referent/inference"
)

// CacheKind says how a model remembers the text so far. Only a full cache can
// be cut anywhere.
type CacheKind string

// The closed list of cache kinds.
const (
	CacheFull   CacheKind = "full"
	CacheSWA    CacheKind = "swa"    // sliding window
	CacheHybrid CacheKind = "hybrid" // attention and recurrent layers
	CacheNone   CacheKind = "none"   // encoders
)

// Entry is one model in one quantisation.
type Entry struct {
	ID           string           `json:"id"`
	Name         string           `json:"name"` // for people
	File         string           `json:"file"` // usual name of the file
	Roles        []inference.Role `json:"roles"`
	Starter      []inference.Role `json:"starter,omitempty"` // roles that the set-up gives it
	Quantization string           `json:"quantization"`

	Bytes      int64  `json:"bytes"`                 // exact size of the file; 0: not known
	AboutBytes int64  `json:"about_bytes,omitempty"` // rounded, where Bytes is 0
	SHA256     string `json:"sha256"`                // lower-case hex; empty: not known
	URL        string `json:"url"`                   // empty: not known
	Licence    string `json:"licence"`               // SPDX identifier

	Context         int       `json:"context"` // tokens the model was trained with
	CacheKind       CacheKind `json:"cache_kind"`
	KVBytesPerToken int       `json:"kv_bytes_per_token"` // float16 cache; 0: none or not known
	MemoryGiB       int       `json:"memory_gib"`         // smallest memory it runs well in
	Dimensions      int       `json:"dimensions,omitempty"`
	Languages       []string  `json:"languages"` // ISO 639-1, those it is known to be good at
	Measured        bool      `json:"measured,omitempty"`
	Note            string    `json:"note,omitempty"` // a sentence for people

	PromptStyle   inference.PromptStyle   `json:"prompt_style,omitempty"`
	FewShot       bool                    `json:"few_shot,omitempty"`
	QueryPrefix   string                  `json:"query_prefix,omitempty"`
	PassagePrefix string                  `json:"passage_prefix,omitempty"`
	Pooling       string                  `json:"pooling,omitempty"`
	Normalize     inference.Normalization `json:"normalize,omitempty"`
	FloorCosine   float64                 `json:"floor_cosine,omitempty"`
	FloorComment  string                  `json:"floor_comment,omitempty"` // where FloorCosine comes from
	RerankFloor   float64                 `json:"rerank_floor,omitempty"`
	ChatTemplate  string                  `json:"chat_template,omitempty"`
	Thinks        bool                    `json:"thinks,omitempty"`
	AnswerMode    string                  `json:"answer_mode,omitempty"`
	ToolStyle     inference.ToolStyle     `json:"tool_style,omitempty"`
}

// Plays reports whether the model can play the role.
func (e Entry) Plays(role inference.Role) bool { return slices.Contains(e.Roles, role) }

// Downloadable reports whether the program may fetch the file. Without a hash
// here the bytes are compared with the one that the server announces, and the
// file is marked as such.
func (e Entry) Downloadable() bool { return e.URL != "" }

// Pinned reports whether the hash of the file is known here.
func (e Entry) Pinned() bool { return e.SHA256 != "" }

// Size returns the size of the file in bytes, exact where it is known.
func (e Entry) Size() int64 {
	if e.Bytes > 0 {
		return e.Bytes
	}
	return e.AboutBytes
}

// Profile returns what a host needs to use the model well.
func (e Entry) Profile() inference.Profile {
	return inference.Profile{
		ID: e.ID, Name: e.Name,
		PromptStyle: e.PromptStyle, FewShot: e.FewShot,
		QueryPrefix: e.QueryPrefix, PassagePrefix: e.PassagePrefix,
		Pooling: e.Pooling, Normalize: e.Normalize,
		FloorCosine: e.FloorCosine, RerankFloor: e.RerankFloor,
		ChatTemplate: e.ChatTemplate, Thinks: e.Thinks, AnswerMode: e.AnswerMode, ToolStyle: e.ToolStyle,
	}
}
