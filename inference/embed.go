package inference

import "context"

// TextKind chooses the prefix that an embedding model wants.
type TextKind string

const (
	// KindQuery is a search text.
	KindQuery TextKind = "query"
	// KindPassage is a text to be found.
	KindPassage TextKind = "passage"
)

// Embedder turns texts into vectors.
type Embedder interface {
	Info() ModelInfo
	// Embed returns one vector a text: len = Info().Dimensions, float32,
	// unit length. Prefix and normalisation are the implementation's work.
	// A text longer than the model's window is embedded in pieces whose
	// normalised mean is returned. An empty text gives a valid vector.
	// Calls yield the device to calls of a more urgent priority. What
	// PriorityIndexing ends is held against the texts, never against the
	// model (ErrParked): whoever indexes finds the bad one, and asks with a
	// harmless text of another priority whether the model is at fault.
	Embed(ctx context.Context, kind TextKind, texts []string, priority Priority) ([][]float32, error)
}

// Reranker judges passages against a query.
type Reranker interface {
	Info() ModelInfo
	// Rerank returns one score a passage, 0 to 1, higher is better.
	Rerank(ctx context.Context, query string, passages []string) ([]float32, error)
}

// Tokenizer counts tokens as the model of its role does.
type Tokenizer interface {
	Info() ModelInfo
	// CountTokens returns one count a text, without any start or end token.
	CountTokens(ctx context.Context, texts []string) ([]int, error)
}
