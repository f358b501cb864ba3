package app

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"

	"referent/rag"
)

// UnlockRequest opens a protected file, or those in a folder, with a password.
// Keep: a password that opens a file also goes into the system's keyring, under
// the file's content, so that it holds wherever the file is moved.
type UnlockRequest struct {
	Path     string `json:"path"`
	Password string `json:"password"`
	Keep     bool   `json:"keep"`
}

// Unlocked says whether the password will be known after the program ends.
type Unlocked struct {
	Kept     bool     `json:"kept"`
	Sentence Optional `json:"sentence"`
}

// noKeyring is said where a password cannot be kept: there is no other place
// for one.
const noKeyring = "This computer has no keyring that the program can use, so the password is not kept: you are asked for it again when the file has to be read anew."

// passwords keeps the passwords of files in the system's keyring or not at all.
type passwords struct{}

func passwordAccount(hash string) string { return "file." + hash }

// Get implements library.Passwords.
func (passwords) Get(hash string) string {
	password, err := keyring.Get(keyringService, passwordAccount(hash))
	if err != nil {
		return "" // none is kept, or there is no keyring: the person is asked
	}
	return password
}

// Keep implements library.Passwords.
func (passwords) Keep(hash, password string) error {
	return keyring.Set(keyringService, passwordAccount(hash), password)
}

// hasKeyring asks the keyring for something that is not there.
func hasKeyring() bool {
	_, err := keyring.Get(keyringService, "probe")
	return err == nil || errors.Is(err, keyring.ErrNotFound)
}

// Unlock implements UseCases.
func (a *App) Unlock(ctx context.Context, req UnlockRequest) (Unlocked, error) {
	if req.Password == "" {
		return Unlocked{}, &rag.Error{Code: rag.CodeInvalidSetting, Message: "The password is empty.", Hint: "Enter the password of the file."}
	}
	if err := a.startLibrary(ctx); err != nil {
		return Unlocked{}, err
	}
	out := Unlocked{Kept: req.Keep && hasKeyring()}
	if req.Keep && !out.Kept {
		out.Sentence = noKeyring
	}
	return out, storageError(a.library.Unlock(ctx, req.Path, req.Password, out.Kept))
}
