package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"referent/inference"
	"referent/inference/runtime"
	"referent/storage"
)

// Doctor implements UseCases: it looks at everything that the main job needs
// and says in sentences what is there and what would fail.
func (a *App) Doctor(ctx context.Context) (Diagnosis, error) {
	var d Diagnosis
	add := func(topic string, ok, critical bool, format string, args ...any) {
		d.Findings = append(d.Findings, Finding{Topic: topic, OK: ok, Critical: critical, Sentence: fmt.Sprintf(format, args...)})
	}
	add("program", true, false, "Referent %s, data folder %s.", a.config.Version, a.config.DataDir)
	add("storage", true, false, "SQLite %s; both databases are open.", storage.SQLiteVersion())

	raw, err := runtime.Find(places(a.config.CacheDir)...)
	tried := a.machine.order(ctx, raw, a.settings().Text(runtimeKey))
	found := tried.list
	for i, f := range found {
		use := ""
		if i == 0 {
			use = " Models run on it."
		}
		add("runtime", true, false, "llama.cpp %s (%s) in %s, every file as expected.%s", f.Version, f.Name, f.Dir, use)
	}
	for name, why := range tried.reasons {
		add("runtime", false, false, "The libraries “%s” are not used: %s.", name, why)
	}
	if err != nil {
		add("runtime", false, len(found) == 0, "%s", modelSentence(err))
	}
	if len(found) > 0 {
		a.diagnoseDevices(ctx, found[0], add)
	}
	for _, role := range inference.Roles() {
		a.diagnoseRole(role, add)
	}
	a.diagnoseDownloads(add)
	font := filepath.Join(fontFolder(places(a.config.CacheDir), a.config.CacheDir), fallbackFont)
	if _, err := os.Stat(font); err != nil {
		add("documents", false, false, "The font for Chinese, Japanese and Korean PDF files is missing. Others are read. Install Referent again to have it.")
	} else {
		add("documents", true, false, "PDF files of every script are read.")
	}
	add("network", true, false, "%d outbound connections.", a.dialer.Counts().Open)
	d.OK = true
	for _, f := range d.Findings {
		if !f.OK && f.Critical {
			d.OK = false
		}
	}
	return d, nil
}

func (a *App) diagnoseDevices(ctx context.Context, in runtime.Info, add func(topic string, ok, critical bool, format string, args ...any)) {
	report, err := runtime.Probe(ctx, in.Dir)
	if err != nil {
		add("devices", false, true, "%s", modelSentence(err))
		return
	}
	for _, b := range report.Backends {
		if !b.Loaded {
			add("runtime", false, false, "%s does not load: %s", b.File, b.Reason)
		}
	}
	var names []string
	gpu := false
	for _, dev := range report.Devices {
		names = append(names, fmt.Sprintf("%s (%s, %.1f GiB free)", dev.Name, dev.Description, float64(dev.Free)/(1<<30)))
		gpu = gpu || dev.GPU()
	}
	add("devices", true, false, "%s.", strings.Join(names, "; "))
	if !gpu {
		add("gpu", true, false, "No GPU was found; models run on the processor.")
	}
}

// Version implements UseCases.
func (a *App) Version(context.Context) (Version, error) {
	return Version{Version: a.config.Version, Llama: runtime.Version, SQLite: storage.SQLiteVersion()}, nil
}
