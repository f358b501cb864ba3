package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed cuda.txt
var cudaWheels string

//go:embed cuda.sha256
var cudaHashes string

// cudaBytes is about what npm fetches for the plug-in.
const cudaBytes = 142_900_000

// cudaFrom says in which wheel, by its number in the table, a library lies.
var cudaFrom = map[string]int{"libcudart.so.13": 0, "libcublas.so.13": 1, "libcublasLt.so.13": 1}

// cudaNotice is shown before anything of NVIDIA's is fetched.
const cudaNotice = `The CUDA pack holds libraries of NVIDIA: libcudart, libcublas and libcublasLt 13.
They are covered by the NVIDIA CUDA Toolkit End User License Agreement, whose
attachment A lists the three as distributable. Read it before you use the pack:
docs.nvidia.com/cuda/eula. The pack takes 0.6 GB to download and needs a driver
of version 580 or newer. By going on you accept that licence.`

// installCUDA fills runtime/cuda: the CPU core, the CUDA plug-in and the three
// libraries of NVIDIA that it needs.
func installCUDA(ctx context.Context, s *site) (string, error) {
	if err := showNotice(s); err != nil {
		return "", err
	}
	if _, err := installRuntime(ctx, s); err != nil {
		return "", err
	}
	var core []library
	for _, f := range libraries(runtimeHashes) {
		if f.folder == "cpu" {
			core = append(core, library{"cuda", f.name, f.hash})
		}
	}
	extra := libraries(cudaHashes)
	all := append(append([]library{}, core...), extra...)
	if ok, err := runtimeReady(ctx, s, all); err != nil || ok {
		return "the CUDA pack is there", err
	}
	for _, f := range core {
		if err := placeLibrary(ctx, s, s.in("runtime", "cpu", f.name), f); err != nil {
			return "", err
		}
	}
	if err := placeNVIDIA(ctx, s, extra); err != nil {
		return "", err
	}
	modules, clean, err := npmPackages(ctx, s, "cuda", "cuda-pack", "CUDA plug-in", cudaBytes)
	if err != nil {
		return "", err
	}
	defer clean()
	for _, f := range extra {
		if f.name == "libggml-cuda.so" {
			from := filepath.Join(modules, "linux-x64-cuda", "bins", "linux-x64-cuda", f.name)
			if err := placeLibrary(ctx, s, from, f); err != nil {
				return "", err
			}
		}
	}
	if err := linkLibraries(s.in("runtime", "cuda")); err != nil {
		return "", err
	}
	if ok, err := runtimeReady(ctx, s, all); err != nil || !ok {
		return "", errors.Join(err, errors.New("the CUDA folder is not as it should be; remove it and run this again"))
	}
	return "installed the CUDA pack", nil
}

// showNotice prints the licence notice and, on a terminal, waits for a yes.
func showNotice(s *site) error {
	for line := range strings.Lines(cudaNotice) {
		s.out.line("cuda-pack", "%s", strings.TrimSpace(line))
	}
	if !isTerminal(os.Stdin) {
		return nil
	}
	s.out.line("cuda-pack", "Type yes to go on.")
	var answer string
	if _, err := fmt.Fscanln(os.Stdin, &answer); err != nil || answer != "yes" {
		return errors.New("nothing was installed")
	}
	return nil
}

func placeNVIDIA(ctx context.Context, s *site, files []library) error {
	rows, err := wheelRows(cudaWheels)
	if err != nil {
		return err
	}
	paths, err := fetchWheels(ctx, s, "cuda-pack", "NVIDIA libraries", rows)
	if err != nil {
		return err
	}
	for _, f := range files {
		n, ok := cudaFrom[f.name]
		if !ok {
			continue
		}
		in, err := openEntry(paths[n], "nvidia/cu13/lib/"+f.name)
		if err != nil {
			return err
		}
		err = place(ctx, s.in("runtime", "cuda", f.name), in, func(hash string) error { return expect(f.name, f.hash, hash) })
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
