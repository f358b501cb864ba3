//go:build hnswlib

package main

// #cgo CXXFLAGS: -O3 -march=native -std=c++14
// #include <stdlib.h>
// void *hnsw_new(int dims, size_t most, int m, int construction);
// void *hnsw_load(int dims, const char *path);
// void hnsw_add(void *x, const float *v, size_t id);
// void hnsw_save(void *x, const char *path);
// void hnsw_ef(void *x, size_t ef);
// int hnsw_search(void *x, const float *q, int k, size_t *ids);
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"
)

// hnsw is a graph of hnswlib over inner products of unit vectors, with its
// usual M 16 and ef_construction 200.
type hnsw struct{ x unsafe.Pointer }

const hnswName = "hnswlib"

// newHNSW loads the graph of these vectors from the cache or builds it.
func newHNSW(cache, name string, stored [][]float32) (*hnsw, error) {
	path := filepath.Join(cache, "hnswlib-"+name)
	c := C.CString(path)
	defer C.free(unsafe.Pointer(c))
	if _, err := os.Stat(path); err == nil {
		if x := C.hnsw_load(dimensions, c); x != nil {
			return &hnsw{x}, nil
		}
	}
	h := &hnsw{C.hnsw_new(dimensions, C.size_t(len(stored)), 16, 200)}
	for i, v := range stored {
		C.hnsw_add(h.x, (*C.float)(unsafe.Pointer(&v[0])), C.size_t(i+1))
	}
	C.hnsw_save(h.x, c)
	return h, nil
}

// nearest are the k best by a walk of this width.
func (h *hnsw) nearest(q []float32, k, width int) []int64 {
	C.hnsw_ef(h.x, C.size_t(max(width, k)))
	ids := make([]C.size_t, k)
	n := int(C.hnsw_search(h.x, (*C.float)(unsafe.Pointer(&q[0])), C.int(k), &ids[0]))
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(ids[i])
	}
	return out
}

// width is the least walk with which the graph has as much recall@10 as asked
// for; the recall is that of the widest where none has.
func (h *hnsw) width(stored, queries [][]float32, least float64) (width int, recall float64) {
	for _, width = range []int{10, 20, 40, 60, 80, 120, 160, 240, 320, 480, 640, 1000, 2000} {
		found := 0
		for _, q := range queries {
			found += common(h.nearest(q, 10, width), exact(stored, q))
		}
		if recall = float64(found) / float64(10*len(queries)); recall >= least {
			break
		}
	}
	return width, recall
}

func askHNSW(h *hnsw, width int) func([]float32) error {
	return func(q []float32) error {
		if n := len(h.nearest(q, 10, width)); n != 10 {
			return errors.New(fmt.Sprint(n, " hits"))
		}
		return nil
	}
}
