package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"

	"referent/inference/process"
	"referent/rag/extract"
)

// Role is the word of the parse role, for process.Dispatch.
const Role = "parse"

// softMemory tells the collector to work harder before the cap is met.
const softMemory = 400 << 20

// Run is the parse role: it serves until its input closes and gives the exit
// code.
func Run() int {
	debug.SetMemoryLimit(softMemory)
	if err := Serve(process.Stdio()); err != nil {
		return 1
	}
	return 0
}

// Serve answers requests, one at a time, until in closes.
func Serve(in io.Reader, out io.Writer) error {
	pipe := process.NewPipe(in, out)
	for {
		kind, payload, err := pipe.Receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if kind != frameRequest {
			return process.ErrGarbage
		}
		if err := answer(pipe, payload); err != nil {
			return err
		}
	}
}

func answer(pipe *process.Pipe, payload []byte) error {
	var r request
	if err := json.Unmarshal(payload, &r); err != nil {
		return err
	}
	var failed error
	r.Options.Progress = func(done, total int) {
		if failed == nil {
			failed = sendJSON(pipe, frameProgress, progress{done, total})
		}
	}
	tell := func(kind byte) func() {
		return func() {
			if failed == nil {
				failed = pipe.Send(kind, nil)
			}
		}
	}
	r.Options.Recognising, r.Options.Preparing, r.Options.Ready = tell(framePicture), tell(framePreparing), tell(frameReady)
	// Nobody cancels inside a worker: the parent ends it.
	ex, err := extract.File(context.Background(), string(r.Path), r.Options)
	if err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if err := sendExtraction(pipe, ex); err != nil {
		return err
	}
	if len(ex.Text) > 16*pieceBytes {
		debug.FreeOSMemory() // a large document must not weigh on the next one's cap
	}
	return nil
}
