package app

import (
	"context"
	"fmt"

	"referent/inference/runtime"
	"referent/inference/runtime/pack"
	"referent/inference/selftest"
	"referent/rag"
)

// RuntimeCheck says in sentences what a look at a runtime has shown.
type RuntimeCheck struct {
	Name      string   `json:"name"`
	OK        bool     `json:"ok"`
	Sentences []string `json:"sentences"` // the last one says what is wrong, where something is
}

// CheckRuntime implements UseCases: the files are compared once more, the devices
// asked for, and a small model computes, each in a child.
func (a *App) CheckRuntime(ctx context.Context, name string) (RuntimeCheck, error) {
	c := RuntimeCheck{Name: name, Sentences: []string{}}
	say := func(format string, args ...any) { c.Sentences = append(c.Sentences, fmt.Sprintf(format, args...)) }
	fails := func(err error) (RuntimeCheck, error) {
		if ctx.Err() != nil {
			return RuntimeCheck{}, asError(ctx, ctx.Err())
		}
		say("%s", modelSentence(err))
		return c, nil
	}
	found, _ := runtime.Find(places(a.config.CacheDir)...)
	dir := ""
	for _, f := range found {
		if f.Name == name {
			dir = f.Dir
		}
	}
	if dir == "" {
		return c, &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("The libraries “%s” are not installed.", name), Hint: "`referent doctor` shows which are."}
	}
	if p, ok := pack.ByName(name); ok {
		if err := p.Check(ctx, dir); err != nil {
			return fails(err)
		}
	}
	say("Every library is the one that this version of the program was made for.")
	report, err := runtime.Probe(ctx, dir)
	if err != nil {
		return fails(err)
	}
	lacks := report.Lacks()
	for _, d := range report.Devices {
		if d.GPU() {
			say("It finds the graphics processor %s.", d.Description)
		}
	}
	if lacks != "" && name != "cpu" {
		say("It cannot be used on this computer: %s.", lacks)
		return c, nil
	}
	r, err := selftest.Run(ctx, dir, lacks == "")
	if err != nil {
		return fails(err)
	}
	if r.Layers > 0 {
		say("A small model ran on %s and computed what it must.", r.Device)
	} else {
		say("A small model ran on the processor and computed what it must.")
	}
	c.OK = true
	return c, nil
}
