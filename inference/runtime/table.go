package runtime

import (
	_ "embed"
	"path"
	"strings"
	"sync"
)

// Version is the release of llama.cpp that the table describes and the binding
// was written for.
const Version = "v0.5.0"

//go:embed hashes.txt
var hashes string

// row is what the table knows of one file content.
type row struct {
	pack string // cpu | vulkan | cuda
	name string // file name in its package
}

// table maps SHA-256 to the rows with that content. Packages share most files.
var table = sync.OnceValue(func() map[string][]row {
	rows := make(map[string][]row)
	for line := range strings.Lines(hashes) {
		fields := strings.Fields(line)
		if len(fields) != 2 || strings.HasPrefix(line, "#") {
			continue
		}
		pack, name := path.Split(fields[1])
		rows[fields[0]] = append(rows[fields[0]], row{pack: strings.TrimSuffix(pack, "/"), name: name})
	}
	return rows
})

// part is the place of a file in a runtime.
type part int

const (
	partOther part = iota
	partLlama
	partGGML
	partBase
	partCommon
	partCPU
	partPlugin
)

// partOf reads a file name: libllama.vulkan.v0.5.0.so is the llama part.
func partOf(name string) part {
	stem := strings.TrimPrefix(strings.TrimSuffix(name, ".so"), "lib")
	switch {
	case stem == "llama-common":
		return partCommon
	case stem == "llama" || strings.HasPrefix(stem, "llama."):
		return partLlama
	case stem == "ggml" || strings.HasPrefix(stem, "ggml."):
		return partGGML
	case stem == "ggml-base":
		return partBase
	case strings.HasPrefix(stem, "ggml-cpu-"):
		return partCPU
	case strings.HasPrefix(stem, "ggml-"):
		return partPlugin
	}
	return partOther
}

// plugin is the runtime that a plug-in file makes of a core: "vulkan" for
// libggml-vulkan.so.
func plugin(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "libggml-"), ".so")
}
