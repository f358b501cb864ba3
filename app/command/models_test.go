package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"referent/app"
	"referent/inference/gguf/toy"
)

// toyChat writes a small real model that answers.
func (d *desk) toyChat(name string) string {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if _, err := (toy.Chat{Text: "Three months [1]."}).Write(path); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func TestModels_ImportVerifyRemove(t *testing.T) {
	d := newDesk(t)
	path := d.toyChat("Tiny Chat.gguf")
	o := d.run("models", "import", path, "--role", "answer")
	if o.code != exitDone || !strings.Contains(o.stdout, "tiny-chat is installed.") || !strings.Contains(o.stderr, "not compared with anything") {
		t.Fatalf("%+v", o)
	}
	if out := d.ok("models", "list"); !strings.Contains(out, "tiny-chat") || !strings.Contains(out, "installed, not compared with anything") {
		t.Errorf("%s", out)
	}
	d.ok("models", "load", "answer", "tiny-chat")
	if out := d.ok("settings", "get", "model.answer"); !strings.Contains(out, "tiny-chat") {
		t.Errorf("%s", out)
	}
	expectFields(t, "models-import", d.ok("models", "import", path, "--role", "condense", "--json"))
	expectFields(t, "models-verify", d.ok("models", "verify", "--json"))
	if out := d.ok("models", "verify", "tiny-chat"); !strings.Contains(out, "ok    tiny-chat  Every byte is the one that was imported.") {
		t.Errorf("%q", out)
	}
	file := filepath.Join(d.dir, "data", "models", "Tiny Chat.gguf")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := d.run("models", "verify", "--quiet"); o.code != exitFailed || !strings.Contains(o.stdout, "FAIL  tiny-chat  The file has changed since it came") || !sentence(o.stderr) {
		t.Errorf("altered: %+v", o)
	}
	d.ok("models", "remove", "tiny-chat")
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is still there")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("the person's own file is gone")
	}
	if o := d.run("models", "remove", "tiny-chat"); o.code != exitFailed || !sentence(o.stderr) {
		t.Errorf("removed twice: %+v", o)
	}
}

func TestModels_WrongUsageAndRefusals(t *testing.T) {
	d := newDesk(t)
	chat := d.toyChat("chat.gguf")
	notes := d.write("notes.gguf", "no model at all, only text that is long enough")
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"models list --role cook", exitUsage, "The roles are"},
		{"models pull", exitUsage, "the name of a model or an address"},
		{"models pull nothing", exitFailed, "There is no model named"},
		{"models pull https://host/page.html", exitFailed, "ends in .gguf"},
		{"models pull multilingual-e5-small-q4_0", exitFailed, "models import FILE --role embed"},
		{"models pause nothing", exitFailed, "being downloaded"},
		{"models import " + chat, exitUsage, "needs --role"},
		{"models import " + d.dir + "/none.gguf --role answer", exitUsage, "There is no file"},
		{"models import " + notes + " --role answer", exitFailed, "not a GGUF model file"},
		{"models import " + chat + " --role rerank", exitFailed, "no head that judges passages"},
		{"models import " + chat + " --role cook", exitFailed, "The roles are"},
		{"models verify nothing", exitFailed, "is installed"},
		{"models verify a b", exitUsage, "one model, or nothing"},
		{"models remove nothing", exitFailed, "is installed"},
		{"models fit --gpu 0.1", exitUsage, "from 1 to 1024"},
		{"models fit --gpu many", exitUsage, "--gpu takes"},
		{"models fit --answer nothing", exitFailed, "is installed"},
		{"models remote cook https://host/v1", exitUsage, "Roles:"},
		{"models remote answer host", exitUsage, "https://host/v1"},
		{"models remote answer http://example.org/v1", exitUsage, "open connection"},
		{"models remote answer https://me:secret@example.org/v1", exitUsage, "without a key"},
		{"models remote answer off --key-stdin", exitUsage, "no key came in"},
	} {
		t.Run(c.line, func(t *testing.T) {
			d.t = t
			if o := d.run(words(c.line)...); o.code != c.code || !sentence(o.stderr) || !strings.Contains(o.stderr, c.says) || o.stdout != "" {
				t.Errorf("%+v; want %d and %q", o, c.code, c.says)
			}
		})
	}
}

