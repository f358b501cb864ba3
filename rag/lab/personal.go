package lab

import (
	"context"
	"time"
)

// RunTests asks a person's own tests of the whole product: the library itself is
// searched, by every engine and the first retriever of the record's plan. What
// the record has already is not asked again. Errors end the run, whose items
// stay.
func RunTests(ctx context.Context, system System, tests []Test, record *Record, progress func(Progress)) error {
	set := testSet(tests)
	if err := record.Use(set); err != nil {
		return err
	}
	done := map[string]bool{}
	for _, i := range record.Items {
		done[i.key()] = true
	}
	var left []Search
	m := meter{}
	for _, engine := range record.Head.Plan.Engines {
		for _, q := range set.Questions {
			s := Search{Question: q, Engine: engine, Retriever: record.Head.Plan.Retrievers[0], K: depth(set)}
			if !done[itemKey(set.Name, q.ID, engine, s.Retriever)] {
				left = append(left, s)
				m.expect(asksModel(engine), 1)
			}
		}
	}
	for _, s := range left {
		began := time.Now()
		item, err := Ask(ctx, system, set, s)
		if err != nil {
			return err
		}
		if err := record.Add(item); err != nil {
			return err
		}
		m.add(asksModel(s.Engine), time.Since(began))
		progress(Progress{Suite: set.Suite, Set: set.Name, Engine: s.Engine, Retriever: s.Retriever, Done: m.done, Total: m.total(),
			PerSecond: m.perSecond(), RemainingSeconds: m.remaining()})
	}
	return nil
}
