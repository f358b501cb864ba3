//go:build window

package desktop

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// quick makes answers that no model writes: the best sentences.
var quick = []string{"REFERENT_CHAT_MODE=quote", "REFERENT_MODEL_ANSWER=smollm2-135m-instruct-q4_1"}

// aFolder makes a folder of documents with a name that is hard to carry. They were
// saved a while ago: what is being saved is not read before it has rested.
func aFolder(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "Été à 100 % 文")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"laundry.md": "# Laundry\n\nThe laundry is open from 6 in the morning. A wash costs two euros.\n",
		"lift.md":    "# Lift\n\nThe lift carries four persons. Harbour Lift Service maintains the lift.\n",
	} {
		path, saved := filepath.Join(folder, name), time.Now().Add(-time.Minute)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, saved, saved)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// read waits until n files are read.
func (s *shipped) read(n int) {
	s.t.Helper()
	waitFor(s.t, fmt.Sprint(n, " files"), func() bool {
		v, rejected := s.settle(`(await window.go.desktop.Window.Library()).folders.reduce((n, f) => n + f.indexed, 0)`)
		return !rejected && v == float64(n)
	})
}

// searchable waits until more than n passages are there, each with its vector.
func (s *shipped) searchable(n int) {
	s.t.Helper()
	waitFor(s.t, "every vector", func() bool {
		v, rejected := s.settle(`(await window.go.desktop.Window.Status()).index`)
		i, ok := v.(map[string]any)
		return !rejected && ok && i["chunks"].(float64) > float64(n) && i["vectors_done"] == i["vectors_total"]
	})
}

