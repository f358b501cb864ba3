package storage

import (
	"errors"
	"os"
	"path/filepath"
)

// Lock is the right to write a data folder. The system takes it back when the
// process ends, however it ends.
type Lock struct{ file *os.File }

// LockFolder makes this process the owner of the data folder, which is made if
// it is missing. The error has kind ErrLocked while another process (or another
// Lock of this one) holds it.
func LockFolder(dir string) (*Lock, error) {
	if err := PrepareFolder(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, FileMode)
	if err != nil {
		return nil, Explain(err)
	}
	if err := lockFile(f); err != nil {
		_ = f.Close()
		if errors.Is(err, errHeld) {
			return nil, &Error{Kind: ErrLocked, Message: "Another Referent is using this data folder.",
				Hint: "Close it, or choose another folder with --data.", Cause: err}
		}
		return nil, Explain(err)
	}
	return &Lock{file: f}, nil
}

// Close gives the folder back. The lock file stays: removing it would let two
// processes hold locks on two files of one name.
func (l *Lock) Close() error { return l.file.Close() }

var errHeld = errors.New("the lock is held")
