package llama

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/runtime"
)

// library is the set of shared libraries of this process. There is one at
// most: the registry of backends lives in it.
type library struct {
	info    runtime.Info
	log     *logRing
	devices []device
	loads   sync.Mutex   // held while a model or a context is being created
	known   dryrun.Known // guarded by loads

	gatesMu sync.Mutex
	gates   map[string]*turnstile // by device
}

var opened struct {
	sync.Mutex
	library *library
}

// openLibrary verifies and loads the libraries in dir, once a process.
func openLibrary(dir string, log func(string)) (*library, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failf(inference.ErrNoRuntime, err, "The folder of the model libraries cannot be found.")
	}
	opened.Lock()
	defer opened.Unlock()
	if lib := opened.library; lib != nil {
		if lib.info.Dir != dir {
			return nil, failf(inference.ErrNoRuntime, nil, "The model libraries in %s are already in use. Restart to use those in %s.", lib.info.Dir, dir)
		}
		lib.log.forward(log)
		return lib, nil
	}
	info, err := runtime.Verify(dir)
	if err != nil {
		return nil, err
	}

	// A backend named in the environment would be loaded before ours is looked
	// at, and the backtrace of an assertion would start a debugger.
	os.Unsetenv("GGML_BACKEND_PATH")
	os.Setenv("GGML_NO_BACKTRACE", "1")

	lib := &library{info: info, log: newLogRing(), known: dryrun.Known{}, gates: map[string]*turnstile{}}
	lib.log.forward(log)
	if err := llama.Load(dir); err != nil {
		return nil, failf(inference.ErrNoRuntime, err, "The model libraries in %s cannot be loaded on this system.", dir)
	}
	llama.LogSet(logCallback(lib.log))
	llama.Init()
	if err := prepareCallbacks(); err != nil {
		return nil, failf(inference.ErrNoRuntime, err, "The model libraries in %s cannot be used on this system.", dir)
	}
	lib.devices = listDevices()
	opened.library = lib
	return lib, nil
}