// Drag drags files from outside onto the middle of the window, with the mouse.
func (s *shipped) Drag(paths ...string) {
	s.t.Helper()
	cmd := exec.Command("/usr/bin/python3", append([]string{filepath.Join("testdata", "drag.py"), "0", "0"}, paths...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		s.t.Fatalf("the files cannot be dragged: %q", lines.Text())
	}
	s.xdotool("mousemove", "20", "20", "mousedown", "1")
	for at := 40; at <= 400; at += 20 {
		s.xdotool("mousemove", fmt.Sprint(at), fmt.Sprint(at), "sleep", "0.02")
	}
	s.xdotool("mouseup", "1")
	if !lines.Scan() || lines.Text() != "dropped" {
		s.t.Fatalf("the drag did not end: %q", lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		s.t.Fatal(err)
	}
}

func TestWindow_AFolderIsDroppedTheSearchIsEditedAndTheCitationOpens(t *testing.T) {
	s := openWindow(t, filepath.Join(t.TempDir(), "data"), append([]string{"REFERENT_CHAT_ENGINE=expand"}, quick...))
	s.See("Ask your own documents")
	s.Drag(aFolder(t))
	s.read(2)
	s.searchable(1)
	s.Click("button", "Open chat")

	s.Ask("When is the laundry open?")
	s.See("6 in the morning")
	s.Ask("What does it cost?")
	s.See("from earlier questions")
	s.See("two euros")

	t.Log("the search text is edited and searched again")
	s.Key("ctrl+l")
	s.Key("ctrl+a")
	s.Type("Who maintains the lift?")
	s.Key("Return")
	waitFor(t, "the verdict on the edited search", func() bool {
		return s.evaluate(`/Harbour Lift Service[^]*Quoted/.test([...document.querySelectorAll('article')].at(-1).innerText)`) == true
	})

	t.Log("the citation opens in the Reader, with the passage marked")
	s.Click("article button", "Citation 1")
	waitFor(t, "the focus on the citation", func() bool {
		return s.evaluate(`document.activeElement.getAttribute('aria-label')?.startsWith('Citation 1')`) == true
	})
	s.Key("Return")
	waitFor(t, "the marked passage", func() bool {
		return s.evaluate(`[...document.querySelectorAll('mark')].some((m) => m.innerText.includes('6 in the morning'))`) == true
	})
	s.Picture("reader-marked")
	s.Key("Escape")

	t.Log("another model is chosen for rewriting")
	s.Key("ctrl+3")
	const row = `[...document.querySelectorAll('tr')].find((row) => row.innerText.startsWith('Condense')).cells[1].innerText`
	s.Click("button", "Change the model for Condense")
	before := s.evaluate(row)
	s.Click("[role=option]:not([aria-selected=true])", "")
	waitFor(t, "another model than "+fmt.Sprint(before), func() bool { return s.evaluate(row) != before })
	s.Picture("model-changed")

	t.Log("the number of GPU layers is changed and kept, and so are the zoom and the place of the window")
	s.settle(`await window.go.desktop.Window.SetSetting("model.gpu_layers", "0")`)
	s.xdotool("windowsize", "--sync", s.window(), "1200", "750", "windowmove", "--sync", s.window(), "120", "60")
	s.Key("ctrl+plus")
	s.Key("ctrl+plus")
	s.Key("ctrl+plus")
	width := func(s *shipped, want float64) {
		t.Helper()
		waitFor(t, fmt.Sprint("a page of ", want), func() bool { return s.evaluate(`innerWidth`) == want })
	}
	width(s, 800) // of 1200, at 150 %
	s.Picture("zoom-150")
	s.Quit()

	again := openWindow(t, s.data, quick)
	width(again, 800)
	if out, err := exec.Command("xdotool", "getwindowgeometry", again.window()).Output(); err != nil || !strings.Contains(string(out), "Position: 120,60") {
		t.Errorf("the window stands at %s, %v", out, err)
	}
	again.Key("ctrl+0")
	width(again, 1200)
	again.Key("ctrl+1")
	again.See("When is the laundry open?")
	if v, _ := again.settle(`(await window.go.desktop.Window.Settings()).find((s) => s.key === 'model.gpu_layers').value`); v != "0" {
		t.Errorf("the GPU layers are %v after a restart", v)
	}
	again.Quit()
}

func TestWindow_AnAnswerIsStoppedAndItsWorkerKilledWhileItStreams(t *testing.T) {
	s := openWindow(t, filepath.Join(t.TempDir(), "data"), []string{"REFERENT_CHAT_MODE=generate", "REFERENT_MODEL_ANSWER=smollm2-135m-instruct-q4_1",
		"REFERENT_EVIDENCE_BUDGET=300", "REFERENT_ANSWER_MAX_TOKENS=400"}, "--demo", aFolder(t))
	s.read(2)
	s.searchable(1)
	begin := func() {
		s.Key("ctrl+1")
		s.Key("ctrl+n")
		s.Key("ctrl+i")
		s.Type("When is the laundry open, and who maintains the lift?")
		s.Key("Return")
		waitFor(t, "the first words", func() bool {
			return s.evaluate(`!!document.querySelector('article') && [...document.querySelectorAll('button')].some((b) => /^Stop/.test((b.getAttribute('aria-label') ?? b.innerText).trim()))`) == true
		})
	}
	t.Log("Escape stops; nothing is stored and the question comes back")
	begin()
	s.Key("Escape")
	s.See("Nothing was stored; your question is back in the field.")

	t.Log("the worker dies while it writes; the window lives and the next question is answered")
	begin()
	waitFor(t, "a worker", func() bool { return len(s.modelWorkers()) > 0 })
	for _, pid := range s.modelWorkers() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.settle(`await window.go.desktop.Window.SetSetting("answer.max_tokens", "24")`)
	s.Ask("Who maintains the lift?")
	s.Alive()
	s.Quit()
}

func TestWindow_InLocaleCAndWithoutABus(t *testing.T) {
	s := openWindow(t, filepath.Join(t.TempDir(), "data"), append([]string{"LANG=C", "LC_ALL=C", "LANGUAGE=", "DBUS_SESSION_BUS_ADDRESS=disabled:"}, quick...), "--demo", aFolder(t))
	s.read(2)
	s.Key("ctrl+2")
	s.See("laundry.md")
	s.Ask("When is the laundry open?")
	s.See("6 in the morning")
	for _, view := range []string{"3", "4", "5"} {
		s.Key("ctrl+" + view)
		s.See("outbound connections")
	}
	s.Alive()
	s.Quit()
}

// ExpectThePolicyHolds fails unless the page refuses a script in its own text, a
// picture and a call from elsewhere.
func (s *shipped) ExpectThePolicyHolds() {
	s.t.Helper()
	refused, _ := s.settle(`await new Promise((done) => {
		const seen = new Set();
		document.addEventListener('securitypolicyviolation', (e) => { if (seen.add(e.effectiveDirective).size === 3) done([...seen].sort().join(' ')); });
		setTimeout(() => done('only ' + [...seen].join(' ')), 10000);
		document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }));
		document.body.append(Object.assign(new Image(), { src: 'https://192.0.2.1/a.png' }));
		fetch('https://192.0.2.1/').catch(() => undefined);
	})`)
	if refused != "connect-src img-src script-src-elem" || s.evaluate(`window.ran === undefined`) != true {
		s.t.Errorf("the page refused %v", refused)
	}
}

func TestWindow_ASecondStartHandsItsFilesToTheFirst(t *testing.T) {
	s := openWindow(t, filepath.Join(t.TempDir(), "data"), quick)
	s.See("Ask your own documents")
	s.ExpectThePolicyHolds()
	second := exec.Command(s.cmd.Path, "--data", s.data, filepath.Join(aFolder(t), "lift.md"))
	second.Stderr = os.Stderr
	if err := second.Run(); err != nil {
		t.Fatalf("the second start: %v", err)
	}
	s.read(1)
	s.Click("button", "Open chat")
	s.Key("ctrl+2")
	s.See("lift.md")
	s.Quit()
}

func TestWindow_QuittingWhileFilesAreReadLosesNothing(t *testing.T) {
	folder := aFolder(t)
	for i := range 400 {
		text := fmt.Sprintf("# Note %d\n\n%s", i, strings.Repeat("The boiler of the house was looked at and nothing was found. ", 40))
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("note-%03d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := openWindow(t, filepath.Join(t.TempDir(), "data"), quick, "--demo", folder)
	waitFor(t, "the first files", func() bool {
		v, rejected := s.settle(`(await window.go.desktop.Window.Library()).folders.reduce((n, f) => n + f.indexed, 0)`)
		n, _ := v.(float64)
		return !rejected && n > 0
	})
	s.Quit()
	again := openWindow(t, s.data, quick)
	again.read(402)
	again.Quit()
}

// aScreenReader is the window as AT-SPI shows it to a screen reader.
type aScreenReader struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

func (r aScreenReader) ask(verb string, args ...string) json.RawMessage {
	r.t.Helper()
	line, err := json.Marshal(map[string][]string{verb: append([]string{}, args...)})
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(r.in, "%s\n", line); err != nil {
		r.t.Fatal(err)
	}
	if !r.out.Scan() {
		r.t.Fatalf("the screen reader has ended: %v", r.out.Err())
	}
	return json.RawMessage(r.out.Text())
}

func (r aScreenReader) must(verb, role, name string) {
	r.t.Helper()
	if got := r.ask(verb, role, name); string(got) != "true" {
		r.t.Fatalf("%s %s %q: there is none in %s", verb, role, name, r.ask("tree"))
	}
}

func TestR117_AScreenReaderUsesTheWindowByRoleAndName(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "build", "bin", "referent-devtools"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dbus-run-session", "--", "/usr/bin/python3", filepath.Join("testdata", "screenreader.py"), program,
		"--data", filepath.Join(t.TempDir(), "data"), "--demo", aFolder(t))
	cmd.Env = append(append(os.Environ(), "LANG=en_US.UTF-8", "REFERENT_MODEL_THREADS=1"), quick...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := aScreenReader{t: t, in: in, out: bufio.NewScanner(out)}
	r.out.Buffer(nil, 16<<20)

	r.must("see", "landmark", "Views")
	r.must("press", "push button", "Library")
	r.must("see", "push button", "Add folder")
	r.must("see", "heading", "All files")
	r.must("press", "push button", "Models")
	r.must("see", "heading", "Models")
	r.must("press", "push button", "Settings")
	r.must("see", "heading", "Settings")
	r.must("press", "push button", "Chat")
	r.must("see", "entry", "Question")

	t.Log("whatever can be pressed or filled has a name")
	var tree [][2]string
	if err := json.Unmarshal(r.ask("tree"), &tree); err != nil {
		t.Fatal(err)
	}
	for _, node := range tree {
		switch node[0] {
		case "push button", "entry", "combo box", "check box", "radio button", "toggle button", "link", "document web":
			if node[1] == "" {
				t.Errorf("a %s has no name", node[0])
			}
		}
	}
	_ = in.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the program ended with %v", err)
		}
	case <-time.After(hang):
		_ = cmd.Process.Kill()
		t.Error("the program did not end")
	}
}
