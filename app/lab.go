package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"referent/app/sentence"
	"referent/inference"
	"referent/rag"
	"referent/rag/lab"
)

// Lab is what a front may ask of measurements that are kept. Own tests and what
// is said in them stay in the data folder.
type Lab interface {
	LabState(ctx context.Context) (LabState, error)
	// SetLabFolder keeps where the question sets lie.
	SetLabFolder(ctx context.Context, dir string) error
	// StartEvaluation begins a run in the background and returns; one runs at a
	// time. It is followed by notices.
	StartEvaluation(ctx context.Context, req EvalRequest) (EvalRun, error)
	// ResumeEvaluation goes on with a run that was stopped.
	ResumeEvaluation(ctx context.Context, id string) (EvalRun, error)
	StopEvaluation(ctx context.Context, id string) error
	// Evaluation returns the figures of a run, also of one that is under way.
	Evaluation(ctx context.Context, id string) (EvalResult, error)
	CompareEvaluations(ctx context.Context, pair EvalPair) (EvalComparison, error)
	// ExportEvaluation returns a run as CSV or as one HTML page.
	ExportEvaluation(ctx context.Context, req EvalExport) (string, error)

	// ProposeTest makes a test of a stored turn, which is not kept yet.
	ProposeTest(ctx context.Context, turn int64) (TestDraft, error)
	// SaveTest keeps a new test, or one that was changed.
	SaveTest(ctx context.Context, t OwnTest) (OwnTest, error)
	Tests(ctx context.Context) ([]OwnTest, error)
	// DeleteTest takes a test off; RestoreTest brings it back until the program
	// ends.
	DeleteTest(ctx context.Context, id string) error
	RestoreTest(ctx context.Context, id string) error
	// RunTests begins a run of the own tests, as StartEvaluation does.
	RunTests(ctx context.Context) (EvalRun, error)
}

// States of a run.
const (
	EvalRunning  = "running"
	EvalStopped  = "stopped" // it can go on
	EvalFinished = "finished"
)

// EvalRun is one row of the list of runs. ID is its name in the data folder, or
// the full path of a run that lies elsewhere.
type EvalRun struct {
	ID         string        `json:"id"`
	Started    string        `json:"started"` // RFC 3339
	State      string        `json:"state"`
	Suites     []string      `json:"suites"`
	Engines    []string      `json:"engines"`
	Retrievers []string      `json:"retrievers"`
	Questions  int           `json:"questions"` // asked so far, each engine and retriever counted
	Personal   bool          `json:"personal"`  // of the person's own tests
	Progress   *EvalProgress `json:"progress"`  // while it runs
	Sentence   Optional      `json:"sentence"`  // why it ended early
}

// EvalResult is what a run has measured.
type EvalResult struct {
	Run      EvalRun           `json:"run"`
	Sets     []lab.SetHead     `json:"sets"`
	Figures  []lab.Cell        `json:"figures"` // those that a table shows
	Verdict  lab.Verdict       `json:"verdict"`
	Mode     lab.ModeVerdict   `json:"mode_verdict"`
	Failures []string          `json:"failures"` // too many failed rewrites, in sentences
	Notes    []string          `json:"notes"`    // what was skipped, in sentences; known until the program ends
	Models   map[string]string `json:"models"`
	Machine  string            `json:"machine"`
	Version  string            `json:"version"`
}

// EvalPair names two runs, the earlier one first.
type EvalPair struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// EvalComparison is one run beside another.
type EvalComparison struct {
	Before EvalRun `json:"before"`
	After  EvalRun `json:"after"`
	lab.Comparison
}

// EvalExport says in which form a run is wanted: csv or html. Against is an
// earlier run that it is compared with; empty: none.
type EvalExport struct {
	ID      string `json:"id"`
	Against string `json:"against"`
	Format  string `json:"format"`
	// Language is the tag of the language of a page; empty: English.
	Language string `json:"language"`
}

// LabSuite is one suite that can be measured. Lacks says what is missing, and
// what brings it.
type LabSuite struct {
	Name  string   `json:"name"`
	About string   `json:"about"`
	Lacks Optional `json:"lacks"`
}

