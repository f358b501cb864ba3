package runtime

import (
	"errors"
	"os"
	"path/filepath"
)

// names lists the runtimes in order of preference: what is fastest on the
// machines that have it comes first.
var names = []string{"cuda", "metal", "vulkan", "cpu"}

// Folder is where the runtime of a name lives below the cache folder.
func Folder(cacheDir, name string) string {
	return filepath.Join(cacheDir, "runtime", name)
}

// Find verifies the runtimes below the cache folder and returns the usable
// ones in order of preference. The error joins the sentences about folders
// that exist and cannot be used; without any usable runtime it is never nil.
func Find(cacheDir string) ([]Info, error) {
	var out []Info
	var problems []error
	for _, name := range names {
		dir := Folder(cacheDir, name)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		info, err := Verify(dir)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		out = append(out, info)
	}
	if len(out) == 0 && len(problems) == 0 {
		problems = append(problems, refuse(nil, "There are no model libraries in %s. Install them first.", filepath.Join(cacheDir, "runtime")))
	}
	return out, errors.Join(problems...)
}
