package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"referent/inference"
	"referent/inference/digest"
)

// Info describes a verified folder.
type Info struct {
	Dir     string   `json:"dir"`
	Name    string   `json:"name"`    // cpu | vulkan | cuda, from the plug-ins found
	Version string   `json:"version"` // release of llama.cpp
	Hash    string   `json:"hash"`    // SHA-256 over the names and hashes of its files, lower-case hex
	Files   []string `json:"files"`   // without links, sorted
}

// The companion libraries of the CUDA plug-in come from NVIDIA's own packages,
// which are verified when the pack is installed.
var companions = []string{"libcudart.so.", "libcublas.so.", "libcublasLt.so."}

// Verify compares every library in dir with the built-in table. It reads 30 to
// 190 MB. Errors are an *inference.Error of the kind ErrNoRuntime with a
// sentence for people.
func Verify(dir string) (Info, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Info{}, refuse(err, "There are no model libraries in %s. Install them again.", dir)
	}
	info := Info{Dir: dir, Name: "cpu", Version: Version}
	found := map[part]int{}
	links := map[string]string{}
	identity := sha256.New()
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.Contains(name, ".so") || isCompanion(name) {
			continue
		}
		full := filepath.Join(dir, name)
		if entry.Type()&os.ModeSymlink != 0 {
			target, err := filepath.EvalSymlinks(full)
			if err != nil {
				return Info{}, refuse(err, "The library link %s points nowhere. Install the model libraries again.", full)
			}
			links[name] = filepath.Base(target)
			continue
		}
		hash, _, err := digest.File(context.Background(), full, nil)
		if err != nil {
			return Info{}, refuse(err, "The library %s cannot be read. Install the model libraries again.", full)
		}
		if !known(hash, name) {
			return Info{}, refuse(nil, "The library %s is not the one that this version of the program was made for (llama.cpp %s). Install the model libraries again.", full, Version)
		}
		kind := partOf(name)
		found[kind]++
		if kind == partPlugin {
			info.Name = plugin(name)
		}
		info.Files = append(info.Files, name)
		fmt.Fprintf(identity, "%s %s\n", hash, name)
	}
	if err := complete(dir, found, links); err != nil {
		return Info{}, err
	}
	info.Hash = hex.EncodeToString(identity.Sum(nil))
	return info, nil
}

// known says whether a file of this content may carry this name.
func known(hash, name string) bool {
	return slices.ContainsFunc(table()[hash], func(r row) bool { return partOf(r.name) == partOf(name) })
}

// complete checks that the parts make one runtime, and that the two names the
// binding opens are links to versioned files: a copied libggml would be a
// second registry of backends in one process.
func complete(dir string, found map[part]int, links map[string]string) error {
	for _, need := range []struct {
		part part
		name string
	}{{partLlama, "libllama"}, {partGGML, "libggml"}, {partBase, "libggml-base"}, {partCPU, "libggml-cpu"}} {
		if found[need.part] == 0 {
			return refuse(nil, "The model libraries in %s are not complete: %s is missing. Install them again.", dir, need.name)
		}
	}
	if found[partLlama] > 1 || found[partGGML] > 1 || found[partPlugin] > 1 {
		return refuse(nil, "The folder %s mixes the model libraries of several runtimes. Install them again.", dir)
	}
	for name, kind := range map[string]part{"libllama.so": partLlama, "libggml.so": partGGML} {
		if target, ok := links[name]; !ok || partOf(target) != kind {
			return refuse(nil, "The model libraries in %s lack the link %s. Install them again.", dir, name)
		}
	}
	return nil
}

func isCompanion(name string) bool {
	return slices.ContainsFunc(companions, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

func refuse(cause error, sentence string, args ...any) error {
	return &inference.Error{Kind: inference.ErrNoRuntime, Message: fmt.Sprintf(sentence, args...), Cause: cause}
}
