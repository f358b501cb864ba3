package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"referent/app"
)

// fence finds an example of a page: its language and its text.
var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// examples are those of a page in one language.
func examples(t *testing.T, page, language string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range fence.FindAllStringSubmatch(string(raw), -1) {
		if m[1] == language {
			out = append(out, m[2])
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no example in %s", page, language)
	}
	return out
}

// withHouse adds what the examples ask about.
func withHouse(d *desk) {
	d.write("house/quay.md", "# Quay House\n\nThe boiler Vesta 40 heats Quay House.\n\n## Heating season\n\nThe heating season of Quay House begins on 1 October.\n")
	d.add(app.AddRequest{Paths: []string{filepath.Join(d.docs, "house")}})
}

// run executes an example as a person would who copied it.
func (d *desk) run(script string, command ...string) string {
	d.t.Helper()
	if _, err := exec.LookPath(command[0]); err != nil {
		d.t.Fatalf("the examples need %s: %v", command[0], err)
	}
	c := exec.CommandContext(d.t.Context(), command[0], command[1:]...)
	c.Env = append(os.Environ(), "REFERENT_URL="+d.url, "REFERENT_DATA="+d.dir, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	c.Stdin = strings.NewReader(script)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		d.t.Fatalf("%v: %s\n%s\n%s", err, errs.String(), out, script)
	}
	return string(out)
}

func TestDocs_TheExamplesInCurlRun(t *testing.T) {
	d := newDesk(t, nil)
	withHouse(d)
	api := examples(t, "api.md", "sh")
	two := d.run(api[0], "sh", "-eu")
	for _, want := range []string{`"answer":"The boiler Vesta 40 heats Quay House. [1]"`, `"answer":"The heating season of Quay House begins on 1 October. [1]"`, "event: prepared", `"status":"rewritten"`} {
		if !strings.Contains(two, want) {
			t.Errorf("no %s in %s", want, two)
		}
	}
	if out := d.run(api[1], "sh", "-eu"); !strings.Contains(out, "1 October") || !strings.Contains(out, "quay.md") || !strings.Contains(out, `"version":"1.2.3"`) {
		t.Errorf("%s", out)
	}
	if out := d.run(api[2], "sh", "-eu"); !strings.Contains(out, "begins on 1 October. [1]") || !strings.Contains(out, `"object":"embedding"`) {
		t.Errorf("%s", out)
	}
	if out := d.run(examples(t, "mcp.md", "sh")[0], "sh", "-eu"); !strings.Contains(out, "The boiler Vesta 40 heats Quay House. [1]") {
		t.Errorf("%s", out)
	}
}

func TestDocs_TheScriptsAskTwoTurnsAndPrintTheRewriteAndTheSources(t *testing.T) {
	d := newDesk(t, nil)
	withHouse(d)
	for language, command := range map[string][]string{"python": {"python3", "-"}, "js": {"node", "--input-type=module", "-"}} {
		out := d.run(examples(t, "api.md", language)[0], command...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) != 6 {
			t.Fatalf("%s: %q", language, lines)
		}
		if lines[0] != "Searched for: Which boiler heats Quay House?" || lines[1] != "The boiler Vesta 40 heats Quay House. [1]" || !strings.HasPrefix(lines[2], "  [1] Quay House (") {
			t.Errorf("%s: first turn %q", language, lines[:3])
		}
		rewrite := strings.TrimPrefix(lines[3], "Searched for: ")
		if rewrite == "When does its heating season begin?" || !strings.Contains(rewrite, "Quay") || lines[4] != "The heating season of Quay House begins on 1 October. [1]" {
			t.Errorf("%s: second turn %q", language, lines[3:])
		}
	}
}

func TestDocs_TheLinesForMCPAreAnswered(t *testing.T) {
	d := newDesk(t, nil)
	withHouse(d)
	in, lines := io.Pipe()
	from, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- RunMCP(t.Context(), Config{Use: d.app, Dir: d.dir, Version: "1.2.3", Log: d.note}, in, out, nil)
		_ = out.Close()
	}()
	go func() { _, _ = io.WriteString(lines, examples(t, "mcp.md", "jsonl")[0]) }() // a failure shows below
	replies := map[float64]string{}
	for answers := bufio.NewScanner(from); len(replies) < 3 && answers.Scan(); {
		var r struct {
			ID     float64
			Result json.RawMessage
		}
		if err := json.Unmarshal(answers.Bytes(), &r); err != nil {
			t.Fatalf("%v: %s", err, answers.Text())
		}
		replies[r.ID] = string(r.Result)
	}
	_ = lines.Close() // the assistant ends, and so the server does
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !strings.Contains(replies[1], `"name":"referent"`) || !strings.Contains(replies[2], "The boiler Vesta 40 heats Quay House.") || !strings.Contains(replies[3], "begins on 1 October. [1]") {
		t.Errorf("%v", replies)
	}
	var config struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(examples(t, "mcp.md", "json")[0]), &config); err != nil || strings.Join(config.Servers["referent"].Args, " ") != "serve --mcp" {
		t.Errorf("%v %+v", err, config)
	}
}
