package storage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// PrepareFolder makes the data folder if it is missing, for its owner only,
// and refuses a network share or a folder that another program synchronises:
// SQLite needs memory shared between processes of one machine, and a
// synchroniser copies file and WAL at different times. Errors: ErrPlace,
// ErrReadOnly, ErrDiskFull.
func PrepareFolder(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Explain(err)
	}
	if err := CheckPlace(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return Explain(err)
	}
	return Explain(os.Chmod(dir, FolderMode))
}

// CheckPlace tells whether a data folder may lie at dir, which need not exist
// yet. The error has kind ErrPlace.
func CheckPlace(dir string) error {
	existing := dir
	for {
		if _, err := os.Stat(existing); err == nil {
			break
		}
		up := filepath.Dir(existing)
		if up == existing {
			break
		}
		existing = up
	}
	if name := NetworkFileSystem(existing); name != "" {
		return &Error{Kind: ErrPlace, Message: fmt.Sprintf("The data folder %s is on a network share (%s).", dir, name),
			Hint: "Choose a folder on a disk of this computer with --data."}
	}
	if real, err := filepath.EvalSymlinks(existing); err == nil {
		existing = real
	}
	for _, p := range []string{dir, existing} {
		if name := syncedBy(p); name != "" {
			return &Error{Kind: ErrPlace, Message: fmt.Sprintf("The data folder %s is kept in step by %s, which would damage it.", dir, name),
				Hint: "Choose a folder that is not synchronised with --data. Documents may stay where they are."}
		}
	}
	return nil
}

// syncNames are folder names that synchronising programs give to their roots.
// A name ending in * matches a beginning ("OneDrive - Company").
var syncNames = []struct{ folder, program string }{
	{"dropbox", "Dropbox"}, {"dropbox (*", "Dropbox"}, {"onedrive", "OneDrive"}, {"onedrive - *", "OneDrive"},
	{"google drive", "Google Drive"}, {"googledrive", "Google Drive"}, {"my drive", "Google Drive"},
	{"mobile documents", "iCloud Drive"}, {"com~apple~clouddocs", "iCloud Drive"}, {"iclouddrive", "iCloud Drive"},
	{"cloudstorage", "a cloud drive"}, {"nextcloud", "Nextcloud"}, {"owncloud", "ownCloud"},
	{"pclouddrive", "pCloud"}, {"megasync", "MEGA"}, {"seafile", "Seafile"},
}

// syncMarks are files that such programs leave in their roots.
var syncMarks = []struct{ pattern, program string }{
	{".dropbox", "Dropbox"}, {".dropbox.cache", "Dropbox"}, {".stfolder", "Syncthing"},
	{".sync_*.db", "Nextcloud"}, {"._sync_*.db", "Nextcloud"}, {".owncloudsync.log", "ownCloud"},
	{".seafile-data", "Seafile"}, {".tmp.drivedownload", "Google Drive"},
}

func syncedBy(dir string) string {
	for p := dir; ; p = filepath.Dir(p) {
		base := strings.ToLower(filepath.Base(p))
		for _, n := range syncNames {
			start, open := strings.CutSuffix(n.folder, "*")
			if base == n.folder || open && strings.HasPrefix(base, start) {
				return n.program
			}
		}
		for _, m := range syncMarks {
			if found, _ := filepath.Glob(filepath.Join(escapeGlob(p), m.pattern)); len(found) > 0 && !homeMark(p, m.pattern) {
				return m.program
			}
		}
		if filepath.Dir(p) == p {
			return ""
		}
	}
}

// homeMark: Dropbox keeps its settings in ~/.dropbox, which does not make the
// home folder a synchronised one.
func homeMark(dir, pattern string) bool {
	home, err := os.UserHomeDir()
	return err == nil && dir == home && (pattern == ".dropbox" || pattern == ".seafile-data")
}

func escapeGlob(p string) string {
	if os.PathSeparator == '\\' { // no escapes there
		return p
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}
