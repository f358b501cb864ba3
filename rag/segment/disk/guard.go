package disk

import (
	"runtime"
	"runtime/debug"
)

// Guard runs fn, which reads mapped files, and returns its error; ErrDamaged
// when a file could not be read there, because it was cut short since it was
// mapped or its disk failed, or when fn came to an impossible place of it, such
// as an index beyond a list, and broken says that a file is not what was written.
// Any other panic goes on. broken may be nil: it never is. fn was left in its
// middle then: its deferred calls ran. It protects this goroutine only.
func Guard(broken func() bool, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case fault:
			err = ErrDamaged
		case runtime.Error:
			if broken == nil || !broken() {
				panic(p)
			}
			err = ErrDamaged
		default:
			panic(p)
		}
	}()
	return fn()
}

// fault is what the runtime panics with after a read that failed.
type fault interface {
	runtime.Error
	Addr() uintptr
}
