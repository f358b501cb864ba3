package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// compileModules compiles the module of the PDF reader into an empty folder. The
// program would do it at the first PDF, in seconds or, on a slow computer, in
// minutes; 22 MB in a package of more than a gigabyte spare that. The compiler uses
// what its own processor has of SSE 4.1, BMI1 and ABM, and the name of the file
// says so: a processor with another set does not find it and compiles, as one did
// before. The same processor features give the same bytes.
func compileModules(dir string) error {
	cmd := exec.Command("go", "run", "-trimpath", "-tags", "sqlite_fts5", "./build/setup/warm", dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("compile the module of the PDF reader: %w", err)
	}
	return nil
}

// bringModules adds the compiled module: a folder for the version of the compiler
// with one file in it.
func (p pack) bringModules(t tree, at string) error {
	modules, err := filepath.Glob(filepath.Join(p.Modules, "wazero-*", "*"))
	if err != nil {
		return err
	}
	if len(modules) != 1 {
		return fmt.Errorf("one compiled module of the PDF reader is needed below %s, not %d", p.Modules, len(modules))
	}
	version := filepath.Base(filepath.Dir(modules[0]))
	return t.take(path.Join(at, version, filepath.Base(modules[0])), 0o644, modules[0])
}
