//go:build devserver

package desktop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// These journeys run on Wails' own dispatcher, events and bindings, through the
// server that its dev build has. The page is in Chromium, where axe judges it.

// served is the program behind Wails' dev server, with the page in Chromium.
type served struct{ *browser }

// openServed starts the program on a data folder of its own. The answers are
// quotes, so that no model writes.
func openServed(t *testing.T, args ...string) *served {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	cmd := exec.Command(filepath.Join(root, "build", "bin", "referent-dev"), append([]string{"--data", filepath.Join(t.TempDir(), "data")}, args...)...)
	cmd.Env = append(os.Environ(), "devserver="+address, "assetdir="+filepath.Join(root, "frontend", "dist"), "LANG=en_US.UTF-8", "NO_AT_BRIDGE=1",
		"REFERENT_MODEL_THREADS=1", "REFERENT_CHAT_MODE=quote", "REFERENT_CHAT_ENGINE=expand", "REFERENT_MODEL_ANSWER=smollm2-135m-instruct-q4_1")
	// Wails' dev build tells all it does; the end of it is shown if a test fails.
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v. Run `make test`, which builds it.", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the program ended with %v", err)
			}
		case <-time.After(time.Minute): // a guard against a hang
			_ = cmd.Process.Kill()
			t.Error("the program did not end")
		}
		if t.Failed() {
			t.Logf("%s", said.Bytes()[max(0, said.Len()-2000):])
		}
	})
	deadline := time.Now().Add(time.Minute)
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		if r, err := http.Get("http://" + address); err == nil {
			_ = r.Body.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the dev server does not answer")
		}
	}
	s := &served{openBrowser(t, "http://"+address)}
	s.SeeRole("contentinfo", "Status")
	return s
}

// openSample starts on the sample library, as `make run` does, and waits until
// every file of it is read.
func openSample(t *testing.T) *served {
	t.Helper()
	library, err := filepath.Abs(filepath.Join("..", "..", "testdata", "library"))
	if err != nil {
		t.Fatal(err)
	}
	s := openServed(t, "--demo", library)
	s.Press("Control+2")
	s.Evaluate(`(async () => {
		const tick = () => new Promise((resume) => setTimeout(resume, 100));
		for (;;) {
			const { folders } = await window.go.desktop.Window.Library();
			if (folders.length === 1 && folders[0].waiting === 0 && folders[0].indexed > 0) return;
			await tick();
		}
	})()`)
	s.See("heating-manual.pdf")
	return s
}

// Drop drops files on the page as Wails reports it.
func (s *served) Drop(paths ...string) {
	s.t.Helper()
	event, err := json.Marshal(map[string]any{"name": "wails:file-drop", "data": []any{10, 10, paths}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.Evaluate(fmt.Sprintf("window.wails.EventsNotify(%q)", event))
}

func TestDev_TheFirstStart(t *testing.T) {
	s := openServed(t)
	s.See("Ask your own documents")
	s.Accessible("start")
	folder := filepath.Join(t.TempDir(), "Été à 100 % 文")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "laundry.md"), []byte("# Laundry\n\nThe laundry is open from 6 in the morning.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Drop(folder)
	s.Click("button", "Open chat")
	s.Ask("When is the laundry open?")
	s.See("6 in the morning")
	s.Quiet()
}

func TestDev_TheLibrary(t *testing.T) {
	s := openSample(t)
	s.Accessible("library")
	s.Quiet()
}

func TestDev_AnAnswerItsEvidenceAndAFollowUp(t *testing.T) {
	s := openSample(t)
	s.Press("Control+1")
	s.Ask("How much is the deposit for a flat?")
	s.See("Quoted")
	s.Accessible("chat")
	s.Ask("When is it settled?")
	s.See("from earlier questions")
	s.Accessible("follow-up")
	s.Quiet()
}

func TestDev_TheReader(t *testing.T) {
	s := openSample(t)
	s.Press("Control+1")
	s.Ask("How long must the reset key of the K-60 be pressed?")
	s.See("Quoted")
	s.Click("button", "Citation 1")
	s.Press("Enter")
	s.Accessible("reader")
	s.Quiet()
}

func TestDev_TheModels(t *testing.T) {
	s := openSample(t)
	s.Press("Control+3")
	s.See("What loaded, and why")
	s.Accessible("models")
	s.Quiet()
}

func TestDev_TheLab(t *testing.T) {
	s := openSample(t)
	s.Press("Control+4")
	s.See("The Lab asks questions whose right passages are known")
	s.Accessible("lab")
	s.Quiet()
}

func TestDev_TheSettings(t *testing.T) {
	s := openSample(t)
	s.Press("Control+5")
	s.See("Engine and GPU")
	s.Accessible("settings")
	s.Quiet()
}

func TestDev_ThePaletteAndTheKeys(t *testing.T) {
	s := openSample(t)
	s.Press("Control+Shift+p")
	s.SeeRole("dialog", "")
	s.Accessible("palette")
	s.Press("Escape")
	s.Press("F1")
	s.SeeRole("dialog", "")
	s.Accessible("keys")
	s.Quiet()
}
