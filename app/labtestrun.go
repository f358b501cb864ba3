package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/lab"
)

// librarySystem is the product as the tests see it: the person's own library,
// with the settings in force.
type librarySystem struct{ app *App }

// Search implements lab.System.
func (s librarySystem) Search(ctx context.Context, q lab.Search) (rag.Prepared, []rag.Hit, error) {
	found, err := s.app.Search(ctx, AskRequest{Question: q.Question.Text, History: q.Question.History, GivenHistory: true, NoStore: true, Engine: q.Engine,
		Retriever: q.Retriever, Set: map[string]string{"retrieve.k": fmt.Sprint(q.K)}})
	return found.Prepared, found.Hits, err
}

// RunTests implements Lab: the engine in force first, and simple beside it.
func (a *App) RunTests(ctx context.Context) (EvalRun, error) {
	all, err := lab.ReadTests(a.labPath("tests"))
	if err != nil {
		return EvalRun{}, storageError(err)
	}
	lost, err := a.lostPassages(ctx, all)
	if err != nil {
		return EvalRun{}, err
	}
	tests := slices.DeleteFunc(all, func(t lab.Test) bool {
		return slices.ContainsFunc(t.Passages, func(p lab.TestPassage) bool { return lost[p.ID] })
	})
	if len(tests) == 0 {
		return EvalRun{}, &rag.Error{Code: rag.CodeNotAvailable, Message: "There is no test to run.", Hint: "Add a turn of a chat to your tests."}
	}
	values := a.settings()
	engines := []string{values.Text("chat.engine")}
	if engines[0] != "simple" {
		engines = append(engines, "simple")
	}
	plan := lab.Plan{Suites: []string{lab.SuiteOwn}, Engines: engines, Retrievers: []string{a.storedRetriever(values)}}
	head := lab.NewHead(a.config.Version, plan, a.evalModels(), labMachine())
	head.Settings = a.searchSettings()
	id := ownRuns + head.Started.Format(stampForm)
	return a.inBackground(id, plan, func(run context.Context, each func(EvalProgress)) ([]string, error) {
		record, err := a.newOwnRun(id, head)
		if err != nil {
			return nil, err
		}
		err = lab.RunTests(run, librarySystem{a}, tests, record, each)
		if err == nil {
			err = record.Finish(lab.Summarize(record.Items), lab.Judge(record.Items))
		}
		if err = errors.Join(err, record.Close()); err != nil {
			return nil, evalError(run, err, record.Path())
		}
		a.warnOfTests()
		return nil, nil
	})
}

// searchSettings are those in force that decide what is found.
func (a *App) searchSettings() map[string]any {
	out := map[string]any{}
	for _, row := range a.settings().List() {
		for _, prefix := range []string{"chat.engine", "condense.", "blend.", "expand.", "research.", "retrieve."} {
			if strings.HasPrefix(row.Key, prefix) {
				out[row.Key] = row.Value
			}
		}
	}
	return out
}

// warnOfTests puts a sentence at the top of the window when the last change made
// the own tests worse.
func (a *App) warnOfTests() {
	runs, err := a.runs()
	if err != nil {
		return // the state of the lab tells it
	}
	if s, err := a.testsState(runs); err == nil && s.Warning != "" {
		a.mu.Lock()
		a.tell("warn", string(s.Warning))
		a.mu.Unlock()
		a.changed()
	}
}

// testsState reads the newest two runs of the own tests.
func (a *App) testsState(runs []EvalRun) (TestsState, error) {
	tests, err := lab.ReadTests(a.labPath("tests"))
	if err != nil {
		return TestsState{}, storageError(err)
	}
	s := TestsState{Count: len(tests), Changes: []string{}}
	var ended []*lab.Record
	for _, run := range runs {
		// A run that has written its summary counts, although it still holds the
		// place of the one that is under way.
		if !run.Personal || len(ended) == 2 {
			continue
		}
		path, err := a.runPath(run.ID)
		if err != nil {
			continue
		}
		brief, err := lab.ReadBrief(path)
		if err != nil || !brief.Finished {
			continue
		}
		record, err := lab.LoadRun(path)
		if err != nil {
			continue
		}
		if ended = append(ended, record); len(ended) == 1 {
			s.LastRun = Optional(run.ID)
		} else {
			s.Before = Optional(run.ID)
		}
	}
	if len(ended) == 0 {
		return s, nil
	}
	if s.Count > 0 {
		s.Changes = append(s.Changes, changesBetween(ended[0].Head.Settings, a.searchSettings(), ended[0].Head.Models, a.evalModels())...)
	}
	if len(ended) == 2 {
		pair := lab.ComparePersonal(ended[1], ended[0])
		s.Better, s.Worse = pair.Better, pair.Worse
		changes := changesBetween(ended[1].Head.Settings, ended[0].Head.Settings, ended[1].Head.Models, ended[0].Head.Models)
		if len(changes) > 0 && len(pair.Figures) > 0 && pair.Figures[0].Change < 0 {
			s.Warning = Optional(fmt.Sprintf("Your own tests find less since you changed %s: %d of %d questions are worse, %d better.", strings.Join(changes,
				", "), pair.Worse, pair.Shared, pair.Better))
		}
	}
	return s, nil
}

// changesBetween names settings and models that differ, sorted. A model that was
// not there at one of both times counts as one.
func changesBetween(before, now map[string]any, modelsBefore, modelsNow map[string]string) []string {
	var out []string
	keys := maps.Clone(before)
	if keys == nil {
		keys = map[string]any{}
	}
	maps.Copy(keys, now)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if fmt.Sprint(before[key]) != fmt.Sprint(now[key]) {
			out = append(out, key)
		}
	}
	for _, role := range inference.Roles() {
		if modelsBefore[string(role)] != modelsNow[string(role)] {
			out = append(out, "the model of the role "+string(role))
		}
	}
	return out
}
