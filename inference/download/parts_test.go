package download

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"referent/inference"
)

func folderOf(p string) string { return filepath.Dir(p) }

func TestContentRange(t *testing.T) {
	for _, c := range []struct {
		text        string
		from, total int64
		ok          bool
	}{
		{"bytes 0-9/10", 0, 10, true}, {"bytes 5-9/10", 5, 10, true}, {"bytes 5-9/*", 5, 0, true}, {"bytes */10", 0, 10, true},
		{"", 0, 0, false}, {"items 0-9/10", 0, 0, false}, {"bytes 5-9", 0, 0, false}, {"bytes x-9/10", 0, 0, false}, {"bytes 5/10", 0, 0, false},
		{"bytes -5-9/10", 0, 0, false}, {"bytes 0-9/-1", 0, 0, false},
	} {
		from, total, ok := contentRange(c.text)
		if ok != c.ok || ok && (from != c.from || total != c.total) {
			t.Errorf("%q: %d of %d, %v", c.text, from, total, ok)
		}
	}
}

func TestAnnouncement(t *testing.T) {
	hash := hashOf([]byte("x"))
	for _, c := range []struct {
		name string
		h    http.Header
		want string
	}{
		{"the hub's mark", http.Header{"X-Linked-Etag": {`"` + hash + `"`}, "Etag": {`"other"`}}, hash},
		{"an ETag that is a hash", http.Header{"Etag": {`"` + hash + `"`}}, hash},
		{"a git hash is none", http.Header{"X-Linked-Etag": {`"95d09f2b10159347eece71399a7e2e907ea3df4f"`}}, ""},
		{"nothing", http.Header{}, ""},
		{"64 letters that are no digits", http.Header{"Etag": {`"` + "zz" + hash[2:] + `"`}}, ""},
	} {
		var a announcement
		if a.read(c.h); a.sha256 != c.want {
			t.Errorf("%s: %q", c.name, a.sha256)
		}
	}
}

func TestValidator(t *testing.T) {
	for _, c := range []struct{ etag, date, want string }{
		{`"a"`, "Mon", `"a"`}, {`W/"a"`, "Mon", "Mon"}, {"", "Mon", "Mon"}, {"", "", ""},
	} {
		if got := validator(http.Header{"Etag": {c.etag}, "Last-Modified": {c.date}}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// 100 bytes a second for 20 seconds, then 300: after five more seconds the
// window of ten holds five of each, 200 on average.
func TestMeter(t *testing.T) {
	var m meter
	at, done := time.Unix(0, 0), int64(0)
	m.add(at, 0)
	if m.rate() != 0 {
		t.Error("a rate from one sample")
	}
	step := func(n int, bytes int64) {
		for range n {
			at, done = at.Add(time.Second), done+bytes
			m.add(at, done)
		}
	}
	if step(20, 100); m.rate() != 100 {
		t.Errorf("%v", m.rate())
	}
	if step(5, 300); m.rate() != 200 {
		t.Errorf("%v", m.rate())
	}
	if !m.due(at) || m.due(at.Add(meterEvery/2)) || !m.due(at.Add(meterEvery)) {
		t.Error("reports are not spaced")
	}
}

func TestDiskErrors(t *testing.T) {
	for _, c := range []struct{ cause, kind error }{
		{fmt.Errorf("write: %w", syscall.ENOSPC), ErrNoSpace}, {os.ErrPermission, ErrDisk}, {errors.New("x"), ErrDisk},
	} {
		var e *inference.Error
		if err := diskError(c.cause); !errors.Is(err, c.kind) || !errors.Is(err, c.cause) || !errors.As(err, &e) || e.Message == "" {
			t.Errorf("%v: %v", c.cause, err)
		}
	}
}

func TestPending_SkipsWhatCannotGoOn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.gguf": "x", "b.gguf.part": "xx", "b.gguf.part.json": "{", "c.gguf.part": "x",
		"d.gguf.part": "xxx", "d.gguf.part.json": `{"url":"https://h/d","size":9}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Pending(dir)
	if err != nil || fmt.Sprint(got) != fmt.Sprint([]Unfinished{{filepath.Join(dir, "d.gguf"), "https://h/d", 3, 9}}) {
		t.Errorf("%+v, %v", got, err)
	}
	if none, err := Pending(filepath.Join(dir, "none")); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}
}

func TestFreeSpace(t *testing.T) {
	if n, err := FreeSpace(t.TempDir()); err != nil || n <= 0 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := FreeSpace(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there has space")
	}
}
