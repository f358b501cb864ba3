package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// The size of a window that was never closed before, and the smallest one, in
// pixels of the window system.
const (
	standardWidth, standardHeight = 1280, 832
	leastWidth, leastHeight       = 900, 600
)

// placeFile is the file of the data folder that keeps the window's place.
const placeFile = "window.json"

// place is where the window stood when it was closed and how large it was, in
// pixels of the window system. While it is maximised, the size is that of the start.
type place struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Maximised bool `json:"maximised"`
	kept      bool // it was read from the file
}

// readPlace reads the place that was kept in a data folder. What is not there or
// is no place is that of a first start.
func readPlace(dir string) place {
	standard := place{Width: standardWidth, Height: standardHeight}
	body, err := os.ReadFile(filepath.Join(dir, placeFile))
	if err != nil {
		return standard
	}
	var p place
	if err := json.Unmarshal(body, &p); err != nil || p.Width < leastWidth || p.Height < leastHeight {
		return standard
	}
	p.kept = true
	return p
}

// write keeps the place in a data folder.
func (p place) write(dir string) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, placeFile), body, 0o600)
}

// size is the size of a screen.
type size struct{ width, height int }

// reachable tells whether a window at the place can be seen and moved on a screen.
func (p place) reachable(screen size) bool {
	const grip = 100 // of its title bar, in pixels
	return p.X+p.Width >= grip && p.X <= screen.width-grip && p.Y >= 0 && p.Y <= screen.height-grip
}

// restore moves the window to its place once it is shown, where there is one
// screen: with several, Wails counts from the one that the window is on now, and
// nothing tells which that is. Its size and whether it is maximised are given when
// it is made.
func (p place) restore(ctx context.Context) {
	if !p.kept || p.Maximised {
		return
	}
	screens, err := runtime.ScreenGetAll(ctx)
	if err != nil || len(screens) != 1 {
		return // then the window system places it
	}
	if p.reachable(size{screens[0].Size.Width, screens[0].Size.Height}) {
		runtime.WindowSetPosition(ctx, p.X, p.Y)
	}
}

// keepPlace keeps where the window is while it closes.
func (w *Window) keepPlace(ctx context.Context, dir string, before place) {
	now := before
	now.Maximised = runtime.WindowIsMaximised(ctx)
	if !now.Maximised {
		now.Width, now.Height = runtime.WindowGetSize(ctx)
		now.X, now.Y = runtime.WindowGetPosition(ctx)
	}
	if err := now.write(dir); err != nil {
		w.log(fmt.Sprintf("the place of the window is not kept: %v", err))
	}
}