// LabState is the state of the Lab view.
type LabState struct {
	Folder     string          `json:"folder"` // of the question sets; empty: not chosen
	Runs       []EvalRun       `json:"runs"`   // newest first
	Suites     []LabSuite      `json:"suites"`
	Presets    []string        `json:"presets"`
	Engines    []string        `json:"engines"`
	Retrievers []string        `json:"retrievers"`
	Engine     string          `json:"engine"`  // in force
	Shipped    string          `json:"shipped"` // what a new installation uses
	Class      string          `json:"class"`   // of the model that rewrites
	Verdicts   []StoredVerdict `json:"verdicts"`
	Answers    string          `json:"answer_class"` // of the model that answers
	Modes      []StoredMode    `json:"modes"`
	Tests      TestsState      `json:"tests"`
}

// LabState implements Lab.
func (a *App) LabState(ctx context.Context) (LabState, error) {
	s := LabState{Folder: a.labFolder(), Suites: []LabSuite{}, Presets: lab.Presets(), Engines: lab.Engines(), Retrievers: lab.Retrievers(),
		Engine: a.settings().Text("chat.engine"), Shipped: shippedEngine(), Class: a.modelClass(inference.RoleCondense), Answers: a.modelClass(inference.RoleAnswer)}
	var err error
	if s.Runs, err = a.runs(); err != nil {
		return s, evalError(ctx, err, a.labPath())
	}
	places := a.labPlaces()
	for _, name := range lab.Suites() {
		if name == lab.SuiteOwn {
			continue // one's own sets are measured in a terminal
		}
		suite := LabSuite{Name: name, About: lab.Describe(name)}
		if missing := places.Lacks(name); missing != "" {
			suite.Lacks = Optional(missing)
		}
		s.Suites = append(s.Suites, suite)
	}
	if s.Verdicts, err = a.verdicts(); err == nil {
		s.Modes, err = a.modes()
	}
	if err != nil {
		return s, storageError(err)
	}
	s.Tests, err = a.testsState(s.Runs)
	return s, err
}

// runs lists what lies in the data folder, newest first. A file that is no run is
// left out.
func (a *App) runs() ([]EvalRun, error) {
	out := []EvalRun{}
	for prefix, folder := range map[string]string{"": a.labPath(), ownRuns: a.labPath("own")} {
		files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			id := prefix + strings.TrimSuffix(filepath.Base(path), ".jsonl")
			if run, err := a.evalRun(id, path); err == nil && idForm.MatchString(id) {
				out = append(out, run)
			}
		}
	}
	slices.SortFunc(out, func(x, y EvalRun) int {
		return strings.Compare(strings.TrimPrefix(y.ID, ownRuns), strings.TrimPrefix(x.ID, ownRuns))
	})
	return out, nil
}

// evalRun is the row of a run. Whether it is under way is looked at before its
// file, which has its end before it is no longer under way.
func (a *App) evalRun(id, path string) (EvalRun, error) {
	run := EvalRun{ID: id, Personal: strings.HasPrefix(id, ownRuns)}
	a.bench.describe(&run)
	b, err := lab.ReadBrief(path)
	if err != nil {
		return run, err
	}
	return run.with(b.Head, b.Items, b.Finished), nil
}

// with adds to a row what the file of its run says.
func (run EvalRun) with(head lab.Head, items int, finished bool) EvalRun {
	run.Started, run.Questions = head.Started.UTC().Format(time.RFC3339), items
	run.Suites, run.Engines, run.Retrievers = append([]string{}, head.Plan.Suites...), append([]string{}, head.Plan.Engines...), append([]string{},
		head.Plan.Retrievers...)
	switch {
	case run.State == EvalRunning:
	case finished:
		run.State = EvalFinished
	default:
		run.State = EvalStopped
	}
	return run
}

// run loads one run for reading: its file is read once.
func (a *App) run(ctx context.Context, id string) (EvalRun, *lab.Record, error) {
	path, err := a.runPath(id)
	if err != nil {
		return EvalRun{}, nil, err
	}
	run := EvalRun{ID: id, Personal: strings.HasPrefix(id, ownRuns)}
	a.bench.describe(&run)
	record, err := lab.LoadRun(path)
	if err != nil {
		return EvalRun{}, nil, evalError(ctx, err, path)
	}
	return run.with(record.Head, len(record.Items), record.End != nil), record, nil
}

