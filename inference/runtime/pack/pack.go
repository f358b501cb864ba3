package pack

import (
	"context"

	"referent/inference/runtime"
)

// Pack is one optional runtime.
type Pack struct {
	Name     string // of the runtime
	Notice   string // to be shown, and accepted, before anything is installed
	Archives []Archive
	Driver   int // the CUDA that the driver must speak, 13000 for 13.0; 0: any
}

// Archive is a published file that holds a part of a pack.
type Archive struct {
	Get    string // a command that fetches it
	Source Source
	Files  []File
}

// Source is where an archive lies, and what it must be.
type Source struct {
	URL    string
	Bytes  int64  // 0: not known
	SHA256 string // hex; empty: the one that the server announces
}

// File is a library of a pack, found in its archive by its name.
type File struct {
	Name, SHA256 string
	Bytes        int64 // 0: not known
}

// CUDA is the runtime for cards of NVIDIA on Linux. Its files are those of the
// set-up's CUDA pack.
func CUDA() Pack {
	return Pack{
		Name:   "cuda",
		Driver: 13_000,
		Notice: "The CUDA pack holds libraries of NVIDIA: libcudart, libcublas and libcublasLt 13. They are covered by the NVIDIA CUDA Toolkit End User " +
			"License Agreement, whose attachment A lists the three as distributable. Read it before you use the pack: docs.nvidia.com/cuda/eula. " +
			"The pack needs a driver of version 580 or newer.",
		Archives: []Archive{
			{"npm pack @node-llama-cpp/linux-x64-cuda@3.22.1", Source{
				"https://registry.npmjs.org/@node-llama-cpp/linux-x64-cuda/-/linux-x64-cuda-3.22.1.tgz",
				142_898_030, "d6cd3ff39a43b024816952e0bc6452d6711608d26256ff6eb0fe8cf7ff55bb2c",
			}, []File{
				{"libggml-cuda.so", "f00882ca593ddf380778f5ac835690bcdaad951cd4700829c7a03aa0c32bcf47", 158_993_272},
			}},
			{"pip download --no-deps nvidia-cuda-runtime==13.0.96", Source{
				"https://files.pythonhosted.org/packages/2e/24/d1558f3b68b1d26e706813b1d10aa1d785e4698c425af8db8edc3dced472/nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
				2_243_632, "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
			}, []File{
				{"libcudart.so.13", "96c42e418cec19054186b9429c321603cc190bf26a18104e19408117a2a817b0", 704_288},
			}},
			{"pip download --no-deps nvidia-cublas==13.10.0.20", Source{
				"https://files.pythonhosted.org/packages/b4/12/16628161ed8c109c8c73b38167df50cbc630a8a6e6548e2534d461526c3c/nvidia_cublas-13.10.0.20-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl",
				444_289_903, "dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84",
			}, []File{
				{"libcublas.so.13", "863f349b5352363c66079090d43d9d56ad3d676373ecac18418fd4fb2d0579d1", 57_282_152},
				{"libcublasLt.so.13", "b58e18ab4a6adc9bf4833d5cfe28db688e675fd6021db7eaf5da78d23f95d2de", 551_653_208},
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

// Bytes is how much room the files of the pack take when they are unpacked, as far
// as their sizes are known.
func (p Pack) Bytes() int64 {
	var n int64
	for _, a := range p.Archives {
		for _, f := range a.Files {
			n += f.Bytes
		}
	}
	return n
}

// Lacks says in a sentence why the pack would not run on this computer, as far as
// its driver tells; nil: nothing is known to be missing.
func (p Pack) Lacks(ctx context.Context) error {
	if p.Driver == 0 {
		return nil
	}
	version, err := runtime.CUDADriver(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.judge(version, err)
}

func (p Pack) judge(version int, err error) error {
	switch {
	case err != nil || version == 0:
		return refuse(err, "No driver of NVIDIA was found on this computer, so the pack would not run here. It needs a driver of version 580 or newer.")
	case version < p.Driver:
		return refuse(nil, "The driver of NVIDIA on this computer is too old for the pack: it speaks CUDA %d.%d, and the pack needs %d.%d, which a driver of version 580 or newer brings.",
			version/1000, version%1000/10, p.Driver/1000, p.Driver%1000/10)
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

// Sources lists where the archives lie.
func (p Pack) Sources() []Source {
	var out []Source
	for _, a := range p.Archives {
		out = append(out, a.Source)
	}
	return out
}
