package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// The packages that carry the libraries, by exact version and integrity hash.
//
//go:embed llama/package.json llama/package-lock.json cuda/package.json cuda/package-lock.json
var packageFiles embed.FS

// The hashes of the library files that come out: SHA-256, folder/name.
//
//go:embed runtime.sha256
var runtimeHashes string

// library is one file of a runtime folder.
type library struct{ folder, name, hash string }

func libraries(table string) []library {
	var out []library
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) != 2 || strings.HasPrefix(line, "#") {
			continue
		}
		folder, name := path.Split(fields[1])
		out = append(out, library{strings.TrimSuffix(folder, "/"), name, fields[0]})
	}
	return out
}

// llamaBytes is about what npm fetches for the two packages.
const llamaBytes = 35_100_000

// installRuntime fills runtime/cpu and runtime/vulkan. The Vulkan folder is the
// CPU core with one more plug-in: GPU packages share its files byte for byte.
func installRuntime(ctx context.Context, s *site) (string, error) {
	const ready = "llama.cpp v0.5.0 for CPU and Vulkan is there"
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return "", fmt.Errorf("ready libraries exist for Linux on x86-64 only; this is %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	files := libraries(runtimeHashes)
	if ok, err := runtimeReady(ctx, s, files); err != nil || ok {
		return ready, err
	}
	modules, clean, err := npmPackages(ctx, s, "llama", "runtime", "llama.cpp libraries", llamaBytes)
	if err != nil {
		return "", err
	}
	defer clean()
	for _, f := range files {
		from := filepath.Join(modules, "linux-x64", "bins", "linux-x64", f.name)
		if f.name == "libggml-vulkan.so" {
			from = filepath.Join(modules, "linux-x64-vulkan", "bins", "linux-x64-vulkan", f.name)
		}
		if err := placeLibrary(ctx, s, from, f); err != nil {
			return "", err
		}
	}
	for _, folder := range []string{"cpu", "vulkan"} {
		if err := linkLibraries(s.in("runtime", folder)); err != nil {
			return "", err
		}
	}
	if ok, err := runtimeReady(ctx, s, files); err != nil || !ok {
		return "", errors.Join(err, errors.New("the library folder is not as it should be; remove it and run this again"))
	}
	return "installed llama.cpp v0.5.0 for CPU and Vulkan", nil
}

func runtimeReady(ctx context.Context, s *site, files []library) (bool, error) {
	for _, f := range files {
		ok, err := s.seen.is(ctx, s.in("runtime", f.folder, f.name), f.hash)
		if err != nil || !ok {
			return false, err
		}
		for name, to := range libraryLinks {
			if got, err := os.Readlink(s.in("runtime", f.folder, name)); err != nil || got != to {
				return false, nil
			}
		}
	}
	return true, nil
}

// placeLibrary copies one file if its content is the expected one.
func placeLibrary(ctx context.Context, s *site, from string, f library) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("the package does not hold %s: %w", f.name, err)
	}
	defer in.Close()
	to := s.in("runtime", f.folder, f.name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return place(ctx, to, in, func(hash string) error { return expect(f.name, f.hash, hash) })
}

func expect(name, want, got string) error {
	if want != got {
		return fmt.Errorf("%s has the SHA-256 %s instead of %s. It was altered on the way; run this again", name, got, want)
	}
	return nil
}

// Links, not copies: the registry of backends lives in libggml, and a second
// copy of it would be a second registry.
var libraryLinks = map[string]string{"libllama.so": "libllama.v0.5.0.so", "libggml.so": "libggml.v0.5.0.so"}

func linkLibraries(dir string) error {
	for name, to := range libraryLinks {
		at := filepath.Join(dir, name)
		if err := os.Remove(at); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.Symlink(to, at); err != nil {
			return err
		}
	}
	return nil
}

// npmPackages installs one of the embedded package folders outside the clone
// and returns the folder of its @node-llama-cpp packages. npm checks each
// archive against the lock file; scripts are not run.
func npmPackages(ctx context.Context, s *site, folder, step, what string, total int64) (modules string, clean func(), err error) {
	work := s.in("npm-" + folder)
	clean = func() { os.RemoveAll(work) }
	clean() // what an interrupted run left
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", clean, err
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := packageFiles.ReadFile(folder + "/" + name)
		if err != nil {
			return "", clean, err
		}
		if err := os.WriteFile(filepath.Join(work, name), text, 0o644); err != nil {
			return "", clean, err
		}
	}
	store := filepath.Join(work, "store")
	w := watched{step: step, what: what, total: total, dir: work, have: func() int64 { return folderSize(store) }}
	if err := w.run(ctx, s, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", store); err != nil {
		clean()
		return "", clean, err
	}
	return filepath.Join(work, "node_modules", "@node-llama-cpp"), clean, nil
}
