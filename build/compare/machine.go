package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"

	"referent/rag/vector/kernel"
)

// machine says where and with what a run was made.
func machine() string {
	name := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
				name = strings.TrimSpace(v)
				break
			}
		}
	}
	version, _, _ := sqlite3.Version()
	out := fmt.Sprintf("machine   %s, %d threads, %s/%s\nread      %.1f GB/s on one thread\nkernel    %s\nversions  %s, SQLite %s", name, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		readSpeed(), kernel.Name(), runtime.Version(), version)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			switch d.Path {
			case "github.com/blevesearch/bleve/v2", "github.com/philippgille/chromem-go", "github.com/asg017/sqlite-vec-go-bindings":
				out += fmt.Sprintf(", %s %s", d.Path[strings.LastIndex(strings.TrimSuffix(d.Path, "/v2"), "/")+1:], d.Version)
			}
		}
	}
	return out
}

// readSpeed is how fast one thread reads 256 MB, in GB/s, the best of five.
func readSpeed() float64 {
	data := bytes.Repeat([]byte{1}, 256<<20)
	best := time.Hour
	for range 5 {
		best = min(best, readAll(data))
	}
	return float64(len(data)) / best.Seconds() / 1e9
}

// readAll looks for a byte that is not there, which the runtime does with the
// widest loads of the processor.
func readAll(data []byte) time.Duration {
	start := time.Now()
	if bytes.IndexByte(data, 0) >= 0 {
		panic("the byte is there")
	}
	return time.Since(start)
}
