//go:build !linux || !cgo || !webkit2_41 || !(desktop || dev)

package desktop

// zoomPage does nothing where no WebKitGTK shows the page.
func zoomPage(int) {}
