package app

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"referent/app/setting"
	"referent/inference"
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
	classNone   = "none"   // no model rewrites
	classServer = "server" // whatever a server runs
	classTiny   = "tiny"   // below 0.4 GB
	classSmall  = "small"  // below 1.6 GB
	classMedium = "medium" // below 4 GB
	classLarge  = "large"
)

// modelClass is the class of the model that rewrites.
func (a *App) modelClass() string {
	c, err := a.roles.wanted(inference.RoleCondense)
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

const verdictFile = "verdicts.json"

// verdicts are what runs of this person have decided, by class.
func (a *App) verdicts() ([]StoredVerdict, error) {
	raw, err := a.readLab(verdictFile)
	out := []StoredVerdict{}
	if err != nil || raw == nil {
		return out, err
	}
	return out, json.Unmarshal(raw, &out)
}

// keepVerdict stores what a run has decided, with its numbers. A verdict that
// lacks suites takes the place of no complete one.
func (a *App) keepVerdict(run string, v lab.Verdict) error {
	if v.Engine == "" {
		return nil
	}
	all, err := a.verdicts()
	if err != nil {
		return storageError(err)
	}
	now := StoredVerdict{Class: a.modelClass(), Run: run, Decided: time.Now().UTC().Format(time.RFC3339), Verdict: v}
	if c, err := a.roles.wanted(inference.RoleCondense); err == nil {
		now.Model = c.entry.Name
	}
	i := slices.IndexFunc(all, func(s StoredVerdict) bool { return s.Class == now.Class })
	switch {
	case i < 0:
		all = append(all, now)
	case len(v.Missing) > len(all[i].Verdict.Missing):
		return nil
	default:
		all[i] = now
	}
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return a.keepLab(verdictFile, raw)
}
