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

// release is the oldest Debian that the package is for, mirror its archive.
const (
	release = "bookworm"
	mirror  = "http://deb.debian.org/debian"
)

// screenTools are what the check of the window needs besides the package, which
// names all that the program itself needs.
const screenTools = "xvfb,xauth,xdotool,dbus,dbus-x11,libglib2.0-bin,ca-certificates"

// clean is a fresh Debian in a folder. Its commands run in namespaces of their
// own: they see its files and processes only, and no network unless they are
// let.
type clean struct {
	t   *testing.T
	dir string
}

// newClean makes a Debian from the archive of the distribution, with two people
// in it.
func newClean(t *testing.T) *clean {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("a clean Debian is made by root: run `sudo make package-check`")
	}
	c := &clean{t, filepath.Join(t.TempDir(), "root")}
	made := exec.CommandContext(t.Context(), "mmdebstrap", "--mode=root", "--variant=apt", `--aptopt=APT::Install-Recommends "false"`,
		"--include="+screenTools, release, c.dir, mirror)
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c.root(false, "useradd --create-home --uid 1000 --shell /bin/sh ada; useradd --create-home --uid 1001 --shell /bin/sh bea")
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
	home := "/home/" + name
	c.write("tmp/script", script)
	env := "env -i HOME=" + home + " USER=" + name + " LANG=C.UTF-8 PATH=/usr/bin:/bin REFERENT_MODEL_THREADS=1"
	return c.try(false, "cd "+home+"; exec runuser -u "+name+" -- "+env+" sh -eu /tmp/script")
}

// try runs a script as root and returns what it prints, also on its error
// output.
func (c *clean) try(network bool, script string) (string, error) {
	c.t.Helper()
	spaces := []string{"--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts"}
	if network {
		names, err := os.ReadFile("/etc/resolv.conf")
		if err != nil {
			c.t.Fatal(err)
		}
		c.write("etc/resolv.conf", string(names))
	} else {
		spaces = append(spaces, "--net")
	}
	begin := `mount -t proc proc "$0/proc"; mount -t tmpfs shm "$0/dev/shm"; exec chroot "$0" sh -eu -c "$1"`
	cmd := exec.CommandContext(c.t.Context(), "unshare", append(spaces, "sh", "-eu", "-c", begin, c.dir, script)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	for _, name := range []string{"http_proxy", "https_proxy"} { // of the network that this computer has
		if v := os.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
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
