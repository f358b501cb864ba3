package offload

import "referent/inference/gguf"

// CacheType is how the attention cache stores a value.
type CacheType string

// The cache types that a plan uses. q8_0 takes 34 bytes for 32 values.
const (
	CacheF16 CacheType = "f16"
	CacheQ8  CacheType = "q8_0"
)

func (c CacheType) bytes(values int64) int64 {
	if c == CacheQ8 {
		return values * 34 / 32
	}
	return values * 2
}

// Model is what a plan needs to know of a model file.
type Model struct {
	Name       string       `json:"name"`
	Weights    gguf.Weights `json:"weights"`
	CacheWidth []int64      `json:"cache_width"` // values a token in the attention cache, by layer
	Embedding  int64        `json:"embedding"`   // width of the model
	Heads      int64        `json:"heads"`
	Vocabulary int64        `json:"vocabulary"`
	Encoder    bool         `json:"encoder"` // no cache: embedders and rerankers of the BERT kind
	Trained    int          `json:"trained"` // context it was trained with; 0: unknown
	Working    []Working    `json:"working"` // measured by dry runs; empty: estimated
}

// Working is the working memory of one context, in bytes, as a dry run tells
// it. Device is the largest of the devices.
type Working struct {
	Context int   `json:"context"` // tokens
	Layers  int   `json:"layers"`  // on devices
	Device  int64 `json:"device"`
	Host    int64 `json:"host"`
}

// Measure reads the sizes of a model from its file header.
func Measure(f *gguf.File) Model {
	m := Model{
		Name: f.Name(), Weights: f.BytesPerLayer(),
		Embedding: int64(f.EmbeddingLength()), Heads: int64(f.HeadCount()),
		Vocabulary: int64(f.VocabularySize()), Trained: f.ContextLength(),
	}
	if causal, ok := f.Value(f.Architecture() + ".attention.causal").(bool); ok {
		m.Encoder = !causal
	}
	width := int64(f.KeyLength() + f.ValueLength())
	for i := range m.Weights.Layers {
		m.CacheWidth = append(m.CacheWidth, int64(f.HeadCountKVAt(i))*width)
	}
	return m
}

// Layers is the number of layers that can be offloaded, the output included.
func (m Model) Layers() int { return len(m.Weights.Layers) + 1 }

// WeightBytes is what n offloaded layers weigh on the device. The library
// starts with the output and goes on from the last layer to the first.
func (m Model) WeightBytes(n int) int64 {
	if n <= 0 {
		return 0
	}
	sum := m.Weights.Output
	if m.Weights.TiedOutput && !m.Encoder {
		sum += m.Weights.Input // the output matrix is a copy of the token table
	}
	layers := m.Weights.Layers
	for _, b := range layers[len(layers)-min(n-1, len(layers)):] {
		sum += b
	}
	return sum
}

// TotalBytes is the weight of the whole model in main memory.
func (m Model) TotalBytes() int64 {
	sum := m.Weights.Input + m.Weights.Output
	for _, b := range m.Weights.Layers {
		sum += b
	}
	return sum
}

// CacheBytes is the attention cache of n offloaded layers for a context in
// tokens. The library rounds the context up to a multiple of 256.
func (m Model) CacheBytes(n, context int, c CacheType) int64 {
	if m.Encoder || n <= 1 {
		return 0
	}
	tokens := int64((context + 255) / 256 * 256)
	var values int64
	for _, w := range m.CacheWidth[len(m.CacheWidth)-min(n-1, len(m.CacheWidth)):] {
		values += w * tokens
	}
	return c.bytes(values)
}

// ComputeBytes is the working memory of one context on a device: what a dry run
// of this context or the next larger one took at most, or an estimate.
func (m Model) ComputeBytes(context, ubatch int) int64 {
	var most int64
	at := 0
	for _, w := range m.Working {
		switch {
		case w.Context < context || at > 0 && w.Context > at:
		case w.Context == at:
			most = max(most, w.Device)
		default:
			at, most = w.Context, w.Device
		}
	}
	if most > 0 {
		return most
	}
	return m.estimate(context, ubatch)
}

// estimate adds up the activations of a micro-batch, the attention mask, one
// row of logits, and room for what the library adds. It is kept above what
// loads report, see the test on real sizes.
func (m Model) estimate(context, ubatch int) int64 {
	const floats = 4
	u := int64(ubatch)
	activations := u * m.Embedding * floats * 16
	mask := u * int64(context) * (floats + 2)
	logits := m.Vocabulary * floats
	scores := int64(0)
	if m.Encoder {
		scores = m.Heads * u * u * floats
	}
	return (activations+mask+logits+scores)*5/4 + 32<<20
}
