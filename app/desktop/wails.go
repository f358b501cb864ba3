package desktop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// ErrNoDisplay is returned by Run where there is nothing to show a window on.
var ErrNoDisplay = errors.New("there is no display for the window. `referent --help` lists what works in a terminal")

// Run opens the window and returns when it is closed. assets is the built page,
// dir the data folder, where the place of the window is kept.
func Run(w *Window, assets fs.FS, dir string) error {
	if !Generating && !hasDisplay() {
		return ErrNoDisplay
	}
	at := readPlace(dir)
	state := options.Normal
	if at.Maximised {
		state = options.Maximised
	}
	return wails.Run(&options.App{
		Title: "Referent", Width: at.Width, Height: at.Height, MinWidth: leastWidth, MinHeight: leastHeight, WindowStartState: state,
		BackgroundColour:   options.NewRGB(0xF5, 0xF4, 0xF1),
		AssetServer:        &assetserver.Options{Assets: assets, Handler: documentRoute{w}},
		LogLevelProduction: logger.ERROR,
		Bind:               []any{w},
		ErrorFormatter:     w.formatError,
		DragAndDrop:        &options.DragAndDrop{EnableFileDrop: true},
		OnStartup: func(ctx context.Context) {
			w.start(wailsPlatform{ctx, func(text string) string { return w.speaker().Say(text) }})
			at.restore(ctx)
		},
		OnDomReady: func(context.Context) { w.keepSignals() },
		OnBeforeClose: func(ctx context.Context) (prevent bool) {
			w.keepPlace(ctx, dir, at)
			return false
		},
		OnShutdown: func(context.Context) { w.stop() },
	})
}

// keepSignals repairs the signal handlers now and a few times over the first
// seconds, in which WebKit may install more.
func (w *Window) keepSignals() {
	w.wait.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for range 5 {
			if changed := repairSignals(); len(changed) > 0 {
				w.log(fmt.Sprintf("signal handlers repaired: %v", changed))
			}
			select {
			case <-w.ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
}

func hasDisplay() bool {
	return goruntime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

// wailsPlatform is Platform on Wails. say says the titles of dialogs in the
// language of the page.
type wailsPlatform struct {
	ctx context.Context
	say func(string) string
}

func (p wailsPlatform) Emit(name string, data any) { runtime.EventsEmit(p.ctx, name, data) }

func (p wailsPlatform) PickFiles(context.Context) ([]string, error) {
	return runtime.OpenMultipleFilesDialog(p.ctx, p.opening("Choose files"))
}

func (p wailsPlatform) PickFolder(context.Context) (string, error) {
	return runtime.OpenDirectoryDialog(p.ctx, p.opening("Choose a folder"))
}

// opening begins at the person's own folder: of itself the dialog of GTK shows
// what was used last, which is nothing at the first start.
func (p wailsPlatform) opening(title string) runtime.OpenDialogOptions {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then it begins where the system likes
	}
	return runtime.OpenDialogOptions{Title: p.say(title), DefaultDirectory: home}
}

func (p wailsPlatform) SaveFile(_ context.Context, name string) (string, error) {
	return runtime.SaveFileDialog(p.ctx, runtime.SaveDialogOptions{DefaultFilename: name})
}

func (p wailsPlatform) OpenLink(address string) { runtime.BrowserOpenURL(p.ctx, address) }

func (p wailsPlatform) OpenPath(path string, reveal bool) error {
	if reveal {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			path = filepath.Dir(path)
		}
	}
	var cmd *exec.Cmd
	switch goruntime.GOOS {
	case "darwin":
		cmd = exec.Command("open", path)
	case "windows":
		cmd = exec.Command("explorer", path)
	default:
		cmd = exec.Command("xdg-open", path)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the system has no program to open files: %w", err)
	}
	go func() { _ = cmd.Wait() }() // only reaps it
	return nil
}

func (p wailsPlatform) Zoom(percent int) { zoomPage(percent) }

func (p wailsPlatform) Quit() { runtime.Quit(p.ctx) }

func (p wailsPlatform) Raise() {
	runtime.WindowUnminimise(p.ctx)
	runtime.Show(p.ctx)
	runtime.WindowShow(p.ctx)
}
