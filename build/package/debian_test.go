//go:build package

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// release is the oldest Debian that the package is for.
const release = "bookworm"

// screenTools are what the check of the window needs besides the package, which
// names all that the program itself needs: a screen, a bus, and what reads and
// presses as a screen reader does.
const screenTools = "xvfb,xauth,xdotool,dbus,dbus-x11,libglib2.0-bin,ca-certificates,at-spi2-core,python3-gi,gir1.2-atspi-2.0"

// cleanDebian is an archive (tar) of a fresh Debian with the screen tools, which
// holds the packages that referent depends on as files, not installed: a check
// needs no network once the archive is in the cache. small is a package of
// referent that has its dependencies.
func cleanDebian(t *testing.T, small string) string {
	t.Helper()
	needs, err := exec.CommandContext(t.Context(), "dpkg-deb", "--field", small, "Depends").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, needs)
	}
	cache, err := cacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "debian")
	sum := sha256.Sum256(fmt.Appendln(needs, release, screenTools))
	name := filepath.Join(folder, fmt.Sprintf("%s-%x.tar", release, sum[:6]))
	if _, err := os.Stat(name); err == nil {
		return name
	}
	if err := os.RemoveAll(folder); err != nil { // of other dependencies
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &clean{t, filepath.Join(t.TempDir(), "root")}
	run := func(command ...string) {
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Env = append(os.Environ(), proxies(t)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", command, err, out)
		}
	}
	run("mmdebstrap", "--mode=root", "--variant=apt", "--skip=cleanup/apt/lists", "--dpkgopt=force-unsafe-io",
		`--aptopt=APT::Install-Recommends "false"`, `--aptopt=Acquire::Retries "5"`, "--include="+screenTools, release, c.dir, mirror(t))
	c.put("tmp/small.deb", small)
	c.root(true, "apt-get install -y --download-only /tmp/small.deb; rm /tmp/small.deb")
	run("tar", "--create", "--numeric-owner", "--one-file-system", "--directory", c.dir, "--file", name+".part", ".")
	if err := os.Rename(name+".part", name); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(c.dir); err != nil {
		t.Fatal(err)
	}
	uid, errU := strconv.Atoi(os.Getenv("SUDO_UID"))
	gid, errG := strconv.Atoi(os.Getenv("SUDO_GID"))
	if errU == nil && errG == nil { // the cache is of the person who asked sudo
		if err := errors.Join(os.Chown(folder, uid, gid), os.Chown(name, uid, gid)); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

// mirror is the archive that this computer takes the release from, if it does.
func mirror(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "apt-get", "indextargets", "--format", "$(SITE)", "Codename: "+release, "Component: main", "Created-By: Packages").Output()
	if first, _, _ := strings.Cut(string(out), "\n"); err == nil && strings.HasPrefix(first, "http://") {
		return first
	}
	return "http://deb.debian.org/debian"
}

// proxies are the variables that name the proxy of this computer's apt or of its
// environment.
func proxies(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, protocol := range []string{"http", "https"} {
		value := os.Getenv(protocol + "_proxy")
		if value == "" {
			out, err := exec.CommandContext(t.Context(), "apt-config", "dump", "--format", "%v", "Acquire::"+protocol+"::Proxy").Output()
			if err != nil {
				t.Fatal(err)
			}
			value = strings.TrimSpace(string(out))
		}
		if value != "" {
			found = append(found, protocol+"_proxy="+value)
		}
	}
	return found
}
