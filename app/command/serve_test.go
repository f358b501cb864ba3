package command

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
)

// served is what a command line asked of the server.
type served struct {
	dir string
	ServeOptions
	stdin string
}

// serveWith runs a command line whose server only notes what it was asked.
func (d *desk) serveWith(args ...string) (outcome, []served) {
	d.t.Helper()
	var got []served
	var out, errs bytes.Buffer
	code := Run(d.t.Context(), args, Env{Stdin: strings.NewReader("a line"), Stdout: &out, Stderr: &errs,
		DataDir: func() (string, error) { return filepath.Join(d.dir, "data"), nil },
		Serve: func(_ context.Context, dir string, o ServeOptions) error {
			in, err := io.ReadAll(o.In)
			got = append(got, served{dir, o, string(in)})
			if !o.MCP {
				o.Ready("127.0.0.1:7337")
			}
			return err
		}})
	return outcome{code, out.String(), errs.String()}, got
}

func TestServe_SaysWhereItListensAndWhereTheTokenIs(t *testing.T) {
	d := &desk{t: t, dir: t.TempDir()}
	o, got := d.serveWith("serve", "--address", "localhost:1")
	if o.code != exitDone || o.stdout != "" || !sentence(o.stderr) || !strings.Contains(o.stderr, "Listening at 127.0.0.1:7337.") || !strings.Contains(o.stderr, app.TokenFile) {
		t.Errorf("%+v", o)
	}
	if len(got) != 1 || got[0].Address != "localhost:1" || got[0].MCP || got[0].dir != filepath.Join(d.dir, "data") {
		t.Errorf("%+v", got)
	}
	if o, _ := d.serveWith("serve", "--json"); o.stdout != `{"address":"127.0.0.1:7337","token_file":"api-token"}`+"\n" || o.stderr != "" {
		t.Errorf("%+v", o)
	}
}

func TestServe_MCPHasTheStreamsToItself(t *testing.T) {
	d := &desk{t: t, dir: t.TempDir()}
	o, got := d.serveWith("serve", "--mcp", "--data", "elsewhere")
	if o != (outcome{exitDone, "", ""}) || len(got) != 1 || !got[0].MCP || got[0].stdin != "a line" || got[0].dir != "elsewhere" {
		t.Errorf("%+v %+v", o, got)
	}
}

func TestServe_ANewTokenNeedsNoServer(t *testing.T) {
	d := &desk{t: t, dir: t.TempDir()}
	old, err := app.Token(filepath.Join(d.dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	o, got := d.serveWith("serve", "--rotate-token")
	if o.code != exitDone || o.stdout != "" || !sentence(o.stderr) || len(got) != 0 || strings.Contains(o.stderr, old) {
		t.Errorf("%+v %+v", o, got)
	}
	raw, err := os.ReadFile(filepath.Join(d.dir, "data", app.TokenFile))
	if err != nil || strings.TrimSpace(string(raw)) == old {
		t.Errorf("the token is the old one: %v", err)
	}
}

func TestServe_WrongUsage(t *testing.T) {
	d := &desk{t: t, dir: t.TempDir()}
	for _, args := range [][]string{{"serve", "x"}, {"serve", "--mcp", "--address", "unix"}, {"serve", "--rotate-token", "--mcp"}, {"serve", "--rotate-token", "--address", "unix"}, {"serve", "--port", "1"}} {
		if o, got := d.serveWith(args...); o.code != exitUsage || !sentence(o.stderr) || len(got) != 0 {
			t.Errorf("%v: %+v %+v", args, o, got)
		}
	}
}
