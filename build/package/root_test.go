//go:build package

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clean is a fresh Debian in a folder. Its commands run in namespaces of their
// own: they see its files and processes only, and no network unless they are
// let.
type clean struct {
	t   *testing.T
	dir string
}

// newClean unpacks a Debian, with three people in it.
func newClean(t *testing.T, small string) *clean {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("a clean Debian is made by root: run `sudo make package-check`")
	}
	archive := cleanDebian(t, small)
	c := &clean{t, filepath.Join(t.TempDir(), "root")}
	if err := os.Mkdir(c.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "tar", "--extract", "--numeric-owner", "--directory", c.dir, "--file", archive).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.root(false, "for name in ada bea cyd; do useradd --create-home --shell /bin/sh $name; done")
	return c
}

// root runs a script as root, person as somebody, without a network.
func (c *clean) root(network bool, script string) string {
	c.t.Helper()
	out, err := c.try(network, script)
	if err != nil {
		c.t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return out
}

func (c *clean) person(name, script string) string {
	c.t.Helper()
	out, err := c.tryAs(name, script)
	if err != nil {
		c.t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return out
}

func (c *clean) tryAs(name, script string) (string, error) {
	c.t.Helper()
	c.write("tmp/script", script)
	return c.try(false, "cd /home/"+name+"; exec "+asPerson(name)+" sh -eu /tmp/script")
}

// asPerson begins a command that somebody runs.
func asPerson(name string) string {
	return "runuser -u " + name + " -- env -i HOME=/home/" + name + " USER=" + name + " LANG=C.UTF-8 PATH=/usr/bin:/bin REFERENT_MODEL_THREADS=1"
}

// try runs a script as root and returns what it prints, also on its error
// output.
func (c *clean) try(network bool, script string) (string, error) {
	c.t.Helper()
	return c.within(network, "", script)
}

// within is try with a script that runs in the same namespaces before the root
// is entered; the root is its $0.
func (c *clean) within(network bool, outside, script string) (string, error) {
	c.t.Helper()
	spaces := []string{"--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts"}
	if network { // names are found as this computer finds them
		names, err := os.ReadFile("/etc/resolv.conf")
		if err != nil {
			c.t.Fatal(err)
		}
		c.write("etc/resolv.conf", string(names))
	} else {
		spaces = append(spaces, "--net")
	}
	begin := `mount -t proc proc "$0/proc"; mount -t tmpfs shm "$0/dev/shm"; ` + outside + "\n" + `exec chroot "$0" sh -eu -c "$1"`
	cmd := exec.CommandContext(c.t.Context(), "unshare", append(spaces, "sh", "-eu", "-c", begin, c.dir, script)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	if network {
		cmd.Env = append(cmd.Env, proxies(c.t)...)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// write makes a file in the root that everybody may read.
func (c *clean) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// put copies a file into the root.
func (c *clean) put(name, from string) {
	c.t.Helper()
	body, err := os.ReadFile(from)
	if err != nil {
		c.t.Fatal(err)
	}
	at := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(at, body, 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// take brings a large file into the root, as a second name of it if it can.
func (c *clean) take(name, from string) {
	c.t.Helper()
	at := filepath.Join(c.dir, name)
	if os.Link(from, at) == nil {
		return
	}
	if out, err := exec.CommandContext(c.t.Context(), "cp", from, at).CombinedOutput(); err != nil {
		c.t.Fatalf("%v %s", err, out)
	}
}

// there tells whether a path is in the root.
func (c *clean) there(name string) bool {
	_, err := os.Lstat(filepath.Join(c.dir, name))
	return err == nil
}

// expect fails where a text lacks a part.
func (c *clean) expect(what, text string, parts ...string) {
	c.t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			c.t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}
