package runtime

import (
	"errors"
	"os"
	"path/filepath"
)

// names lists the runtimes in order of preference: what is fastest on the
// machines that have it comes first.
var names = []string{"cuda", "metal", "vulkan", "cpu"}

// Folder is where the runtime of a name lives below a place.
func Folder(place, name string) string {
	return filepath.Join(place, "runtime", name)
}

// Find verifies the runtimes below the places (folders that hold a folder
// "runtime") and returns the usable ones in order of preference, one of each
// name: that of the first place that has a usable one. The error joins the
// sentences about folders that were tried and cannot be used; without any
// usable runtime it is never nil.
func Find(places ...string) ([]Info, error) {
	var out []Info
	var problems []error
	for _, name := range names {
		for _, place := range places {
			dir := Folder(place, name)
			if _, err := os.Stat(dir); err != nil {
				continue
			}
			info, err := Verify(dir)
			if err == nil {
				out = append(out, info)
				break
			}
			problems = append(problems, err)
		}
	}
	if len(out) == 0 && len(problems) == 0 {
		last := ""
		if len(places) > 0 {
			last = places[len(places)-1]
		}
		problems = append(problems, refuse(nil, "There are no model libraries in %s. Install them first.", filepath.Join(last, "runtime")))
	}
	return out, errors.Join(problems...)
}
