package app

import (
	"context"
	"math"

	"referent/rag"
	"referent/rag/library"
)

// longWork is from how much work on a person is asked first, in seconds.
const longWork = 60

// AddPlan is what adding files would cost, by their names and sizes and by what
// reading took on this computer before. Nothing is opened for it.
type AddPlan struct {
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	Known    int       `json:"known"` // files that are in the library already
	Pages    int       `json:"pages"` // of PDF files and pictures, about
	Passages int       `json:"passages"`
	Seconds  float64   `json:"seconds"`  // until all words can be found, about
	Meaning  float64   `json:"meaning"`  // seconds until search by meaning is complete as well; 0: not known
	Long     bool      `json:"long"`     // longer than a minute: ask first
	Problems []Problem `json:"problems"` // paths that cannot be added
	Sentence string    `json:"sentence"`
}

// PlanAdd implements UseCases.
func (a *App) PlanAdd(ctx context.Context, req AddRequest) (AddPlan, error) {
	plan := AddPlan{Problems: []Problem{}}
	for _, path := range req.Paths {
		s, err := a.library.Survey(ctx, path, req.Exclude)
		if err != nil {
			if ctx.Err() != nil {
				return plan, ctx.Err()
			}
			plan.Problems = append(plan.Problems, Problem{Path: path, Sentence: storageError(err).Error()})
			continue
		}
		plan.Files += s.Files
		plan.Bytes += s.Bytes
		plan.Known += s.Known
		plan.Pages += s.Pages
		plan.Passages += s.Passages
		plan.Seconds += s.Seconds
	}
	if !req.Restricted {
		var err error
		if plan.Meaning, err = a.untilMeaning(ctx, plan.Seconds, plan.Passages); err != nil {
			return plan, err
		}
	}
	plan.Long = math.Max(plan.Seconds, plan.Meaning) > longWork
	plan.Sentence = plan.sentence()
	return plan, nil
}

// untilMeaning is how many seconds it takes until search by meaning is complete,
// when reading takes so many and leaves so many passages; 0: not known.
func (a *App) untilMeaning(ctx context.Context, seconds float64, passages int) (float64, error) {
	rate, err := a.library.EmbedRate(ctx, a.embedModel())
	if err != nil || rate <= 0 {
		return 0, storageError(err)
	}
	return seconds + float64(passages)/rate, nil
}

func (p AddPlan) sentence() string {
	if p.Files == 0 {
		return "There is nothing new to read."
	}
	s := count(p.Files, "file", "files") + ", " + sizeText(p.Bytes)
	if p.Pages > 0 {
		s += ", about " + count(p.Pages, "page", "pages")
	}
	s += ": about " + spanText(p.Seconds) + " until their words can be found"
	if p.Meaning > 0 {
		s += ", about " + spanText(p.Meaning) + " until search by meaning is complete"
	}
	return s + "."
}

// IngestReport says where the time of the newest run of reading went.
type IngestReport struct {
	library.Report
	FilesPerSecond float64 `json:"files_per_second"`
}

// IngestReport implements UseCases.
func (a *App) IngestReport(context.Context) (IngestReport, error) {
	r := a.library.Report()
	return IngestReport{Report: r, FilesPerSecond: r.FilesPerSecond()}, nil
}

// SetPassageClass implements UseCases.
func (a *App) SetPassageClass(ctx context.Context, chunk int64, class string) error {
	switch rag.Class(class) {
	case rag.ClassFact, rag.ClassSnapshot, rag.ClassTransient, rag.ClassUnknown, "":
	default:
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: "There is no class " + class + ".", Hint: "Classes: fact, snapshot, transient, unknown; none for that of the file."}
	}
	return storageError(a.library.SetPassageClass(ctx, chunk, rag.Class(class)))
}
