//go:build !linux

package segment

// stories are told on Linux only.
var stories map[string]func(dir string) error
