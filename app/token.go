package app

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"referent/rag"
)

// TokenFile is the file of the data folder that holds the token with which
// other programs ask. Who may read the data folder may ask.
const TokenFile = "api-token"

// tokenBytes makes a token that cannot be guessed: 256 bits.
const tokenBytes = 32

// Token returns the token of a data folder and makes one at the first use. The
// file is read each time, so that a new token holds at once.
func Token(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, TokenFile))
	if errors.Is(err, fs.ErrNotExist) {
		return writeToken(dir, false)
	}
	if err != nil {
		return "", tokenError(err)
	}
	if token := strings.TrimSpace(string(raw)); len(token) == hex.EncodedLen(tokenBytes) {
		return token, nil
	}
	return writeToken(dir, true) // cut short by a crash, or edited
}

// NewToken replaces the token of a data folder; the old one ends.
func NewToken(dir string) (string, error) { return writeToken(dir, true) }

// writeToken puts a new token in place in one step. Without replace, one that
// another process wrote in the meantime is kept and returned.
func writeToken(dir string, replace bool) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", tokenError(err)
	}
	var raw [tokenBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	token := hex.EncodeToString(raw[:])
	file, err := os.CreateTemp(dir, TokenFile+"-*") // made with mode 0600
	if err != nil {
		return "", tokenError(err)
	}
	name := file.Name()
	_, err = file.WriteString(token + "\n")
	if err = errors.Join(err, file.Close()); err == nil {
		target := filepath.Join(dir, TokenFile)
		if replace {
			err = os.Rename(name, target)
		} else {
			err = putNew(os.Link, name, target)
		}
	}
	if err != nil {
		_ = os.Remove(name) // what is left of a failure
		if errors.Is(err, fs.ErrExist) {
			return Token(dir)
		}
		return "", tokenError(err)
	}
	return token, nil
}

func tokenError(err error) error {
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "The token for other programs could not be read or stored.",
		Hint: "Check the rights and the free space of the data folder.", Cause: err}
}
