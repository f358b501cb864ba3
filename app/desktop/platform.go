package desktop

import "context"

// Platform is what the window system does for us. Wails implements it in the
// program, a small HTTP bridge in the browser tests.
type Platform interface {
	// Emit sends an event to the page. data must be JSON.
	Emit(name string, data any)
	PickFiles(ctx context.Context) ([]string, error)
	PickFolder(ctx context.Context) (string, error)
	// SaveFile asks where a new file goes, with a name to begin with; empty: the
	// dialog was closed.
	SaveFile(ctx context.Context, name string) (string, error)
	// OpenLink opens an address in the person's browser or mail program.
	OpenLink(address string)
	// OpenPath opens a file in its program, or shows it in its folder.
	OpenPath(path string, reveal bool) error
	// Zoom sets the size of everything on the page, in percent.
	Zoom(percent int)
	// Raise brings the window to the front.
	Raise()
	// Quit closes the window.
	Quit()
}
