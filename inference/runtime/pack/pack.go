package pack

// Pack is one optional runtime.
type Pack struct {
	Name     string // of the runtime
	Notice   string // to be shown, and accepted, before anything is installed
	Archives []Archive
}

// Archive is a published file that holds a part of a pack.
type Archive struct {
	Get   string // a command that fetches it
	Files []File
}

// File is a library of a pack, found in its archive by its name.
type File struct{ Name, SHA256 string }

// CUDA is the runtime for cards of NVIDIA on Linux. Its files are those of the
// set-up's CUDA pack.
func CUDA() Pack {
	return Pack{
		Name: "cuda",
		Notice: "The CUDA pack holds libraries of NVIDIA: libcudart, libcublas and libcublasLt 13. They are covered by the NVIDIA CUDA Toolkit End User " +
			"License Agreement, whose attachment A lists the three as distributable. Read it before you use the pack: docs.nvidia.com/cuda/eula. " +
			"The pack needs a driver of version 580 or newer.",
		Archives: []Archive{
			{"npm pack @node-llama-cpp/linux-x64-cuda@3.22.1", []File{
				{"libggml-cuda.so", "f00882ca593ddf380778f5ac835690bcdaad951cd4700829c7a03aa0c32bcf47"},
			}},
			{"pip download --no-deps nvidia-cuda-runtime==13.0.96", []File{
				{"libcudart.so.13", "96c42e418cec19054186b9429c321603cc190bf26a18104e19408117a2a817b0"},
			}},
			{"pip download --no-deps nvidia-cublas==13.10.0.20", []File{
				{"libcublas.so.13", "863f349b5352363c66079090d43d9d56ad3d676373ecac18418fd4fb2d0579d1"},
				{"libcublasLt.so.13", "b58e18ab4a6adc9bf4833d5cfe28db688e675fd6021db7eaf5da78d23f95d2de"},
			}},
		},
	}
}

// ByName returns a pack.
func ByName(name string) (Pack, bool) {
	if p := CUDA(); p.Name == name {
		return p, true
	}
	return Pack{}, false
}

// wanted finds a file of the pack by its name.
func (p Pack) wanted(name string) (File, bool) {
	for _, a := range p.Archives {
		for _, f := range a.Files {
			if f.Name == name {
				return f, true
			}
		}
	}
	return File{}, false
}

// missing says what to fetch for the files that have not been found.
func (p Pack) missing(found map[string]bool) error {
	for _, a := range p.Archives {
		for _, f := range a.Files {
			if !found[f.Name] {
				return refuse(nil, "The file %s is in none of the archives. `%s` fetches the one that holds it.", f.Name, a.Get)
			}
		}
	}
	return nil
}

// Commands lists the commands that fetch the archives.
func (p Pack) Commands() []string {
	var out []string
	for _, a := range p.Archives {
		out = append(out, a.Get)
	}
	return out
}
