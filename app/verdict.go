package app

import (
	"cmp"
	"encoding/json"
	"slices"
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

// keepVerdict stores what a run has decided on the engine, with its numbers. A
// verdict that lacks suites takes the place of no complete one.
func (a *App) keepVerdict(run string, v lab.Verdict) error {
	if v.Engine == "" {
		return nil
	}
	class, model, now := a.decided(inference.RoleCondense)
	all, err := a.verdicts()
	if err != nil {
		return storageError(err)
	}
	i := slices.IndexFunc(all, func(s StoredVerdict) bool { return s.Class == class })
	if i >= 0 && len(v.Missing) > len(all[i].Verdict.Missing) {
		return nil
	}
	return a.writeDecided(verdictFile, placed(all, i, StoredVerdict{class, model, run, now, v}))
}

// keepMode does so for the answer mode.
func (a *App) keepMode(run string, v lab.ModeVerdict) error {
	if v.Mode == "" {
		return nil
	}
	class, model, now := a.decided(inference.RoleAnswer)
	all, err := a.modes()
	if err != nil {
		return storageError(err)
	}
	i := slices.IndexFunc(all, func(s StoredMode) bool { return s.Class == class })
	if i >= 0 && len(v.Missing) > len(all[i].Verdict.Missing) {
		return nil
	}
	return a.writeDecided(modeFile, placed(all, i, StoredMode{class, model, run, now, v}))
}

// decided is for which class of model something is decided now, and by which model.
func (a *App) decided(role inference.Role) (class, model, now string) {
	if c, err := a.roles.wanted(role); err == nil {
		model = c.entry.Name
	}
	return a.modelClass(role), model, time.Now().UTC().Format(time.RFC3339)
}

// placed puts a value at a place of a list, or at its end for a place below 0.
func placed[T any](all []T, i int, v T) []T {
	if i < 0 {
		return append(all, v)
	}
	all[i] = v
	return all
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
