package download

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

func folder(path string) string { return filepath.Dir(path) }

// finish proves the part and gives it its name.
func (t *transfer) finish(ctx context.Context) (Result, error) {
	t.tell(PhaseVerifying, "")
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	want, proof := t.req.SHA256, ProofCatalogue
	if want == "" {
		want, proof = t.state.Announced, ProofServer
	}
	got := hex.EncodeToString(t.sum.Sum(nil))
	switch {
	case t.size() > 0 && t.done != t.size(), !sameHash(got, want):
		return Result{}, errors.Join(fail(ErrAltered, nil, "What arrived is not the file that was expected: its checksum is another one. It was deleted; try again."), t.drop())
	}
	if err := t.file.Sync(); err != nil {
		return Result{}, diskError(err)
	}
	if t.Check != nil {
		if err := t.Check(t.req.Path + partSuffix); err != nil {
			return Result{}, errors.Join(err, t.drop())
		}
	}
	if err := t.file.Close(); err != nil {
		return Result{}, diskError(err)
	}
	if err := os.Rename(t.req.Path+partSuffix, t.req.Path); err != nil {
		return Result{}, diskError(err)
	}
	if err := SyncFolder(folder(t.req.Path)); err != nil {
		return Result{}, diskError(err)
	}
	_ = Discard(t.req.Path) // the state alone is no download any more
	return Result{Path: t.req.Path, Bytes: t.done, SHA256: got, Proof: proof}, nil
}

// drop deletes a part that can never become the file.
func (t *transfer) drop() error {
	_ = t.file.Close()
	return Discard(t.req.Path)
}

// SyncFolder makes names in a folder last over a power cut. Windows does so by
// itself and cannot be asked.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
