package openai

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"

	"referent/app"
	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/inference"
)

type modelName struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

type modelNames struct {
	Object string      `json:"object"`
	Data   []modelName `json:"data"`
}

// models answers GET /v1/models: the program itself, with each chat engine, and
// the models of the search.
func (f *front) models(w http.ResponseWriter, r *http.Request) {
	visit := public.NewVisit(f.client(r), "openai", r.Method+" "+r.Pattern)
	m, err := f.view.Models(r.Context())
	out := modelNames{Object: "list"}
	for _, id := range append(append([]string{Model}, engineModels()...), searchModels(m)...) {
		out.Data = append(out.Data, modelName{ID: id, Object: "model", OwnedBy: Model})
	}
	f.finish(w, r, visit, out, err)
}

// searchModels are the names of the models that embed and rerank.
func searchModels(m public.Models) []string {
	var out []string
	for _, role := range m.Roles {
		if (role.Role == string(inference.RoleEmbed) || role.Role == string(inference.RoleRerank)) && role.ID != "" {
			out = append(out, string(role.ID))
		}
	}
	return out
}

// checkModel takes the program's name or that of the role's model.
func (f *front) checkModel(r *http.Request, name string, role inference.Role) error {
	m, err := f.view.Models(r.Context())
	if err != nil || name == Model || name == "" {
		return err
	}
	known := []string{Model}
	for _, one := range m.Roles {
		if one.Role == string(role) && one.ID != "" {
			known = append(known, string(one.ID))
		}
	}
	if !slices.Contains(known, name) {
		return unknownModel(name, known)
	}
	return nil
}

type embeddingsRequest struct {
	Model     string `json:"model"`
	Input     texts  `json:"input"`
	Encoding  string `json:"encoding_format"`
	Dims      *int   `json:"dimensions"`
	InputType string `json:"input_type"`
}

// texts is one text or several.
type texts []string

// UnmarshalJSON reads both forms.
func (t *texts) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(t))
}

type embeddingsReply struct {
	Object string      `json:"object"`
	Model  string      `json:"model"`
	Data   []embedding `json:"data"`
	Usage  tokens      `json:"usage"`
}

type embedding struct {
	Object string `json:"object"`
	Index  int    `json:"index"`
	Vector any    `json:"embedding"`
}

type tokens struct {
	PromptTokens int `json:"prompt_tokens"`
	TotalTokens  int `json:"total_tokens"`
}

// embeddings answers POST /v1/embeddings.
func (f *front) embeddings(w http.ResponseWriter, r *http.Request) {
	var req embeddingsRequest
	visit, ok := f.begin(w, r, &req)
	if !ok {
		return
	}
	err := f.checkModel(r, req.Model, inference.RoleEmbed)
	var got app.Embeddings
	if err == nil {
		got, err = f.view.Embed(r.Context(), visit, app.EmbedRequest{Texts: req.Input, Query: req.InputType == "query"})
	}
	out := embeddingsReply{Object: "list", Model: got.Model, Data: []embedding{}, Usage: tokens{got.Tokens, got.Tokens}}
	for i, v := range got.Vectors {
		if req.Dims != nil && *req.Dims != len(v) {
			err = wire.Invalid("dimensions cannot be %d. This model has %d.", *req.Dims, len(v))
			break
		}
		one := embedding{Object: "embedding", Index: i, Vector: v}
		if req.Encoding == "base64" {
			one.Vector = packed(v)
		}
		out.Data = append(out.Data, one)
	}
	f.finish(w, r, visit, out, err)
}

// packed is a vector as OpenAI packs it: little-endian float32 in base64.
func packed(v []float32) string {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

type rerankRequest struct {
	Model           string   `json:"model"`
	Query           string   `json:"query"`
	Documents       []string `json:"documents"`
	TopN            *int     `json:"top_n"`
	ReturnDocuments bool     `json:"return_documents"`
}

type rerankReply struct {
	Model   string         `json:"model"`
	Results []rerankResult `json:"results"`
}

type rerankResult struct {
	Index    int         `json:"index"`
	Score    float32     `json:"relevance_score"`
	Document *rerankText `json:"document,omitempty"`
}

type rerankText struct {
	Text string `json:"text"`
}

// rerank answers POST /v1/rerank, the best first.
func (f *front) rerank(w http.ResponseWriter, r *http.Request) {
	var req rerankRequest
	visit, ok := f.begin(w, r, &req)
	if !ok {
		return
	}
	err := f.checkModel(r, req.Model, inference.RoleRerank)
	var got app.Ranking
	if err == nil {
		got, err = f.view.Rerank(r.Context(), visit, app.RerankRequest{Query: req.Query, Passages: req.Documents})
	}
	if err == nil && len(got.Scores) != len(req.Documents) {
		err = fmt.Errorf("%d scores for %d texts", len(got.Scores), len(req.Documents))
	}
	if err != nil {
		f.fail(w, r, visit, err)
		return
	}
	out := rerankReply{Model: got.Model, Results: []rerankResult{}}
	for i, score := range got.Scores {
		one := rerankResult{Index: i, Score: score}
		if req.ReturnDocuments {
			one.Document = &rerankText{req.Documents[i]}
		}
		out.Results = append(out.Results, one)
	}
	slices.SortStableFunc(out.Results, func(a, b rerankResult) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	if req.TopN != nil {
		out.Results = out.Results[:min(*req.TopN, len(out.Results))]
	}
	f.finish(w, r, visit, out, nil)
}
