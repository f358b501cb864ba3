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
	"referent/app/owner"
	"referent/inference"
	"referent/inference/llama"
	"referent/inference/process"
	"referent/inference/runtime"
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
	})
	if desktop.Generating {
		exit(desktop.Run(desktop.NewWindow(nil, nil, app.Log), dist))
	}
	args := os.Args[1:]
	if dir, samples, ok := windowArgs(args); ok {
		os.Exit(openWindow(dir, samples))
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
	})
	stop()
	os.Exit(code)
}

// newModelHost makes the host inside the model worker: the only process that
// loads llama.cpp. Its working folder is its own and remembers hashes of files.
func newModelHost(c worker.Config) (inference.Host, error) {
	return llama.New(llama.Config{RuntimeDir: c.RuntimeDir, Threads: c.Threads, StateDir: ".", Log: func(line string) { log.Print(line) }})
}

// windowArgs tells whether the command line asks for the window: no words, with
// a data folder at most, and for the demo the library to begin with.
func windowArgs(args []string) (dir, demo string, ok bool) {
	for len(args) > 0 {
		switch {
		case len(args) > 1 && args[0] == "--data":
			dir, args = args[1], args[2:]
		case len(args) > 1 && args[0] == "--demo":
			demo, args = args[1], args[2:]
		default:
			return "", "", false
		}
	}
	return dir, demo, true
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

// openWindow opens the window on a data folder. Where a window holds it already,
// that one comes to the front.
func openWindow(dir, demo string) int {
	if dir == "" {
		var err error
		if dir, err = app.DefaultDataDir(); err != nil {
			return fail(err)
		}
	}
	ctx := context.Background()
	handle, err := openFolder(ctx, dir, owner.FrontWindow)
	if err != nil {
		return fail(err)
	}
	defer func() { _ = handle.Close() }()
	var paths, samples []string
	if demo != "" {
		if demo, err = filepath.Abs(demo); err != nil {
			return fail(err)
		}
		paths, samples = []string{demo}, app.SampleQuestions
	}
	switch handle.Front {
	case owner.FrontCommand:
		return fail(errors.New("a Referent command is using this library. Try again when it has ended"))
	case owner.FrontWindow:
		if handle.Owned {
			break
		}
		if err := handle.Show(ctx, nil); err != nil {
			return fail(err)
		}
		return 0
	}
	defer followAPI(ctx, apiConfig(handle, dir))()
	if len(paths) > 0 {
		if _, err := handle.Add(ctx, app.AddRequest{Paths: paths}); err != nil {
			return fail(err)
		}
	}
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		return fail(err)
	}
	if err := desktop.Run(desktop.NewWindow(handle, samples, app.Log), page); err != nil {
		return fail(err)
	}
	return 0
}

// serve lets other programs ask: as the owner of the data folder, or beside the
// window that holds it.
func serve(ctx context.Context, dir string, o command.ServeOptions) error {
	handle, err := openFolder(ctx, dir, owner.FrontServe)
	if err != nil {
		return err
	}
	if o.MCP {
		err = api.RunMCP(ctx, apiConfig(handle, dir), o.In, o.Out)
	} else {
		err = api.Run(ctx, apiConfig(handle, dir), o.Address, func(at net.Addr) { o.Ready(at.String()) })
	}
	err = errors.Join(err, handle.Close())
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
