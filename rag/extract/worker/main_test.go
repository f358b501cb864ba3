package worker

import (
	"os"
	"os/signal"
	"path/filepath"
	"testing"
	"time"

	"referent/inference/process"
	"referent/rag"
)

// TestMain gives this test binary the parse role and the misbehaving ones, and lets
// it stand in for Tesseract where it is called by that name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "tesseract" {
		os.Exit(fakeTesseract(os.Args[1:]))
	}
	process.TestMain(m, map[string]func() int{
		Role:        Run,
		"sleeping":  func() int { return misbehave(sleep) },
		"dying":     func() int { return misbehave(func() { os.Exit(7) }) },
		"eating":    func() int { return misbehave(eat) },
		"preparing": func() int { return preparing(true) },
		"unready": func() int {
			return misbehave(func() { _ = process.NewPipe(process.Stdio()).Send(framePreparing, nil); os.Exit(7) })
		},
		"readying": func() int { return preparing(false) },
		"babbling": func() int { _, out := process.Stdio(); _, _ = out.WriteString("no frame at all\n"); sleep(); return 0 },
	})
}

// misbehave waits for a request and then does what no reader should.
func misbehave(what func()) int {
	if _, _, err := process.NewPipe(process.Stdio()).Receive(); err != nil {
		return 0
	}
	what()
	return 0
}

// sleep never returns; waiting for a signal keeps the runtime from calling it
// a deadlock.
func sleep() {
	never := make(chan os.Signal, 1)
	signal.Notify(never, os.Interrupt)
	<-never
}

// eat takes memory, 16 MB at a time, up to 1 GB, and keeps it.
func eat() {
	var kept [][]byte
	for range 64 {
		block := make([]byte, 16<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
	}
	sleep()
	_ = kept
}

// preparing makes something ready for longer than a file may take, and reads the
// file then; or goes on with a file for ever, once that is ready.
func preparing(reads bool) int {
	pipe := process.NewPipe(process.Stdio())
	if _, _, err := pipe.Receive(); err != nil {
		return 0
	}
	if err := pipe.Send(framePreparing, nil); err != nil {
		return 1
	}
	if reads {
		time.Sleep(time.Second)
	}
	if err := pipe.Send(frameReady, nil); err != nil {
		return 1
	}
	if !reads {
		sleep()
	}
	if err := sendExtraction(pipe, rag.Extraction{Status: rag.FileIndexed, Text: "Words."}); err != nil {
		return 1
	}
	_, _, _ = pipe.Receive() // the end of the input
	return 0
}
