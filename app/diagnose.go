package app

import (
	"errors"
	"os"
	"path/filepath"

	"referent/inference"
	"referent/inference/download"
	"referent/inference/gguf"
	"referent/inference/modelfile"
)

// adding takes one finding of the doctor.
type adding func(topic string, ok, critical bool, format string, args ...any)

// diagnoseRole says what plays a role, or what would fail.
func (a *App) diagnoseRole(role inference.Role, add adding) {
	c, err := a.roles.wanted(role)
	switch {
	case err != nil && role == inference.RoleRerank:
		add(string(role), true, false, "No model plays this role; hybrid search works without one.")
		return
	case err != nil:
		add(string(role), false, role != inference.RoleCondense, "%s", err.Error())
		return
	case remoteAddress(c.path):
		where := "texts leave this computer"
		if leaving(c.path) == "" {
			where = "another program on this computer"
		}
		add(string(role), true, false, "%s on the server %s: %s. The doctor does not connect; the first question does.", c.entry.Name, c.path, where)
		return
	}
	if err := gguf.Check(c.path); err != nil {
		add(string(role), false, role == inference.RoleAnswer || role == inference.RoleEmbed, "%s cannot be used: %s", c.path, err.Error())
		return
	}
	add(string(role), true, false, "%s in %s.", c.entry.Name, c.path)
}

// diagnoseDownloads says what lies in the person's folder of models and whether
// there is room for more.
func (a *App) diagnoseDownloads(add adding) {
	dir := a.ownModels()
	var bytes int64
	own := modelfile.List(dir)
	for _, r := range own {
		bytes += r.Bytes
	}
	add("models", true, false, "%d model files of your own in %s, %.1f GB.", len(own), dir, float64(bytes)/1e9)
	pending, err := download.Pending(dir)
	if err != nil {
		add("models", false, false, "The folder %s cannot be read, so nothing can be downloaded. Change its permissions.", dir)
		return
	}
	for _, u := range pending {
		id := modelfile.ID(filepath.Base(u.Path))
		add("models", true, false, "An unfinished download waits: %.1f GB of %s. `referent models pull %s` goes on, `referent models remove %s` throws it away.", float64(u.Done)/1e9, u.Path, id, id)
	}
	at := dir
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		at = a.config.DataDir // it is made with the first download
	}
	free, err := download.FreeSpace(at)
	if err != nil {
		add("models", false, false, "The free space on the disk is not known.")
		return
	}
	add("models", free > 3<<30, false, "%.1f GB are free for models; a download leaves at least 1 GiB free.", float64(free)/1e9)
}
