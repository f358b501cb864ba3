package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", filepath.Join("build", "bin", "package"), "where the packages are written")
	program := flag.String("program", filepath.Join("build", "bin", "referent"), "the built program")
	cache := flag.String("cache", "", "where the set-up put libraries, models and font (default: the cache folder)")
	version := flag.String("set-version", "", "write this version, such as 1.2.3, into every file that names one, and make nothing")
	address := flag.String("list", "", "write the signed list of versions for packages that are published below this address, and make nothing")
	key := flag.String("key", "", "file with the publisher's private key, an Ed25519 seed in base64, for -list")
	flag.Parse()
	act := func() error { return run(*out, *program, *cache) }
	switch {
	case *version != "":
		act = func() error { return setVersion(".", *version) }
	case *address != "":
		act = func() error { return writeList(*out, *address, *key) }
	}
	if err := act(); err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

func run(out, program, cache string) error {
	started := time.Now()
	p, err := gather(program, cache)
	if err != nil {
		return err
	}
	if p.Modules, err = os.MkdirTemp("", "referent-package"); err != nil {
		return err
	}
	defer os.RemoveAll(p.Modules)
	if err := compileModules(p.Modules); err != nil {
		return err
	}
	if err := removeEarlier(out); err != nil {
		return err
	}
	written, err := p.write(out)
	if err != nil {
		return err
	}
	for _, w := range written {
		fmt.Printf("%s  %d bytes\n", filepath.Join(out, w.name), w.size)
	}
	fmt.Printf("packages made in %.1f s\n", time.Since(started).Seconds())
	return nil
}

// removeEarlier removes what earlier runs made, so that the folder holds one
// version.
func removeEarlier(out string) error {
	for _, pattern := range []string{"referent_*.deb", "referent-*.tar", "referent-*.txt", "referent-*.json", "latest.json*"} {
		old, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil {
			return err
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// gather finds what packages are made of; cache is the folder of the set-up,
// empty: the person's.
func gather(program, cache string) (pack, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return pack{}, fmt.Errorf("packages are made on Linux on x86-64; this is %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	if cache == "" {
		var err error
		if cache, err = cacheFolder(); err != nil {
			return pack{}, err
		}
	}
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return pack{}, fmt.Errorf("run this in the root of the project: %w", err)
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return pack{}, err
	}
	if _, err := os.Stat(filepath.Join("frontend", "node_modules")); err != nil {
		return pack{}, fmt.Errorf("the licences of the page's packages are read from frontend/node_modules; `make build` brings it: %w", err)
	}
	version, err := packedVersion(string(changes))
	if err != nil {
		return pack{}, err
	}
	epoch, err := sourceDate()
	if err != nil {
		return pack{}, err
	}
	parts, err := shipped(".")
	if err != nil {
		return pack{}, err
	}
	models, err := starterModels(filepath.Join(cache, "models"))
	return pack{
		Version: version, Time: epoch, Changes: string(changes), Licence: licence, Program: program, Runtime: filepath.Join(cache, "runtime"),
		Models: models, Fonts: filepath.Join(cache, "fonts"), Parts: parts,
	}, err
}

// cacheFolder is where the set-up keeps what it has fetched.
func cacheFolder() (string, error) {
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "referent"), err
}

// packedVersion is the version of a package that is made now: that of the change
// log, or, while it has a section of what is not released, the one before it
// with "+next", which Debian orders between it and the one to come.
func packedVersion(changes string) (string, error) {
	before, after, found := strings.Cut(changes, unreleased+"\n")
	if !found || strings.Contains(before, "\n## ") {
		return newestVersion(changes)
	}
	version, err := newestVersion(after)
	return version + "+next", err
}

// newestVersion reads the first heading of the change log.
func newestVersion(changes string) (string, error) {
	for line := range strings.Lines(changes) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			version, _, _ := strings.Cut(rest, " ")
			if !versionForm.MatchString(version) {
				return "", fmt.Errorf("CHANGELOG.md begins with %q instead of a version such as 1.2.3", rest)
			}
			return version, nil
		}
	}
	return "", fmt.Errorf("CHANGELOG.md names no version")
}

// sourceDate is the time that every file in a package carries.
// See reproducible-builds.org/specs/source-date-epoch.
func sourceDate() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		body, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the last commit is not known; set SOURCE_DATE_EPOCH: %w", err)
		}
		text = strings.TrimSpace(string(body))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q instead of seconds since 1970", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
