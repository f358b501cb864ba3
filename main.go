// Command referent answers questions from a person's own documents, on their
// own computer, offline. main only chooses the front: a worker role of our own
// executable, the window, or a command.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"referent/app"
	"referent/app/api"
	"referent/app/command"
	"referent/app/desktop"
	"referent/app/launch"
	"referent/app/owner"
	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/llama"
	"referent/inference/process"
	"referent/inference/runtime"
	"referent/inference/selftest"
	"referent/inference/worker"
	parse "referent/rag/extract/worker"
)

// version is set by the build.
var version = "0.1.0"

//go:embed all:frontend/dist
var dist embed.FS

func main() {
	process.Dispatch(map[string]func() int{
		worker.RoleName: worker.Role(newModelHost),
		parse.Role:      parse.Run,
		runtime.Role:    runtime.ProbeRole,
		dryrun.Role:     llama.DryRun,
		selftest.Role:   llama.SelfTest,
	})
	if desktop.Generating {
		exit(desktop.Run(desktop.NewWindow(nil, nil, app.Log), dist, ""))
	}
	args := os.Args[1:]
	if window, ok := launch.Parse(args); ok {
		exit(openWindow(window))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := command.Run(ctx, args, command.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Terminal: isTerminal(os.Stderr), Color: isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "", Version: version,
		DataDir: app.DefaultDataDir,
		Open: func(ctx context.Context, dir string) (command.Session, error) {
			return openFolder(ctx, dir, owner.FrontCommand)
		},
		Extract: app.ExtractFile,
		Serve:   serve,
		Update:  launch.UpdateCheck(version),
	})
	stop()
	os.Exit(code)
}

// newModelHost makes the host inside the model worker: the only process that
// loads llama.cpp. Its working folder is its own and remembers hashes of files.
func newModelHost(c worker.Config) (inference.Host, error) {
	return llama.New(llama.Config{RuntimeDir: c.RuntimeDir, Threads: c.Threads, StateDir: ".", Log: func(line string) { log.Print(line) }})
}

func openFolder(ctx context.Context, dir, front string) (*owner.Handle, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return owner.Open(ctx, owner.Options{Dir: dir, Version: version, Front: front, Log: app.Log,
		Start: func(ctx context.Context) (owner.Closer, error) {
			return app.Open(ctx, app.Config{DataDir: dir, Version: version, Window: front == owner.FrontWindow})
		}})
}

func openWindow(window launch.Window) error {
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		return err
	}
	return launch.Program{
		Page: page,
		Hold: func(ctx context.Context, dir string) (*owner.Handle, error) {
			return openFolder(ctx, dir, owner.FrontWindow)
		},
		Beside: func(handle *owner.Handle, dir string) func() {
			return followAPI(context.Background(), apiConfig(handle, dir))
		},
	}.Open(window)
}

// serve lets other programs ask: as the owner of the data folder, or beside the
// window that holds it. When that window is closed, it becomes the owner.
func serve(ctx context.Context, dir string, o command.ServeOptions) error {
	if o.MCP {
		return serveMCP(ctx, dir, o)
	}
	for {
		owned, err := serveBeside(ctx, dir, o)
		switch {
		case ctx.Err() != nil:
			return nil // Ctrl-C is how it ends
		case err != nil || owned:
			return err
		}
	}
}

// serveBeside serves until ctx is done or the owner of the folder has ended.
func serveBeside(ctx context.Context, dir string, o command.ServeOptions) (owned bool, err error) {
	handle, err := openFolder(ctx, dir, owner.FrontServe)
	if err != nil {
		return false, err
	}
	run, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if !handle.Owned {
			_ = handle.Watch(run, func(app.Notice) {}) // returns when the owner ends, or we do
			cancel()
		}
	}()
	err = api.Run(run, apiConfig(handle, dir), o.Address, func(at net.Addr) { o.Ready(at.String()) })
	cancel()
	err = errors.Join(err, handle.Close())
	<-gone
	return handle.Owned, err
}

// serveMCP serves one assistant over two streams. Its session cannot begin
// again, so it goes on when the folder passes to another owner.
func serveMCP(ctx context.Context, dir string, o command.ServeOptions) error {
	handle, err := openFolder(ctx, dir, owner.FrontServe)
	if err != nil {
		return err
	}
	run, cancel := context.WithCancelCause(ctx)
	change := make(chan app.UseCases)
	held := make(chan *owner.Handle, 1) // the last one
	first := apiConfig(handle, dir)
	go func() {
		defer func() { held <- handle }()
		for !handle.Owned {
			_ = handle.Watch(run, func(app.Notice) {}) // returns when the owner ends, or we do
			if run.Err() != nil {
				return
			}
			next, err := openFolder(run, dir, owner.FrontServe)
			if err != nil {
				cancel(err)
				return
			}
			select {
			case change <- next:
			case <-run.Done():
			}
			_ = handle.Close() // its owner is gone
			handle = next
		}
	}()
	err = api.RunMCP(run, first, o.In, o.Out, change)
	if cause := context.Cause(run); ctx.Err() == nil && cause != nil {
		err = cause
	}
	cancel(nil)
	err = errors.Join(err, (<-held).Close())
	if ctx.Err() != nil {
		return nil // Ctrl-C is how it ends
	}
	return err
}

func apiConfig(use app.UseCases, dir string) api.Config {
	return api.Config{Use: use, Dir: dir, Version: version, Log: app.Log}
}

// followAPI lets other programs ask while the settings say so; the returned
// function ends that and waits.
func followAPI(ctx context.Context, c api.Config) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		api.NewSwitch(c).Run(ctx)
	}()
	return func() { cancel(); <-done }
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, command.Sentence(err))
	return 1
}

func exit(err error) {
	if err != nil {
		os.Exit(fail(err))
	}
	os.Exit(0)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
