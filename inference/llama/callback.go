package llama

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/jupiterrider/ffi"
)

// callbacks are the C functions that the library calls. They are made once:
// the system has a fixed number of slots for them, and one of them replaced
// while a load runs would send its calls to the wrong load.
var callbacks struct {
	once     sync.Once
	err      error
	progress uintptr
	abort    uintptr

	// What the closure needs for as long as the process lives.
	code    unsafe.Pointer
	cif     ffi.Cif
	closure *ffi.Closure
	types   []*ffi.Type
}

func prepareCallbacks() error {
	c := &callbacks
	c.once.Do(func() {
		c.abort = abortFunction()
		c.types = []*ffi.Type{&ffi.TypeFloat, &ffi.TypePointer}
		if ffi.PrepCif(&c.cif, ffi.DefaultAbi, 2, &ffi.TypeUint8, c.types...) != ffi.OK {
			c.err = errors.New("no call interface for the progress callback")
			return
		}
		if c.closure = ffi.ClosureAlloc(unsafe.Sizeof(ffi.Closure{}), &c.code); c.closure == nil {
			c.err = errors.New("no closure for the progress callback")
			return
		}
		fn := ffi.NewCallback(func(cif *ffi.Cif, ret unsafe.Pointer, args *unsafe.Pointer, _ unsafe.Pointer) uintptr {
			a := unsafe.Slice(args, 2)
			*(*ffi.Arg)(ret) = ffi.Arg(progressed(*(*uintptr)(a[1]), *(*float32)(a[0])))
			return 0
		})
		if ffi.PrepClosureLoc(c.closure, &c.cif, fn, nil, c.code) != ffi.OK {
			c.err = errors.New("the closure for the progress callback cannot be prepared")
			return
		}
		c.progress = uintptr(c.code)
	})
	return c.err
}

// watchers maps the number given to the library as user data to the load that
// it belongs to.
var watchers struct {
	next atomic.Uintptr
	live sync.Map // uintptr → func(float32) bool
}

// watch registers a load; forget must be called when it is over. fn returns
// false to give the load up.
func watch(fn func(done float32) bool) (id uintptr, forget func()) {
	id = watchers.next.Add(1)
	watchers.live.Store(id, fn)
	return id, func() { watchers.live.Delete(id) }
}

func progressed(id uintptr, done float32) uint8 {
	fn, ok := watchers.live.Load(id)
	if ok && !fn.(func(float32) bool)(done) {
		return 0
	}
	return 1
}

// abortFlag is memory that the library asks about while it computes: 0, or 1
// in its first byte. See abortFunction.
type abortFlag struct{ word *atomic.Uint32 }

func newAbortFlag() abortFlag { return abortFlag{word: new(atomic.Uint32)} }

func (f abortFlag) address() uintptr { return uintptr(unsafe.Pointer(f.word)) }

// follow raises the flag when ctx is done. stop lowers it again and returns
// after the last moment at which it could be raised.
func (f abortFlag) follow(ctx context.Context) (stop func()) {
	raised := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		f.word.Store(1)
		close(raised)
	})
	return func() {
		if !cancel() {
			<-raised
		}
		f.word.Store(0)
	}
}