// shelf is a server with one model file that names its checksum.
func shelf(t *testing.T, path string, slow func(w http.ResponseWriter, r *http.Request, b []byte) bool) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Etag", `"`+hex.EncodeToString(sum[:])+`"`)
		if slow == nil || !slow(w, r, b) {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/files/" + filepath.Base(path)
}

// arrived waits until something of a download is on the disk.
func (d *desk) arrived(name string) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if info, err := os.Stat(filepath.Join(d.dir, "data", "models", name)); err == nil && info.Size() > 0 {
			return
		}
	}
}

func TestModels_PullByAddress(t *testing.T) {
	d := newDesk(t)
	address := shelf(t, d.toyChat("small.gguf"), nil)
	o := d.run("models", "pull", address, "--json")
	if o.code != exitDone || !strings.Contains(o.stdout, `"state":"done"`) || !strings.Contains(o.stderr, "Comparing and checking") {
		t.Fatalf("%+v", o)
	}
	expectFields(t, "models-pull", o.stdout)
	if out := d.ok("models", "list"); !strings.Contains(out, "installed, compared with the server's checksum") {
		t.Errorf("%s", out)
	}
	if out := d.ok("models", "verify", "small"); !strings.Contains(out, "the server announced") {
		t.Errorf("%s", out)
	}
	if o := d.run("models", "pull", address); o.code != exitFailed || !strings.Contains(o.stderr, "installed already") {
		t.Errorf("again: %+v", o)
	}
}

