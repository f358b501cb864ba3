package public

import (
	"context"
	"regexp"

	"referent/app"
	"referent/rag"
)

// EvaluationRequest begins a measurement: one preset, or suites. Empty engines
// and retrievers are those of the preset. Sets and files are the person's choice.
type EvaluationRequest struct {
	Suites     []string `json:"suites"`
	Engines    []string `json:"engines"`
	Retrievers []string `json:"retrievers"`
}

// EvaluationRun is a run as other programs see it. Those of the person's own
// tests are not given.
type EvaluationRun struct {
	ID         string   `json:"id"`
	Started    string   `json:"started"`
	State      string   `json:"state"`
	Suites     []string `json:"suites"`
	Engines    []string `json:"engines"`
	Retrievers []string `json:"retrievers"`
	Questions  int      `json:"questions"`
	Total      *int     `json:"total"`             // null: not known, or it has ended
	Remaining  *float64 `json:"remaining_seconds"` // null: not known
}

// EvaluationRuns are the runs, newest first.
type EvaluationRuns struct {
	Evaluations []EvaluationRun `json:"evaluations"`
}

// EvaluationFigure is one figure with its 95 % interval.
type EvaluationFigure struct {
	Suite     string  `json:"suite"`
	Set       string  `json:"set"`
	Engine    string  `json:"engine"`
	Retriever string  `json:"retriever"`
	Slice     string  `json:"slice"`
	Metric    string  `json:"metric"`
	Value     float64 `json:"value"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	N         int     `json:"n"`
}

// EvaluationResult is what a run has measured: figures, no questions and no
// passages.
type EvaluationResult struct {
	Evaluation EvaluationRun      `json:"evaluation"`
	Engine     *string            `json:"engine"`  // that the numbers choose; null: nothing is decided
	Verdict    string             `json:"verdict"` // a sentence
	Figures    []EvaluationFigure `json:"figures"`
}

// runForm is the id of a run on a public set, which is the only kind that is
// given.
var runForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}\.[0-9]{3}$`)

func evaluationRun(r app.EvalRun) EvaluationRun {
	out := EvaluationRun{ID: r.ID, Started: r.Started, State: r.State, Suites: append([]string{}, r.Suites...), Engines: append([]string{}, r.Engines...),
		Retrievers: append([]string{}, r.Retrievers...), Questions: r.Questions}
	if p := r.Progress; p != nil && p.Total > 0 {
		out.Total = &p.Total
		if p.RemainingSeconds > 0 {
			out.Remaining = &p.RemainingSeconds
		}
	}
	return out
}

// Evaluations lists the runs.
func (v *View) Evaluations(ctx context.Context) (EvaluationRuns, error) {
	out := EvaluationRuns{Evaluations: []EvaluationRun{}}
	state, err := v.use.LabState(ctx)
	for _, r := range state.Runs {
		if !r.Personal && runForm.MatchString(r.ID) {
			out.Evaluations = append(out.Evaluations, evaluationRun(r))
		}
	}
	return out, err
}

// Evaluate begins a run in the background.
func (v *View) Evaluate(ctx context.Context, _ *Visit, req EvaluationRequest) (EvaluationRun, error) {
	r, err := v.use.StartEvaluation(ctx, app.EvalRequest{Suites: req.Suites, Engines: req.Engines, Retrievers: req.Retrievers})
	return evaluationRun(r), err
}

// Evaluation returns the figures of a run so far.
func (v *View) Evaluation(ctx context.Context, id string) (EvaluationResult, error) {
	if !runForm.MatchString(id) {
		return EvaluationResult{}, unknownRun()
	}
	r, err := v.use.Evaluation(ctx, id)
	if err != nil {
		return EvaluationResult{}, err
	}
	out := EvaluationResult{Evaluation: evaluationRun(r.Run), Verdict: r.Verdict.Sentence, Figures: []EvaluationFigure{}}
	if r.Verdict.Engine != "" {
		out.Engine = &r.Verdict.Engine
	}
	for _, c := range r.Figures {
		out.Figures = append(out.Figures, EvaluationFigure(c))
	}
	return out, nil
}

// CancelEvaluation stops a run and returns its row. What was measured is kept.
func (v *View) CancelEvaluation(ctx context.Context, id string) (EvaluationRun, error) {
	if !runForm.MatchString(id) {
		return EvaluationRun{}, unknownRun()
	}
	if err := v.use.StopEvaluation(ctx, id); err != nil {
		return EvaluationRun{}, err
	}
	r, err := v.use.Evaluation(ctx, id)
	return evaluationRun(r.Run), err
}

func unknownRun() error {
	return &rag.Error{Code: rag.CodeUnknownDocument, Message: "There is no such run.", Hint: "List the evaluations to see which there are."}
}
