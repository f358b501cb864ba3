//go:build clients

package api

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"referent/app/owner"
)

// clientsFolder is where `go run ./build/setup clients` puts the clients.
func clientsFolder(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("REFERENT_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(dir, "referent")
	}
	dir := filepath.Join(cache, "clients")
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("`make test` brings the clients of others: %v", err)
	}
	return dir
}

// runClient lets a script ask and returns what it prints.
func (d *desk) runClient(script string, env []string, command ...string) string {
	d.t.Helper()
	c := exec.CommandContext(d.t.Context(), command[0], append(command[1:], script)...)
	c.Env = append(os.Environ(), "REFERENT_URL="+d.url, "REFERENT_TOKEN="+d.token, "REFERENT_DATA="+d.dir, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	c.Env = append(c.Env, env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		d.t.Fatalf("%s: %v\n%s\n%s", script, err, out.String(), errs.String())
	}
	return out.String()
}

// twoTurns is what each client of OpenAI prints.
const twoTurns = `searched: Which boiler heats Quay House?
answer: The boiler Vesta 40 heats Quay House. [1]
searched: When does boiler heats Quay House heating season begin?
answer: The heating season of Quay House begins on 1 October. [1]
streamed: The boiler Vesta 40 heats Quay House. [1]
refused: 404 not_found
refused: 422 unknown_chat_engine
refused: 422 invalid_request
refused: 401 unauthorized
`

func TestClients_OpenAIForPython(t *testing.T) {
	d := newDesk(t, nil)
	withHouse(d)
	if got := d.runClient("testdata/clients/openai.py", []string{"PYTHONPATH=" + filepath.Join(clientsFolder(t), "python")}, "python3", "-P"); got != twoTurns {
		t.Errorf("%s\nwant\n%s", got, twoTurns)
	}
}

func TestClients_OpenAIForJavaScript(t *testing.T) {
	d := newDesk(t, nil)
	withHouse(d)
	// Modules are looked up beside the script: it stands in the clients' folder while it runs.
	body, err := os.ReadFile(filepath.Join("testdata", "clients", "openai.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	at, err := os.CreateTemp(filepath.Join(clientsFolder(t), "node"), "*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(at.Name()) }() // only a copy
	if _, err := at.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := at.Close(); err != nil {
		t.Fatal(err)
	}
	if got := d.runClient(at.Name(), nil, "node"); got != twoTurns {
		t.Errorf("%s\nwant\n%s", got, twoTurns)
	}
}

// The installed program speaks over its standard input and output beside the
// owner of the folder, which is this test.
func TestClients_MCPForPython(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "build", "bin", "referent"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("`make binary` builds the program: %v", err)
	}
	d := newDesk(t, nil)
	withHouse(d)
	held, err := owner.Open(t.Context(), owner.Options{Dir: d.dir, Version: "1", Front: owner.FrontWindow, Log: d.note,
		Start: func(context.Context) (owner.Closer, error) { return lent{d.app}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := held.Close(); err != nil {
			t.Error(err)
		}
	}()
	env := []string{"REFERENT_PROGRAM=" + program, "PYTHONPATH=" + filepath.Join(clientsFolder(t), "python")}
	got := d.runClient("testdata/clients/mcp_client.py", env, "python3", "-P")
	for _, way := range []string{"http", "stdio"} {
		for _, want := range []string{"answer: The boiler Vesta 40 heats Quay House. [1]",
			"answer: The heating season of Quay House begins on 1 October. [1]", "refused: a misspelled argument"} {
			if !strings.Contains(got, way+" "+want+"\n") {
				t.Errorf("no %q over %s in\n%s", want, way, got)
			}
		}
	}
	calls, err := d.app.Calls(t.Context())
	if err != nil || len(calls) < 8 {
		t.Fatalf("%v %d", err, len(calls))
	}
	for _, c := range calls {
		if c.Via == "mcp" && c.Route == "mcp ask" && len(c.Documents) == 0 {
			t.Errorf("%+v", c)
		}
	}
}
