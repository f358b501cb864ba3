package app

import (
	"errors"
	"io/fs"
	"os"
)

// putNew gives a finished file its name, which no file may have: the error is
// fs.ErrExist where one has it. link is os.Link, which does that in one step;
// on file systems without links the name is claimed first. from is gone
// afterwards, unless there is an error.
func putNew(link func(from, to string) error, from, to string) error {
	err := link(from, to)
	if err == nil {
		_ = os.Remove(from) // the other name keeps it
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	claim, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(claim.Close(), os.Rename(from, to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
