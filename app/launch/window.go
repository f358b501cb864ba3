package launch

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"referent/app"
	"referent/app/desktop"
	"referent/app/owner"
	"referent/rag"
)

// Window is a command line that asks for the window.
type Window struct {
	dir    string   // data folder; empty: the platform's
	demo   string   // library to begin with; empty: none
	action string   // what the window does first; empty: nothing
	paths  []string // to be added
}

// Parse tells whether the command line asks for the window: flags of its
// own, and paths to add as a desktop hands them over. A word is a path when it
// looks like one and exists, so that a mistyped command stays one.
func Parse(args []string) (start Window, ok bool) {
	for len(args) > 0 {
		switch {
		case len(args) > 1 && args[0] == "--data":
			start.dir, args = args[1], args[2:]
		case len(args) > 1 && args[0] == "--demo":
			start.demo, args = args[1], args[2:]
		case len(args) > 1 && args[0] == "--action" && slices.Contains([]string{app.ActionNewChat, app.ActionAddFiles}, args[1]):
			start.action, args = args[1], args[2:]
		default:
			path, ok := existing(args[0])
			if !ok {
				return Window{}, false
			}
			start.paths, args = append(start.paths, path), args[1:]
		}
	}
	return start, true
}

// existing returns the absolute path of a word that names a file or a folder,
// also as a file: address.
func existing(word string) (string, bool) {
	if u, err := url.Parse(word); err == nil && u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") {
		word = u.Path
	}
	if !strings.ContainsAny(word, `./\\`) || strings.HasPrefix(word, "-") {
		return "", false
	}
	path, err := filepath.Abs(word)
	if err != nil {
		return "", false
	}
	_, err = os.Stat(path)
	return path, err == nil
}

// Program is what main decides.
type Program struct {
	Page fs.FS // the built page
	// Hold holds a data folder, as the window or as a client of it.
	Hold func(ctx context.Context, dir string) (*owner.Handle, error)
	// Beside runs what lives as long as the window; end waits for it.
	Beside func(handle *owner.Handle, dir string) (end func())
}

// Open opens the window on a data folder and returns when it is closed. Where a
// window holds the folder already, that one comes to the front and is handed
// the paths. Where the process behind the window ends, the program starts
// again and takes its place. The error is for the terminal.
func (p Program) Open(start Window) error {
	lost, err := p.open(&start)
	if err != nil || !lost {
		return err
	}
	start.paths, start.action, start.demo = nil, "", "" // the first window did that
	return again(start.args())
}

// open is Open for one window; lost tells that its owner ended before it.
func (p Program) open(start *Window) (lost bool, err error) {
	if start.dir == "" {
		if start.dir, err = app.DefaultDataDir(); err != nil {
			return false, err
		}
	}
	ctx := context.Background()
	handle, err := p.Hold(ctx, start.dir)
	if err != nil {
		return false, start.trouble(err)
	}
	defer func() { _ = handle.Close() }()
	first := app.ShowRequest{Paths: start.paths, Action: start.action}
	switch {
	case handle.Front == owner.FrontCommand:
		return false, start.trouble(&rag.Error{Code: rag.CodeLibraryBusy, Message: "A Referent command is using this library.", Hint: "Try again when it has ended."})
	case handle.Front == owner.FrontWindow && !handle.Owned:
		return false, handle.Show(ctx, first)
	}
	defer p.Beside(handle, start.dir)()
	var samples []string
	if start.demo != "" {
		demo, err := filepath.Abs(start.demo)
		if err != nil {
			return false, err
		}
		samples = app.SampleQuestions
		if _, err := handle.Add(ctx, app.AddRequest{Paths: []string{demo}}); err != nil {
			return false, err
		}
	}
	window := desktop.NewWindow(handle, samples, app.Log)
	desktop.Begin(window, first)
	err = desktop.Run(window, p.Page, start.dir)
	return desktop.Lost(window), err
}

// trouble shows why a data folder does not open, and the ways out. Without a
// display the cause goes to the terminal.
func (s Window) trouble(cause error) error {
	way, at, err := desktop.RunTrouble(desktop.NewTrouble(cause, s.dir))
	if err != nil {
		if !errors.Is(err, desktop.ErrNoDisplay) {
			app.Log(err.Error())
		}
		return cause
	}
	switch way {
	case desktop.WayElsewhere:
		s.dir = at
	case desktop.WayClose:
		return cause
	}
	return again(s.args())
}

// args is the command line of a start.
func (s Window) args() []string {
	args := []string{"--data", s.dir}
	if s.demo != "" {
		args = append(args, "--demo", s.demo)
	}
	if s.action != "" {
		args = append(args, "--action", s.action)
	}
	return append(args, s.paths...)
}