// Evaluation implements Lab.
func (a *App) Evaluation(ctx context.Context, id string) (EvalResult, error) {
	row, running := a.bench.running(id)
	run, record, err := a.run(ctx, id)
	if err != nil && running { // it has just begun: its file is not there, or not whole
		return EvalResult{Run: row, Sets: []lab.SetHead{}, Figures: []lab.Cell{}, Verdict: lab.Judge(nil), Mode: lab.JudgeModes(nil), Failures: []string{}, Notes: []string{},
			Models: map[string]string{}, Machine: labMachine(), Version: a.config.Version}, nil
	}
	if err != nil {
		return EvalResult{}, err
	}
	end := record.End
	if end == nil {
		end = &lab.End{Summary: lab.Summarize(record.Items), Verdict: lab.Judge(record.Items)}
	}
	out := EvalResult{Run: run, Sets: []lab.SetHead{}, Figures: lab.Shown(end.Summary), Verdict: end.Verdict, Mode: lab.JudgeModes(record.Items),
		Failures: append([]string{}, lab.FailedRewrites(end.Summary)...), Notes: a.bench.notes(id), Models: record.Head.Models,
		Machine: record.Head.Machine, Version: record.Head.Version}
	if out.Models == nil {
		out.Models = map[string]string{}
	}
	for _, name := range setNames(record.Sets) {
		out.Sets = append(out.Sets, record.Sets[name])
	}
	return out, nil
}

func setNames(sets map[string]lab.SetHead) []string {
	var names []string
	for name := range sets {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// CompareEvaluations implements Lab.
func (a *App) CompareEvaluations(ctx context.Context, pair EvalPair) (EvalComparison, error) {
	before, first, err := a.run(ctx, pair.Before)
	if err != nil {
		return EvalComparison{}, err
	}
	after, second, err := a.run(ctx, pair.After)
	if err != nil {
		return EvalComparison{}, err
	}
	out := EvalComparison{Before: before, After: after, Comparison: lab.Compare(first.Items, second.Items)}
	if before.Personal && after.Personal && len(first.Head.Plan.Engines) > 0 && len(second.Head.Plan.Engines) > 0 {
		out.Comparison = lab.Comparison{Pairs: []lab.Pair{lab.ComparePersonal(first, second)}, Missing: []string{}}
	}
	return out, nil
}

// ExportEvaluation implements Lab.
func (a *App) ExportEvaluation(ctx context.Context, req EvalExport) (string, error) {
	_, record, err := a.run(ctx, req.ID)
	if err != nil {
		return "", err
	}
	var against *lab.Record
	if req.Against != "" {
		if _, against, err = a.run(ctx, req.Against); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	switch {
	case req.Format == "html":
		err = lab.Report{Head: record.Head, Items: record.Items, Against: against, Language: req.Language, Say: sentence.For(req.Language).Say}.Write(&b)
	case req.Format == "csv" && against != nil:
		err = lab.WriteComparisonCSV(&b, lab.Compare(against.Items, record.Items))
	case req.Format == "csv":
		err = lab.WriteCSV(&b, lab.Summarize(record.Items))
	default:
		return "", &rag.Error{Code: rag.CodeInvalidSetting, Message: "A run is written as csv or html.", Hint: "Name one of them."}
	}
	return b.String(), err
}

// labFolder is where the question sets lie: as the person has chosen, or as the
// environment says.
func (a *App) labFolder() string {
	raw, err := os.ReadFile(a.labPath("folder"))
	if dir := strings.TrimSpace(string(raw)); err == nil && dir != "" {
		return dir
	}
	if dir := os.Getenv("REFERENT_SHARED_DATA"); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

func (a *App) labPlaces() lab.Places {
	dir := a.labFolder()
	places := lab.Places{Sets: dir, Extract: a.evalExtract}
	if dir != "" {
		places.Sample = filepath.Join(dir, "sample")
	}
	return places
}

// SetLabFolder implements Lab.
func (a *App) SetLabFolder(_ context.Context, dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: "There is no such folder.", Hint: "Choose the folder that holds the question sets.", Cause: err}
	}
	return a.keepLab("folder", []byte(dir))
}

// keepLab writes a small file of the lab in one step.
func (a *App) keepLab(name string, body []byte) error {
	if err := os.MkdirAll(a.labPath(), 0o700); err != nil {
		return storageError(err)
	}
	path := a.labPath(name)
	err := os.WriteFile(path+".new", body, 0o600)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	return storageError(err)
}

// readLab reads a small file of the lab; nil where it is not there.
func (a *App) readLab(name string) ([]byte, error) {
	raw, err := os.ReadFile(a.labPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}
