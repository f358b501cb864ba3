package storage

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSyncedFoldersAreRefused(t *testing.T) {
	for _, c := range []struct{ folder, mark, program string }{
		{"Dropbox/app", "", "Dropbox"}, {"OneDrive - Company/x", "", "OneDrive"}, {"Nextcloud", "", "Nextcloud"},
		{"Library/CloudStorage/GoogleDrive-a", "", "a cloud drive"}, {"Mobile Documents/com~apple~CloudDocs/x", "", "iCloud Drive"},
		{"shared/deep/er", "shared/.stfolder", "Syncthing"}, {"[odd]/x", "[odd]/.sync_0a1b.db", "Nextcloud"},
	} {
		root := t.TempDir()
		if c.mark != "" {
			mark := filepath.Join(root, c.mark)
			if err := os.MkdirAll(mark, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		dir := filepath.Join(root, c.folder)
		err := PrepareFolder(dir)
		if !errors.Is(err, ErrPlace) || !strings.HasPrefix(err.Error(), "The data folder "+dir+" is kept in step by "+c.program+", which would damage it.") {
			t.Errorf("%s: %v", c.folder, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s was made all the same", c.folder)
		}
	}
}

func TestSyncedFolderBehindALink(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "Dropbox", "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "Dropbox", "data"), filepath.Join(root, "plain")); err != nil {
		t.Fatal(err)
	}
	if err := CheckPlace(filepath.Join(root, "plain", "new")); !errors.Is(err, ErrPlace) {
		t.Errorf("%v", err)
	}
}

func TestPlainFoldersAreAccepted(t *testing.T) {
	for _, name := range []string{"data", "MyDropboxNotes", "onedrive-old-files", "Nextcloud client"} {
		dir := filepath.Join(t.TempDir(), name, "deep")
		if err := PrepareFolder(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	held, err := LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = LockFolder(dir)
	if want := "Another Referent is using this data folder. Close it, or choose another folder with --data."; !errors.Is(err, ErrLocked) || err.Error() != want {
		t.Errorf("%v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
