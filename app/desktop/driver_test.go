//go:build browser || devserver

package desktop

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// element names something on the page as a person would: by role and name, or
// by its text where Role is empty.
type element struct {
	Role  string `json:"role,omitempty"`
	Name  string `json:"name,omitempty"`
	Exact bool   `json:"exact,omitempty"`
	Nth   *int   `json:"nth,omitempty"`
}

// chromium is the browser that all stories share, one after the other, so that
// starting it is paid once.
type chromium struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// running is the browser of this run of tests; nil: none was needed yet.
var running *chromium

func TestMain(m *testing.M) {
	code := m.Run()
	if running != nil {
		_ = running.in.Close() // the driver ends with its input
		_ = running.cmd.Wait()
	}
	os.Exit(code)
}

func startChromium() (*chromium, error) {
	cmd := exec.Command("node", "driver.mjs")
	cmd.Dir = filepath.Join("..", "..", "frontend", "e2e")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c := &chromium{cmd: cmd, in: in, out: bufio.NewScanner(out)}
	c.out.Buffer(nil, 64<<20)
	return c, cmd.Start()
}

// browser is a page in Chromium.
type browser struct {
	t *testing.T
	*chromium
	shots string
}

// openBrowser opens an address, which no other story has.
func openBrowser(t *testing.T, address string) *browser {
	t.Helper()
	if running == nil {
		c, err := startChromium()
		if err != nil {
			t.Fatal(err)
		}
		running = c
	}
	b := &browser{t: t, chromium: running, shots: os.Getenv("REFERENT_PICTURES")}
	t.Cleanup(func() { _, _ = b.try("end", element{}, nil) })
	b.do("begin", element{}, map[string]any{"address": address, "width": 1280, "height": 832})
	return b
}

// do sends one command and returns its value. A failure ends the test with a
// picture, where pictures are kept.
func (b *browser) do(what string, e element, more map[string]any) any {
	b.t.Helper()
	value, err := b.try(what, e, more)
	if err != nil {
		b.picture("failed-" + strings.ReplaceAll(b.t.Name(), "/", "-"))
		b.t.Fatalf("%s %+v: %v", what, e, err)
	}
	return value
}

func (b *browser) try(what string, e element, more map[string]any) (any, error) {
	line := map[string]any{"do": what}
	raw, _ := json.Marshal(e)
	_ = json.Unmarshal(raw, &line)
	for k, v := range more {
		line[k] = v
	}
	body, err := json.Marshal(line)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(b.in, "%s\n", body); err != nil {
		return nil, err
	}
	if !b.out.Scan() {
		return nil, fmt.Errorf("the browser ended: %w", b.out.Err())
	}
	var answer struct {
		Value any
		Error string
	}
	if err := json.Unmarshal(b.out.Bytes(), &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s", answer.Error)
	}
	return answer.Value, nil
}

func (b *browser) picture(name string) {
	if b.shots == "" {
		return
	}
	if err := os.MkdirAll(b.shots, 0o755); err != nil {
		b.t.Fatal(err)
	}
	_, _ = b.try("picture", element{}, map[string]any{"text": filepath.Join(b.shots, name+".png")})
}

// The verbs of the stories.

func (b *browser) Click(role, name string) {
	b.t.Helper()
	b.do("click", element{Role: role, Name: name}, nil)
}
func (b *browser) ClickExact(role, name string) {
	b.t.Helper()
	b.do("click", element{Role: role, Name: name, Exact: true}, nil)
}
func (b *browser) Press(key string) {
	b.t.Helper()
	b.do("press", element{}, map[string]any{"key": key})
}
func (b *browser) See(text string) { b.t.Helper(); b.do("wait", element{Name: text}, nil) }
func (b *browser) SeeRole(role, name string) {
	b.t.Helper()
	b.do("wait", element{Role: role, Name: name}, nil)
}
func (b *browser) Gone(role, name string) {
	b.t.Helper()
	b.do("gone", element{Role: role, Name: name}, nil)
}
func (b *browser) Evaluate(script string) any {
	b.t.Helper()
	return b.do("evaluate", element{}, map[string]any{"script": script})
}
func (b *browser) Text(role, name string) string {
	b.t.Helper()
	return fmt.Sprint(b.do("text", element{Role: role, Name: name}, nil))
}

func (b *browser) Type(role, name, text string) {
	b.t.Helper()
	b.do("fill", element{Role: role, Name: name}, map[string]any{"text": text})
}

// Ask types a question and waits until its answer is checked.
func (b *browser) Ask(question string) {
	b.t.Helper()
	b.Type("textbox", "Question", question)
	b.Press("Enter")
	b.SeeRole("article", question)
}

// Quiet fails the test if the page logged an error or asked another host.
func (b *browser) Quiet() {
	b.t.Helper()
	for _, what := range []string{"problems", "foreign"} {
		if list, ok := b.do(what, element{}, nil).([]any); ok && len(list) > 0 {
			b.t.Errorf("%s: %v", what, list)
		}
	}
}

// Accessible fails the test for each rule of axe that the page breaks, in light
// and in dark, and keeps a picture of both.
func (b *browser) Accessible(name string) {
	b.t.Helper()
	for _, theme := range []string{"light", "dark"} {
		b.do("theme", element{}, map[string]any{"text": theme})
		b.picture(name + "-" + theme)
		for _, wrong := range b.do("violations", element{}, nil).([]any) {
			b.t.Errorf("%s, %s: %v", name, theme, wrong)
		}
	}
}
