package extract

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets this binary stand in for Tesseract where it is called by that
// name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "tesseract" {
		os.Exit(fakeTesseract(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fakeTesseract prints what REFERENT_FAKE_OCR says: "languages=…" for the list,
// "fail", "hang",
// "babble", "flood", or else a table with two lines: the size of the picture's
// head and its first bytes, then a line of low confidence. Its word box is
// 100 to 300 by 200 to 240 pixels.
func fakeTesseract(args []string) int {
	mode := os.Getenv("REFERENT_FAKE_OCR")
	if len(args) == 1 && args[0] == "--list-langs" {
		languages, _ := strings.CutPrefix(mode, "languages=")
		if languages == mode {
			languages = "deu eng osd"
		}
		fmt.Print("List of available languages (n):\n", strings.ReplaceAll(languages, " ", "\n"), "\n")
		return 0
	}
	picture, err := io.ReadAll(os.Stdin)
	switch {
	case err != nil || mode == "fail":
		return 1
	case mode == "hang":
		never := make(chan os.Signal, 1)
		signal.Notify(never, os.Interrupt)
		<-never
	case mode == "babble":
		fmt.Print(strings.Repeat("x\t", 11), "\n")
		return 0
	case mode == "flood":
		for {
			if _, err := fmt.Print(strings.Repeat("5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t90\tword\n", 1000)); err != nil {
				return 0
			}
		}
	}
	head, _, _ := bytes.Cut(picture, []byte("\n255\n"))
	fmt.Print("level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n")
	for i, word := range append(strings.Fields(fmt.Sprintf("%.20q", head)), args...) {
		fmt.Printf("5\t1\t1\t1\t1\t%d\t100\t200\t200\t40\t90.5\t%s\n", i+1, word)
	}
	fmt.Print("5\t1\t2\t1\t1\t1\t0\t0\t9\t9\t20.0\tnoise\n4\t1\t2\t1\t2\t0\t0\t0\t9\t9\t-1\t\n")
	return 0
}

// installTesseract puts the stand-in, and nothing else, on the path.
func installTesseract(t *testing.T, mode string) {
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
	t.Setenv("GORACE", "atexit_sleep_ms=0") // a child of the race detector sleeps a second at its end
	t.Setenv("REFERENT_FAKE_OCR", mode)
}
