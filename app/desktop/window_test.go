//go:build window

package desktop

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"referent/inference/outbound/trace"
)

// hang is a guard against a test that never ends, not a promise of speed.
const hang = 120 * time.Second

// waitFor waits until a condition holds.
func waitFor(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(hang)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-tick.C
	}
}

// shipped is the real program with its real window on a virtual display.
type shipped struct {
	*inspector
	t    testing.TB
	cmd  *exec.Cmd
	data string
	port int // of the inspector
	// record is what strace wrote of the connections of all its processes.
	record string
	done   chan error
}

// openWindow starts the program. Its models are the starter models.
func openWindow(t testing.TB, data string, env []string, args ...string) *shipped {
	t.Helper()
	s := launch(t, nil, data, env, args)
	s.See("outbound connections")
	return s
}

// openTraced starts it and records what it connects to.
func openTraced(t testing.TB, data string, env []string, args ...string) *shipped {
	t.Helper()
	record := filepath.Join(t.TempDir(), "trace")
	s := launch(t, trace.Command(record), data, env, args)
	s.record = record
	s.See("outbound connections")
	return s
}

// launch starts the program and waits for its page, whatever it shows.
func launch(t testing.TB, wrap []string, data string, env, args []string) *shipped {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Fatal("the window lane needs a display: run it as `make test` does, under xvfb-run")
	}
	program, err := filepath.Abs(filepath.Join("..", "..", "build", "bin", "referent-devtools"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	line := append(append(wrap, program, "--data", data), args...)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = append(os.Environ(), "LANG=en_US.UTF-8", "NO_AT_BRIDGE=1", "REFERENT_MODEL_THREADS=1", fmt.Sprintf("WEBKIT_INSPECTOR_HTTP_SERVER=127.0.0.1:%d", port))
	// What WebKit keeps of a page, such as that the first start is over, goes
	// with the data folder.
	cmd.Env = append(append(cmd.Env, "XDG_DATA_HOME="+data+"-web"), env...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &shipped{t: t, cmd: cmd, data: data, port: port, done: make(chan error, 1)}
	go func() { s.done <- cmd.Wait() }()
	t.Cleanup(func() {
		if t.Failed() {
			s.Picture("failed-" + t.Name())
		}
		_ = cmd.Process.Kill()
	})
	s.inspect()
	return s
}

// inspect connects to the page, also to that of a start that has taken the place
// of the first.
func (s *shipped) inspect() {
	s.t.Helper()
	s.inspector = inspect(s.t, s.port)
}

// See waits for a text on the page.
func (s *shipped) See(text string) {
	s.t.Helper()
	waitFor(s.t, strconv.Quote(text), func() bool {
		return s.evaluate(`document.body?.innerText.includes(`+strconv.Quote(text)+`)`) == true // the page may not be there yet
	})
}

// Click clicks with the real mouse on what has the role's tag and the name.
func (s *shipped) Click(selector, name string) {
	s.t.Helper()
	var at []any
	waitFor(s.t, name, func() bool {
		at, _ = s.evaluate(`(() => {
			const named = (e) => (e.getAttribute('aria-label') ?? e.innerText ?? '').trim();
			const e = [...document.querySelectorAll(` + strconv.Quote(selector) + `)].find((e) => named(e).startsWith(` + strconv.Quote(name) + `) && !e.disabled && e.getClientRects().length);
			if (!e) return null;
			e.scrollIntoView({ block: 'center' });
			const r = e.getBoundingClientRect();
			return [r.x + r.width / 2, r.y + r.height / 2];
		})()`).([]any)
		return len(at) == 2
	})
	s.xdotool("mousemove", "--window", s.window(), fmt.Sprint(int(at[0].(float64))), fmt.Sprint(int(at[1].(float64))), "click", "1")
}

// Type types with the real keyboard; Key presses one key.
func (s *shipped) Type(text string) { s.t.Helper(); s.xdotool("type", "--delay", "4", text) }
func (s *shipped) Key(name string)  { s.t.Helper(); s.xdotool("key", name) }

func (s *shipped) window() string {
	s.t.Helper()
	out, err := exec.Command("xdotool", "search", "--all", "--onlyvisible", "--pid", strconv.Itoa(s.cmd.Process.Pid), "--name", "^Referent$").Output()
	if err != nil || len(strings.Fields(string(out))) == 0 {
		s.t.Fatalf("the window is not on the display: %v", err)
	}
	fields := strings.Fields(string(out))
	return fields[len(fields)-1]
}

func (s *shipped) xdotool(args ...string) {
	s.t.Helper()
	if out, err := exec.Command("xdotool", args...).CombinedOutput(); err != nil {
		s.t.Fatalf("xdotool %v: %v %s", args, err, out)
	}
}

// Picture keeps what is on the display, where pictures are wanted.
func (s *shipped) Picture(name string) {
	s.t.Helper()
	dir := os.Getenv("REFERENT_PICTURES")
	if dir == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if out, err := exec.Command("import", "-window", "root", filepath.Join(dir, name+".png")).CombinedOutput(); err != nil {
		s.t.Fatalf("picture: %v %s", err, out)
	}
}

// Alive fails if the program has ended.
func (s *shipped) Alive() {
	s.t.Helper()
	select {
	case err := <-s.done:
		s.t.Fatalf("the program ended: %v", err)
	default:
	}
}

// Quit ends the program as the system does at logout, and expects a clean end.
func (s *shipped) Quit() {
	s.t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.done:
		if err != nil {
			s.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(hang):
		s.t.Error("the program did not end")
	}
}

// ExpectNothingWasSent reads what the program and all its children, WebKit's
// too, connected and sent to.
func (s *shipped) ExpectNothingWasSent() {
	s.t.Helper()
	raw, err := os.ReadFile(s.record)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, seen := range []string{"--role=model", "WebKitNetworkProcess", "WebKitWebProcess", "owner.sock"} {
		if !strings.Contains(string(raw), seen) {
			s.t.Errorf("the trace has not seen %q: it followed nobody", seen)
		}
	}
	for _, line := range trace.Foreign(string(raw)) {
		s.t.Error(line)
	}
}

// modelWorkers lists the processes of the model role below the program.
func (s *shipped) modelWorkers() []int {
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(s.cmd.Process.Pid), "-f", "role=model").Output()
	var pids []int
	for _, f := range strings.Fields(string(out)) {
		if n, err := strconv.Atoi(f); err == nil {
			pids = append(pids, n)
		}
	}
	return pids
}

// Ask types a question as a person would, and waits for the verdict.
func (s *shipped) Ask(question string) {
	s.t.Helper()
	before := s.evaluate(`document.querySelectorAll('article').length`).(float64)
	s.Key("ctrl+1")
	s.Key("ctrl+i")
	s.Type(question)
	s.Key("Return")
	waitFor(s.t, "the verdict on "+question, func() bool {
		return s.evaluate(`document.querySelectorAll('article').length`).(float64) > before &&
			s.evaluate(`/Supported|Flagged|Quoted|No answer found|Withheld/.test([...document.querySelectorAll('article')].at(-1).innerText)`) == true
	})
}

func TestWindow_TheMainJobOnTheShippedProgram(t *testing.T) {
	library, err := filepath.Abs(filepath.Join("..", "..", "testdata", "library"))
	if err != nil {
		t.Fatal(err)
	}
	// The tiny model writes nothing of worth, but through the whole pipe.
	s := openTraced(t, filepath.Join(t.TempDir(), "data"), []string{"REFERENT_CHAT_ENGINE=expand", "REFERENT_CHAT_MODE=generate",
		"REFERENT_MODEL_ANSWER=smollm2-135m-instruct-q4_1", "REFERENT_ANSWER_MAX_TOKENS=48", "REFERENT_EVIDENCE_BUDGET=300"}, "--demo", library)

	t.Log("the sample library is read and shown")
	s.Key("ctrl+2")
	s.See("heating-manual.pdf")
	s.searchable(100)
	s.Picture("library-light")

	t.Log("a question and its follow-up are answered with what was searched")
	s.Ask("Which boiler heats Quay House, and when does its heating season begin?")
	s.See("First question, no earlier messages.")
	s.Ask("What pressure must it have when it is cold?")
	s.See("from earlier questions")
	s.Picture("chat-light")

	t.Log("a fault in a bound method is an error, three times over")
	for range 3 {
		if code, rejected := s.settle(`await window.go.desktop.Window.Crash()`); !rejected || code != "internal" {
			t.Fatalf("the call ended with %v", code)
		}
		s.Alive()
	}

	t.Log("the death of the model worker is survived")
	workers := s.modelWorkers()
	if len(workers) == 0 {
		t.Fatal("no model worker runs")
	}
	for _, pid := range workers {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	s.Ask("How high is the deposit for a flat?")
	s.Alive()

	s.Quit()

	t.Log("nothing has left the computer")
	s.ExpectNothingWasSent()

	t.Log("a second start, in dark, finds everything")
	again := openWindow(t, s.data, []string{"REFERENT_WINDOW_THEME=dark"})
	waitFor(t, "the dark theme", func() bool {
		return again.evaluate(`getComputedStyle(document.body).backgroundColor`) != "rgb(255, 255, 255)"
	})
	again.Key("ctrl+2")
	again.See("heating-manual.pdf")
	again.Picture("library-dark")
	again.Key("ctrl+1")
	again.See("Which boiler heats Quay House")
	again.Click("button", "Which boiler heats Quay House")
	again.See("What pressure must it have")
	again.Picture("chat-dark")
	again.Quit()
}
