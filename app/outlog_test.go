package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"referent/inference/outbound"
)

// calls is a dialer whose connections the test opens and ends.
type calls struct {
	list []outbound.Connection
	told func(outbound.Counts)
}

func (c *calls) Connections() []outbound.Connection { return c.list }

func (c *calls) Watch(fn func(outbound.Counts)) (stop func()) {
	c.told = fn
	return func() { c.told = func(outbound.Counts) {} }
}

func (c *calls) opened(host string) {
	c.list = append(c.list, outbound.Connection{ID: len(c.list) + 1, Purpose: "download", Host: host, Started: time.Unix(1e9, 0)})
	c.told(outbound.Counts{})
}

func (c *calls) ended(i int, received int64) {
	c.list[i].Ended, c.list[i].Received = time.Unix(1e9+60, 0), received
	c.told(outbound.Counts{})
}

// start opens the log of a folder as a start of the program does.
func start(t *testing.T, dir string) (*outlog, *calls) {
	t.Helper()
	c := &calls{}
	l, err := openOutlog(dir, c, func(line string) { t.Error(line) })
	if err != nil {
		t.Fatal(err)
	}
	return l, c
}

func TestOutlog_RemembersConnectionsOverStarts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, connectionsFile)
	l, _ := start(t, dir)
	if err := l.Close(); err != nil || len(l.earlier) > 0 {
		t.Fatal(l.earlier, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was made without any connection")
	}
	for _, host := range []string{"a.example:443", "b.example:443"} {
		l, c := start(t, dir)
		c.opened(host)
		c.opened("killed.example:443") // its end is never told
		c.ended(0, 99)
		c.told(outbound.Counts{}) // nothing new
		// The start ends by a kill, in the middle of a line.
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(`{"start":"half`); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if err := l.file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	l, _ = start(t, dir)
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	want := []string{"killed.example:443", "b.example:443", "killed.example:443", "a.example:443"}
	if len(l.earlier) != len(want) {
		t.Fatalf("remembered %+v", l.earlier)
	}
	for i, c := range l.earlier {
		whole := c.Host == "killed.example:443" || c.Received == 99 && c.Ended != Optional(c.Started)
		if c.Host != want[i] || c.Purpose != "download" || c.Started == "" || c.Ended == "" || !whole {
			t.Errorf("remembered %+v, want %s", c, want[i])
		}
	}
}

func TestOutlog_ADiskThatRefusesStopsNothing(t *testing.T) {
	dir := t.TempDir()
	said := 0
	c := &calls{}
	l, err := openOutlog(filepath.Join(dir, "none"), c, func(string) { said++ })
	if err != nil {
		t.Fatal(err)
	}
	c.opened("a.example:443")
	if said != 1 {
		t.Errorf("said %d times", said)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
