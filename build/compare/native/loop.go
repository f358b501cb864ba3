package main

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"github.com/hybridgroup/yzma/pkg/llama"
)

//go:embed c/loop.c
var source []byte

// compile builds the loop against the libraries in a runtime folder.
func compile(dir, runtime string) (program string, err error) {
	file := filepath.Join(dir, "loop.c")
	program = filepath.Join(dir, "loop")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return "", err
	}
	out, err := exec.Command("cc", "-O2", "-Wall", "-Werror", "-o", program,
		fmt.Sprintf("-DMODEL_PARAMS=%d", unsafe.Sizeof(llama.ModelParams{})),
		fmt.Sprintf("-DCONTEXT_PARAMS=%d", unsafe.Sizeof(llama.ContextParams{})),
		fmt.Sprintf("-DBATCH=%d", unsafe.Sizeof(llama.BatchData{})),
		file, "-L"+runtime, "-Wl,-rpath,"+runtime, "-lllama", "-lggml", "-lggml-base", "-lm").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the C loop does not compile: %w\n%s", err, out)
	}
	return program, nil
}

// loop is the compiled program with a model in memory.
type loop struct {
	cmd   *exec.Cmd
	ask   io.WriteCloser
	lines *bufio.Scanner
}

// start loads a model; text is what every round works on.
func start(program, runtime, model, kind string, reply int, text string) (*loop, error) {
	l := &loop{cmd: exec.Command(program, runtime, model, kind, strconv.Itoa(reply))}
	l.cmd.Stderr = os.Stderr
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	l.cmd.ExtraFiles = []*os.File{read}
	if l.ask, err = l.cmd.StdinPipe(); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	l.lines = bufio.NewScanner(out)
	l.lines.Buffer(nil, 1<<20)
	if err := l.cmd.Start(); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	_, err = io.WriteString(write, text)
	if err = errors.Join(err, write.Close()); err == nil {
		_, err = l.line()
	}
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *loop) line() (string, error) {
	if !l.lines.Scan() {
		return "", errors.Join(errors.New("the C loop has ended"), l.lines.Err())
	}
	return l.lines.Text(), nil
}

// round runs once and returns the fields of its line.
func (l *loop) round() ([]string, error) {
	if _, err := io.WriteString(l.ask, "\n"); err != nil {
		return nil, err
	}
	line, err := l.line()
	return strings.Fields(line), err
}

func (l *loop) close() error { return errors.Join(l.ask.Close(), l.cmd.Wait()) }
