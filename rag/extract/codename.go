package extract

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"strings"
)

// codeNames are the names and endings of code. It is searched as it lies: a
// table would cost each process megabytes and a tenth of a second at its start.
//
//go:embed codenames.txt
var codeNames string

// isCode tells source code, markup and data by the file's name, by its longest
// ending that is known, or by a first line that names the program that runs it.
func isCode(path string, head []byte) bool {
	name := filepath.Base(path)
	if isCodeName(name) || bytes.HasPrefix(head, []byte("#!/")) || bytes.HasPrefix(head, []byte("#! /")) {
		return true
	}
	for name = strings.ToLower(name); ; name = name[1:] {
		dot := strings.IndexByte(name, '.')
		if dot < 0 {
			return false
		}
		if name = name[dot:]; isCodeName(name) {
			return true
		}
	}
}

func isCodeName(name string) bool {
	return !strings.HasPrefix(name, "#") && strings.Contains(codeNames, "\n"+name+"\n")
}
