//go:build !linux

package storage

import "strings"

// NetworkFileSystem names the network share that path lies on. Here it knows the form of network paths only: \\server\share.
func NetworkFileSystem(path string) string {
	if strings.HasPrefix(path, `\\`) && !strings.HasPrefix(path, `\\?\`) && !strings.HasPrefix(path, `\\.\`) {
		return "a Windows share"
	}
	return ""
}
