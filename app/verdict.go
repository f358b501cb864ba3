package app

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"referent/app/setting"
	"referent/inference"
	"referent/rag"
	"referent/rag/lab"
)

// StoredVerdict is what a run has decided for a class of models.
type StoredVerdict struct {
	Class   string      `json:"class"`
	Model   string      `json:"model"` // that rewrote, by its name in the catalogue
	Run     string      `json:"run"`   // id of the run
	Decided string      `json:"decided"`
	Verdict lab.Verdict `json:"verdict"`
}

// Classes of models by the size of their file. The starter model of 1.1 GB is
// small, the tiny one of 0.1 GB is tiny.
const (
	classNone   = "none"   // no model plays the role
	classServer = "server" // whatever a server runs
	classTiny   = "tiny"   // below 0.4 GB
	classSmall  = "small"  // below 1.6 GB
	classMedium = "medium" // below 4 GB
	classLarge  = "large"
)

// modelClass is the class of the model of a role: the one that rewrites for the
// engine, the one that answers for the answer mode.
func (a *App) modelClass(role inference.Role) string {
	c, err := a.roles.wanted(role)
	switch {
	case err != nil:
		return classNone
	case remoteAddress(c.path):
		return classServer
	}
	return classOf(cmp.Or(c.entry.Bytes, c.entry.AboutBytes))
}

func classOf(bytes int64) string {
	switch {
	case bytes < 400e6:
		return classTiny
	case bytes < 1600e6:
		return classSmall
	case bytes < 4000e6:
		return classMedium
	}
	return classLarge
}

// shippedEngine is what a new installation uses: the default of the setting,
// which is the verdict of our own runs (docs/evaluation.md).
func shippedEngine() string {
	s, _ := setting.Lookup("chat.engine")
	return s.Default
}

// Files of the lab's folder: verdicts by class of model.
const (
	verdictFile = "verdicts.json" // on the engine
	modeFile    = "modes.json"    // on the answer mode
)

// StoredMode is what a run has decided on the answer mode for a class of models.
type StoredMode struct {
	Class   string          `json:"class"`
	Model   string          `json:"model"` // that answered, by its name in the catalogue
	Run     string          `json:"run"`   // id of the run
	Decided string          `json:"decided"`
	Verdict lab.ModeVerdict `json:"verdict"`
}

// verdicts are what runs of this person have decided, by class.
func (a *App) verdicts() ([]StoredVerdict, error) {
	out := []StoredVerdict{}
	return out, a.readDecided(verdictFile, &out)
}

// modes are what they have decided on the answer mode.
func (a *App) modes() ([]StoredMode, error) {
	out := []StoredMode{}
	return out, a.readDecided(modeFile, &out)
}

func (a *App) readDecided(name string, out any) error {
	raw, err := a.readLab(name)
	if err != nil || raw == nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// decision is what a run has decided on one matter, for a class of models.
type decision interface {
	decided() (class string, missing []string)
}

func (s StoredVerdict) decided() (string, []string) { return s.Class, s.Verdict.Missing }

func (s StoredMode) decided() (string, []string) { return s.Class, s.Verdict.Missing }

// keepDecided stores what a run has decided, with its numbers: nothing where it has
// decided nothing.
func (a *App) keepDecided(run string, v lab.Verdict, m lab.ModeVerdict) error {
	now := time.Now().UTC().Format(time.RFC3339)
	var err error
	if v.Engine != "" {
		class, model := a.decidedFor(inference.RoleCondense)
		err = keepDecision(a, verdictFile, StoredVerdict{class, model, run, now, v})
	}
	if m.Mode != "" {
		class, model := a.decidedFor(inference.RoleAnswer)
		err = errors.Join(err, keepDecision(a, modeFile, StoredMode{class, model, run, now, m}))
	}
	return err
}

// decidedFor is for which class of models something is decided now, and by which.
func (a *App) decidedFor(role inference.Role) (class, model string) {
	if c, err := a.roles.wanted(role); err == nil {
		model = c.entry.Name
	}
	return a.modelClass(role), model
}

// keepDecision puts a decision in the place of the earlier one of its class. One
// that lacks suites takes the place of no complete one.
func keepDecision[D decision](a *App, file string, d D) error {
	var all []D
	if err := a.readDecided(file, &all); err != nil {
		return storageError(err)
	}
	class, missing := d.decided()
	for i := range all {
		of, lacks := all[i].decided()
		switch {
		case of != class:
			continue
		case len(missing) > len(lacks):
			return nil
		}
		all[i] = d
		return a.writeDecided(file, all)
	}
	return a.writeDecided(file, append(all, d))
}

func (a *App) writeDecided(name string, all any) error {
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return a.keepLab(name, raw)
}

// autoMode is the answer mode that own measurements have decided for the class of
// the model in use; empty: none has, or not for good.
func (a *App) autoMode() rag.AnswerMode {
	all, err := a.modes()
	if err != nil {
		return "" // the state of the lab tells it
	}
	class := a.modelClass(inference.RoleAnswer)
	for _, s := range all {
		if s.Class == class && len(s.Verdict.Missing) == 0 {
			return rag.AnswerMode(s.Verdict.Mode)
		}
	}
	return ""
}
