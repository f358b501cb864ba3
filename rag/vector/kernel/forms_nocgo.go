//go:build !cgo

package kernel

func available() []form { return []form{goForm} }
