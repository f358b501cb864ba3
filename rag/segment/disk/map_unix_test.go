//go:build unix

package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestMapping_CopyReadsTheFile(t *testing.T) {
	f, dir := opened(t)
	want := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	size, sum, err := f.Write("seg-1.vec", want)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Map("seg-1.vec", size, sum)
	if err != nil {
		t.Fatal(err)
	}
	to := make([]byte, 100)
	for _, at := range []int{0, 7, 4095, len(want) - 100} {
		if err := m.Copy(to, m.Data[at:at+100]); err != nil || !bytes.Equal(to, want[at:at+100]) {
			t.Errorf("at %d: %q, %v", at, to, err)
		}
	}
	m.Forget()
	if !bytes.Equal(m.Data, want) {
		t.Error("what was forgotten is not read again")
	}
	if err := os.Truncate(filepath.Join(dir, "seg-1.vec"), 5000); err != nil {
		t.Fatal(err)
	}
	if err := m.Copy(to, m.Data[4950:5050]); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}