// An interrupt keeps what has arrived; the model's name is enough to go on.
func TestModels_PullIsInterruptedAndGoesOn(t *testing.T) {
	d := newDesk(t)
	path := d.toyChat("small.gguf")
	ctx, interrupt := context.WithCancel(t.Context())
	ranges := make(chan string, 8)
	address := shelf(t, path, func(w http.ResponseWriter, r *http.Request, b []byte) bool {
		ranges <- r.Header.Get("Range")
		if r.Header.Get("Range") != "" {
			return false
		}
		_, _ = w.Write(b[:len(b)/2])
		_ = http.NewResponseController(w).Flush()
		d.arrived("small.gguf.part")
		interrupt()
		<-r.Context().Done()
		return true
	})
	o := d.runIn(ctx, "models", "pull", address)
	if o.code != exitInterrupted || !strings.HasSuffix(o.stderr, "Stopped. What has arrived is kept; the same command goes on.\n") {
		t.Fatalf("%+v", o)
	}
	if out := d.ok("models", "list"); !strings.Contains(out, "paused, ") {
		t.Errorf("%s", out)
	}
	d.ok("models", "pull", "small")
	if first, second := <-ranges, <-ranges; first != "" || !strings.HasPrefix(second, "bytes=") {
		t.Errorf("asked for %q, then %q", first, second)
	}
	got, err := os.ReadFile(filepath.Join(d.dir, "data", "models", "small.gguf"))
	want, _ := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A download in one process can be paused from another, and thrown away.
func TestModels_PauseAndDiscard(t *testing.T) {
	d := newDesk(t)
	begun := make(chan struct{})
	address := shelf(t, d.toyChat("small.gguf"), func(w http.ResponseWriter, r *http.Request, b []byte) bool {
		_, _ = w.Write(b[:len(b)/2])
		_ = http.NewResponseController(w).Flush()
		d.arrived("small.gguf.part")
		close(begun)
		<-r.Context().Done()
		return true
	})
	ended := make(chan error)
	go func() { ended <- d.app.PullModel(t.Context(), app.PullRequest{URL: address, Granted: true}, nil) }()
	<-begun
	if o := d.run("models", "remove", "small"); o.code != exitFailed || !strings.Contains(o.stderr, "Pause the download first.") {
		t.Errorf("removed while it runs: %+v", o)
	}
	d.ok("models", "pause", "small")
	if err := <-ended; exitCode(err) != exitInterrupted || !strings.Contains(Sentence(err), "The download is paused.") {
		t.Errorf("%v", err)
	}
	d.ok("models", "remove", "small")
	left, err := os.ReadDir(filepath.Join(d.dir, "data", "models"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestModels_Fit(t *testing.T) {
	d := newDesk(t)
	d.ok("models", "import", d.toyChat("small.gguf"), "--role", "answer")
	d.ok("models", "load", "answer", "small")
	out := d.ok("models", "fit", "--gpu", "8", "--gpu", "6")
	for _, want := range []string{"GPU0: 8.00 GiB free of 8.00 GiB.", "GPU1: 6.00 GiB free of 6.00 GiB.", "of 12.00 GiB on the graphics processors", "fits the GPU"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if out := d.ok("models", "fit"); !strings.Contains(out, "No graphics processor: every model runs on the processor.") {
		t.Errorf("%s", out)
	}
	expectFields(t, "models-fit", d.ok("models", "fit", "--gpu", "8", "--json"))
}

// A choice above what the card has is said whenever the plan is looked at.
func TestR067_ModelsFitSaysThatAChoiceIsTooMuch(t *testing.T) {
	const warning = "The number of layers that you chose needs more memory than there is."
	d := newDesk(t)
	d.ok("models", "import", d.toyChat("small.gguf"), "--role", "answer")
	d.ok("models", "load", "answer", "small")
	d.ok("settings", "set", "model.gpu_layers", "99")
	if out := d.ok("models", "fit", "--gpu", "1"); !strings.Contains(out, warning) { // the margin takes all of it
		t.Errorf("no warning in\n%s", out)
	}
	if out := d.ok("models", "fit", "--gpu", "8"); strings.Contains(out, warning) {
		t.Errorf("a warning in\n%s", out)
	}
}

func TestModels_Remote(t *testing.T) {
	keyring.MockInit()
	d := newDesk(t)
	d.Stdin = "sk-test\n"
	d.ok("models", "remote", "rerank", "https://models.example/v1", "--model", "judge", "--key-stdin")
	if key, err := keyring.Get("referent", "remote.rerank"); err != nil || key != "sk-test" {
		t.Errorf("the keyring holds %q, %v", key, err)
	}
	if out := d.ok("settings", "list"); !strings.Contains(out, "https://models.example/v1") || strings.Contains(out, "sk-test") {
		t.Errorf("%s", out)
	}
	d.ok("models", "remote", "rerank", "off")
	if _, err := keyring.Get("referent", "remote.rerank"); err == nil {
		t.Error("the key outlived its server")
	}
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	d.Stdin = "sk-test\n"
	if o := d.run("models", "remote", "rerank", "https://models.example/v1", "--key-stdin"); o.code != exitFailed || !strings.Contains(o.stderr, "REFERENT_REMOTE_RERANK_KEY") {
		t.Errorf("without a keyring: %+v", o)
	}
}

func TestModels_ListIsChosenFrom(t *testing.T) {
	d := newDesk(t)
	ids := func(args ...string) string {
		t.Helper()
		var m app.Models
		if err := json.Unmarshal([]byte(d.ok(append([]string{"models", "list", "--json"}, args...)...)), &m); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range m.Catalogue {
			out = append(out, r.ID)
		}
		return strings.Join(out, " ")
	}
	all := ids()
	for _, c := range []struct{ args, with, without string }{
		{"GRANITE", "granite-4.1-3b-q4_k_m", "qwen"},
		{"qwen q8_0", "qwen3-embedding-0.6b-q8_0", "granite"},
		{"--role rerank", "bge-reranker-v2-m3-q8_0", "granite"},
		{"qwen --role answer", "qwen3-8b-q4_k_m", "embedding"},
	} {
		got := ids(strings.Fields(c.args)...)
		if !strings.Contains(got, c.with) || strings.Contains(got, c.without) || len(got) >= len(all) {
			t.Errorf("%s: %s", c.args, got)
		}
	}
	if o := d.run("models", "list", "no such model"); o.code != exitDone || !strings.Contains(o.stderr, "No model is like that.") {
		t.Errorf("%+v", o)
	}
}
