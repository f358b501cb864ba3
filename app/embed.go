package app

import (
	"context"

	"referent/inference"
)

// EmbedRequest asks for the vectors of texts. Query: they are search texts, not
// texts to be found.
type EmbedRequest struct {
	Texts []string `json:"texts"`
	Query bool     `json:"query"`
}

// Embeddings are vectors of unit length in the order of the texts, and the name
// of the model. Tokens counts the texts with that model's tokenizer.
type Embeddings struct {
	Model   string      `json:"model"`
	Vectors [][]float32 `json:"vectors"`
	Tokens  int         `json:"tokens"`
}

// RerankRequest asks how well passages answer a query.
type RerankRequest struct {
	Query    string   `json:"query"`
	Passages []string `json:"passages"`
}

// Ranking has one score a passage, 0 to 1, in the order of the request.
type Ranking struct {
	Model  string    `json:"model"`
	Scores []float32 `json:"scores"`
}

// Embed implements UseCases. It yields the device to every other use.
func (a *App) Embed(ctx context.Context, req EmbedRequest) (Embeddings, error) {
	if err := a.roles.ensure(ctx, inference.RoleEmbed); err != nil {
		return Embeddings{}, asError(ctx, err)
	}
	model, err := a.host.Embedder()
	if err != nil {
		return Embeddings{}, asError(ctx, modelError(err))
	}
	kind := inference.KindPassage
	if req.Query {
		kind = inference.KindQuery
	}
	vectors, err := model.Embed(ctx, kind, req.Texts, inference.PriorityIndexing)
	if err != nil {
		return Embeddings{}, asError(ctx, modelError(err))
	}
	out := Embeddings{Model: model.Info().ID, Vectors: vectors}
	if tokenizer, err := a.host.Tokenizer(inference.RoleEmbed); err == nil {
		counts, err := tokenizer.CountTokens(ctx, req.Texts)
		if err != nil {
			return Embeddings{}, asError(ctx, modelError(err))
		}
		for _, n := range counts {
			out.Tokens += n
		}
	}
	return out, nil
}

// Rerank implements UseCases.
func (a *App) Rerank(ctx context.Context, req RerankRequest) (Ranking, error) {
	model, err := a.host.Reranker()
	if err != nil {
		if err := a.roles.ensure(ctx, inference.RoleRerank); err != nil {
			return Ranking{}, asError(ctx, err)
		}
		if model, err = a.host.Reranker(); err != nil {
			return Ranking{}, asError(ctx, modelError(err))
		}
	}
	scores, err := model.Rerank(ctx, req.Query, req.Passages)
	if err != nil {
		return Ranking{}, asError(ctx, modelError(err))
	}
	return Ranking{Model: model.Info().ID, Scores: scores}, nil
}
