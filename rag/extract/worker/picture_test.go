//go:build unix

package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/extract"
)

// fakeTesseract lists a language, and for a picture writes a byte into the pipe
// that the environment names and hangs, or, without one, prints a word.
func fakeTesseract(args []string) int {
	if strings.Join(args, "") == "--list-langs" {
		fmt.Print("List:\neng\n")
		return 0
	}
	if pipe := os.Getenv("REFERENT_FAKE_PIPE"); pipe != "" {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err != nil {
			return 1
		}
		if _, err := f.WriteString("x"); err != nil {
			return 1
		}
		sleep() // the pipe stays open until the process is gone
	}
	fmt.Print("5\t1\t1\t1\t1\t1\t9\t9\t9\t9\t90\tword\n")
	return 0
}

// installTesseract puts this binary under that name, and nothing else, on the
// path of the workers.
func installTesseract(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	exe, err := os.Executable()
	if err == nil {
		err = os.Symlink(exe, filepath.Join(dir, "tesseract"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

func picture(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 99, 99))); err != nil {
		t.Fatal(err)
	}
	return writeFile(t, "a.png", b.String())
}

// hangingPicture begins to read a picture with a Tesseract that hangs, and
// gives the pipe that ends when Tesseract does.
func hangingPicture(t *testing.T, p *Pool, ctx context.Context) (*os.File, <-chan rag.Extraction, <-chan error) {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("REFERENT_FAKE_PIPE", pipe)
	path := picture(t)
	extraction, failure := make(chan rag.Extraction, 1), make(chan error, 1)
	go func() {
		ex, err := p.Extract(ctx, path, extract.Options{OCR: true})
		extraction <- ex
		failure <- err
	}()
	f, err := os.Open(pipe) // waits for Tesseract
	if err == nil {
		_, err = io.ReadFull(f, make([]byte, 1))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, extraction, failure
}

func TestTesseractDiesWithItsWorker(t *testing.T) {
	installTesseract(t)
	p := newPool(t, Config{Deadline: time.Minute})
	ctx, cancel := context.WithCancel(context.Background())
	pipe, _, failure := hangingPicture(t, p, ctx)
	cancel()
	if err := <-failure; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n, err := pipe.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d bytes, %v: Tesseract still lives", n, err)
	}
}

func TestAWorkerReadsPictures(t *testing.T) {
	installTesseract(t)
	p := newPool(t, Config{Deadline: time.Minute})
	ex, err := p.Extract(context.Background(), picture(t), extract.Options{OCR: true})
	if err != nil || ex.Status != rag.FileIndexed || ex.Text != "word" {
		t.Errorf("%s %q %q %v", ex.Status, ex.Reason, ex.Text, err)
	}
}

func TestAPictureMovesTheDeadlineOnlyForward(t *testing.T) {
	over := make(chan struct{})
	l := newLimit(time.Hour, func() { close(over) })
	end := l.end
	l.atLeast(time.Minute)
	if !l.end.Equal(end) {
		t.Errorf("the deadline came nearer by %v", end.Sub(l.end))
	}
	l.atLeast(2 * time.Hour)
	if d := l.end.Sub(end); d < 59*time.Minute || d > 61*time.Minute {
		t.Errorf("the deadline moved by %v, want about an hour", d)
	}
	l.stop()
	newLimit(0, func() { close(over) })
	<-over
}
