//go:build cgo && !amd64 && !arm64

package kernel

func available() []form { return []form{scalarForm, goForm} }
