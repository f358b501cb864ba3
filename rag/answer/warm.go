package answer

import (
	"context"

	"referent/inference"
)

// Warm evaluates the constant beginning of the prompt once a model is loaded.
// The first answer then reads only its own text, and the model's reading rate
// is known when its evidence is chosen.
func Warm(ctx context.Context, model inference.Generator, priority inference.Priority) error {
	p := Prompt{Question: "?", FewShot: model.Info().FewShot}
	_, err := model.Generate(ctx, inference.GenerateRequest{Messages: p.Messages(), MaxTokens: 1, Cache: inference.CacheReuse, Priority: priority}, nil)
	return err
}
