package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/extract"
)

// desk runs command lines in this process, on one program with fake models and
// a small library.
type desk struct {
	t     *testing.T
	app   *app.App
	host  *fake.Host
	docs  string // the library
	dir   string // for files of a test
	opens int    // how often a command opened the data folder

	lend     func(lent) Session // what commands work on; nil: the program itself
	Stdin    string             // of the next command
	terminal bool               // a person sits before the next command
	fails    bool               // rewrites fail
	says     string             // by the answer model; empty: what the fake says
}

// open lends the program to a command, which must not close it.
type lent struct{ *app.App }

func (lent) Close() error { return nil }

var town = map[string]string{
	"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long.\n\n## History\n\nThe Harlow Bridge was opened in 1932 by the mayor.\n",
	"boiler.md": "# Boiler manual\n\nThe boiler pressure must be 1.5 bar.\n",
	"evil.txt":  "The evil twin of the bridge has \x1b[31mred\x1b[0m paint and a \u202eright-to-left name.\n",
}

const howLong = "How long is the Harlow Bridge?"

func newDesk(t *testing.T) *desk {
	t.Helper()
	root := t.TempDir()
	d := &desk{t: t, docs: filepath.Join(root, "docs"), dir: root}
	d.host = fake.New(fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		if d.says != "" && role == inference.RoleAnswer && req.MaxTokens > 1 {
			return fake.Reply{Text: d.says}, true
		}
		return fake.Reply{Text: " "}, d.fails && role == inference.RoleCondense && req.MaxTokens > 1
	}})
	for _, role := range inference.Roles() {
		spec := fake.Spec(role)
		if e, ok := catalogue.Starter(role); ok {
			spec.Hash = e.SHA256 // the program keeps vectors by the model's hash
		}
		if _, err := d.host.Load(t.Context(), spec, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range town {
		d.write("docs/"+name, text)
	}
	data := filepath.Join(root, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	var err error
	d.app, err = app.Open(t.Context(), app.Config{DataDir: data, CacheDir: filepath.Join(root, "cache"), Version: "1.2.3", Host: d.host,
		Extract: func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
			return extract.File(ctx, path, extract.Options{Password: file.Password, Encoding: file.Encoding})
		}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.app.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// write makes a file, an hour old, and returns its path.
func (d *desk) write(name, text string) string {
	d.t.Helper()
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// outcome is what a command left.
type outcome struct {
	code           int
	stdout, stderr string
}

// run executes a command line as a script does: no terminal anywhere.
func (d *desk) run(args ...string) outcome {
	d.t.Helper()
	return d.runIn(d.t.Context(), args...)
}

func (d *desk) runIn(ctx context.Context, args ...string) outcome {
	d.t.Helper()
	var out, errs bytes.Buffer
	code := Run(ctx, args, Env{Stdin: strings.NewReader(d.Stdin), Terminal: d.terminal, Stdout: &out, Stderr: &errs, Version: "1.2.3",
		DataDir: func() (string, error) { return filepath.Join(d.dir, "data"), nil },
		Open: func(context.Context, string) (Session, error) {
			d.opens++
			if d.lend != nil {
				return d.lend(lent{d.app}), nil
			}
			return lent{d.app}, nil
		},
		Extract: func(ctx context.Context, path string) (rag.Extraction, error) {
			return extract.File(ctx, path, extract.Options{})
		}})
	d.Stdin, d.terminal = "", false
	o := outcome{code, out.String(), errs.String()}
	for _, text := range []string{o.stdout, o.stderr} {
		if strings.ContainsAny(text, "\x1b\u202e") {
			d.t.Errorf("%q wrote control characters: %q", args, text)
		}
	}
	return o
}

// ok runs a command that must succeed and returns its result.
func (d *desk) ok(args ...string) string {
	d.t.Helper()
	o := d.run(args...)
	if o.code != exitDone {
		d.t.Fatalf("%q ended with %d: %s", args, o.code, o.stderr)
	}
	return o.stdout
}

// sentence tells whether an error output is one sentence on one line.
func sentence(s string) bool {
	line := strings.TrimSuffix(s, "\n")
	return line != "" && !strings.Contains(line, "\n") && strings.ContainsAny(line[len(line)-1:], ".?!") && !strings.Contains(line, "goroutine")
}
