package desktop

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// SaveDiagnostics asks where and writes what helps to find a fault: versions,
// the doctor, changed settings, sizes, and the log of runs, connections and
// calls. No text of documents, questions or answers, and no names of documents.
func (w *Window) SaveDiagnostics() (string, error) {
	return guard(w, func(ctx context.Context) (string, error) {
		text, err := w.diagnostics(ctx)
		if err != nil {
			return "", err
		}
		path, err := w.platform.SaveFile(ctx, "referent-diagnostics-"+time.Now().Format("2006-01-02")+".txt")
		if err != nil || path == "" {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", notWritten(err)
		}
		return path, nil
	})
}

func (w *Window) diagnostics(ctx context.Context) (string, error) {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	steps := []func(context.Context, func(string, ...any)) error{w.tellVersion, w.tellDoctor, w.tellSettings, w.tellSize, w.tellRuns, w.tellTraffic}
	for _, step := range steps {
		if err := step(ctx, line); err != nil {
			return "", err
		}
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" || home == string(os.PathSeparator) {
		return out.String(), nil
	}
	return strings.ReplaceAll(out.String(), home, "~"), nil // the name of the person is often in it
}

func (w *Window) tellVersion(ctx context.Context, line func(string, ...any)) error {
	v, err := w.use.Version(ctx)
	line("Referent %s, llama.cpp %s, SQLite %s", v.Version, v.Llama, v.SQLite)
	line("Written %s. It holds no text and no name of a document, no question and no answer.", time.Now().Format(time.RFC3339))
	return err
}

func (w *Window) tellDoctor(ctx context.Context, line func(string, ...any)) error {
	d, err := w.use.Doctor(ctx)
	line("\nDoctor")
	for _, f := range d.Findings {
		mark := "ok"
		if !f.OK {
			mark = "not ok"
		}
		line("%-7s %s: %s", mark, f.Topic, f.Sentence)
	}
	return err
}

func (w *Window) tellSettings(ctx context.Context, line func(string, ...any)) error {
	all, err := w.use.Settings(ctx)
	line("\nSettings that differ from the defaults")
	for _, s := range all {
		if s.Value != s.Default || s.Notice != "" {
			line("%s = %s (%s, default %s) %s", s.Key, s.Value, s.Source, s.Default, s.Notice)
		}
	}
	return err
}

func (w *Window) tellSize(ctx context.Context, line func(string, ...any)) error {
	s, err := w.use.IndexSize(ctx)
	line("\nSizes in bytes")
	line("library %d, conversations %d, search index %d, backups %d; %d passages, %d vectors", s.Library, s.Conversations, s.Search, s.Backups, s.Chunks, s.Vectors)
	return err
}

func (w *Window) tellRuns(ctx context.Context, line func(string, ...any)) error {
	runs, err := w.use.Runs(ctx, runsShown)
	line("\nRuns, newest first")
	for _, r := range runs {
		line("%s %s %s code=%s reason=%s ms=%v", r.Started, r.Engine, r.Status, r.Code, r.Reason, r.StagesMS)
	}
	return err
}

func (w *Window) tellTraffic(ctx context.Context, line func(string, ...any)) error {
	connections, err := w.use.Connections(ctx)
	if err != nil {
		return err
	}
	line("\nConnections to other computers, newest first")
	for _, c := range connections {
		line("%s %s %s sent=%d received=%d ended=%s", c.Started, c.Purpose, c.Host, c.Sent, c.Received, c.Ended)
	}
	calls, err := w.use.Calls(ctx)
	line("\nCalls of other programs since the start, newest first")
	for _, c := range calls {
		line("%s %s %s %s %d code=%s passages=%d ms=%.0f", c.At, c.Via, c.Client, c.Route, c.Status, c.Code, c.Passages, c.DurationMS)
	}
	return err
}
