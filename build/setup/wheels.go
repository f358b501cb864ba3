package main

import (
	"archive/zip"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed wheels.txt
var wheelTable string

// wheel is one archive of the package registry.
type wheel struct {
	bytes             int64
	file, requirement string
	hash              string
}

// wheelRows reads a table of bytes, file, requirement and SHA-256.
func wheelRows(table string) ([]wheel, error) {
	var out []wheel
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 4 {
			return nil, fmt.Errorf("wheels: a row has %d fields: %s", len(fields), line)
		}
		n, err := strconv.ParseInt(fields[0], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("wheels: %w", err)
		}
		out = append(out, wheel{n, fields[1], fields[2], fields[3]})
	}
	return out, nil
}

// fetchWheels downloads what is missing, one archive at a time, so that an
// interrupted run loses one at most. It returns the paths in order.
func fetchWheels(ctx context.Context, s *site, step, what string, wanted []wheel) ([]string, error) {
	dir := s.in("wheels")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var paths []string
	var missing []wheel
	var total, have int64
	for _, w := range wanted {
		path := filepath.Join(dir, w.file)
		paths = append(paths, path)
		ok, err := s.seen.is(ctx, path, w.hash)
		if err != nil {
			return nil, err
		}
		total += w.bytes
		if ok {
			have += w.bytes
			continue
		}
		missing = append(missing, w)
	}
	show := watched{step: step, shared: s.out.progress(step, what, total, have)}
	for _, w := range missing {
		if err := fetchWheel(ctx, s, dir, w, show, have); err != nil {
			return nil, err
		}
		have += w.bytes
	}
	return paths, nil
}

// fetchWheel lets pip download one archive. pip keeps what it has so far in the
// folder for temporary files, which is ours for the time: its size is the
// progress.
func fetchWheel(ctx context.Context, s *site, dir string, w wheel, show watched, have int64) error {
	work := filepath.Join(dir, ".part")
	if err := os.RemoveAll(work); err != nil { // what an interrupted run left
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	requirements := filepath.Join(work, "requirements.txt")
	row := w.requirement + " --hash=sha256:" + w.hash + "\n"
	if err := os.WriteFile(requirements, []byte(row), 0o644); err != nil {
		return err
	}
	show.have = func() int64 { return have + folderSize(work) }
	show.env = []string{"TMPDIR=" + work}
	out := filepath.Join(work, "out")
	err := show.run(ctx, s, "python3", "-m", "pip", "download",
		"--no-deps", "--only-binary", ":all:", "--platform", "manylinux2014_x86_64", "--require-hashes",
		"--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off", "-d", out, "-r", requirements)
	if err != nil {
		return err
	}
	got := filepath.Join(out, w.file)
	sum, err := hashFile(ctx, got)
	if err != nil {
		return err
	}
	if err := expect(w.file, w.hash, sum); err != nil {
		return err
	}
	return os.Rename(got, filepath.Join(dir, w.file))
}

// openEntry opens one file inside a wheel, which is a zip archive.
func openEntry(wheelPath, name string) (io.ReadCloser, error) {
	z, err := zip.OpenReader(wheelPath)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(wheelPath), err)
	}
	f, err := z.Open(name)
	if err != nil {
		z.Close()
		return nil, fmt.Errorf("%s: %w", filepath.Base(wheelPath), err)
	}
	return entry{f, z}, nil
}

type entry struct {
	io.Reader
	z io.Closer
}

func (e entry) Close() error { return e.z.Close() }

// readEntry returns one file inside a wheel.
func readEntry(wheelPath, name string) ([]byte, error) {
	f, err := openEntry(wheelPath, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
