package segment

import (
	"path"
	"runtime"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// foldsCase tells whether file names that differ only in case are one file, as
// on the file systems that Windows and macOS come with.
const foldsCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// pathKey is the form in which paths are compared: NFC (macOS writes names
// decomposed), slashes, no dots, and small letters where fold is set.
func pathKey(p string, fold bool) string {
	if p == "" {
		return ""
	}
	if runtime.GOOS == "windows" {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	p = path.Clean(norm.NFC.String(p))
	if fold {
		p = strings.ToLower(p)
	}
	return p
}

// under tells whether a path is root or lies below it; both are keys. A name
// that merely begins alike (/a/bc and /a/b) is not below.
func under(key, root string) bool {
	if root == "" {
		return true
	}
	if root == "/" || root == "." {
		return true
	}
	return strings.HasPrefix(key, root) && (len(key) == len(root) || key[len(root)] == '/' || strings.HasSuffix(root, "/"))
}
