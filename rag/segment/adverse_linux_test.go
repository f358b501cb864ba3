package segment

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"referent/storage"
)

// stories by name; each gets a folder.
var stories = map[string]func(dir string) error{
	"limit": func(dir string) error {
		const most = 3 << 20 // bytes of a file
		signal.Ignore(syscall.SIGXFSZ)
		limit := func(n uint64) error {
			return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: n, Max: unix.RLIM_INFINITY})
		}
		if err := limit(most); err != nil {
			return err
		}
		return fillUp(dir, func() error { return limit(unix.RLIM_INFINITY) })
	},
	"disk": func(dir string) error {
		if err := mountSmall(dir); err != nil {
			return err
		}
		ballast := filepath.Join(dir, "ballast")
		if err := os.WriteFile(ballast, make([]byte, 4<<20), 0o600); err != nil {
			return err
		}
		data := filepath.Join(dir, "data")
		if err := fillUp(data, func() error { return os.Remove(ballast) }); err != nil {
			return err
		}
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			return err
		}
		return refuseReadOnly(data)
	},
	"foreign": refuseReadOnly,
}

// noMount is how a story ends that may not make a disk of its own.
const noMount = 7

// mountSmall makes a disk of 12 MB that only this process sees.
func mountSmall(dir string) error {
	err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if err == nil {
		err = unix.Mount("tmpfs", dir, "tmpfs", 0, "size=12m,mode=0700")
	}
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		fmt.Fprintln(os.Stderr, "mount:", err)
		os.Exit(noMount)
	}
	return err
}

// tell has another process tell a story. It returns how that ended.
func tell(t *testing.T, story, dir string, as *syscall.SysProcAttr) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), storyEnv+"="+story, storyDirEnv+"="+dir)
	cmd.SysProcAttr = as
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%s: %s", story, out)
	}
	return err
}

// A limit on the size of files stops writes as a full disk does, everywhere and
// without any right.
func TestFullDisk_NothingIsLostWhereFilesMayNotGrow(t *testing.T) {
	if err := tell(t, "limit", t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
}

// A disk of its own, really full and then really read-only, where the system
// lets a process have one; the other tests here need no right for the same.
func TestFullDisk_NothingIsLostOnASmallDisk(t *testing.T) {
	own := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		own.Cloneflags |= syscall.CLONE_NEWUSER
		own.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		own.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	err := tell(t, "disk", t.TempDir(), own)
	var exit *exec.ExitError
	if errors.Is(err, syscall.EPERM) || errors.As(err, &exit) && exit.ExitCode() == noMount {
		t.Log("this system lets no process have a disk of its own; TestFullDisk_NothingIsLostWhereFilesMayNotGrow and TestReadOnly stand for it")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A folder of somebody else is refused with a sentence and stays as it is.
func TestReadOnly_AForeignFolderStaysAsItIs(t *testing.T) {
	if os.Getuid() != 0 { // a folder that nobody but root may change is always there
		if _, err := openLedger("/usr/lib/referent-test"); !errors.Is(err, storage.ErrReadOnly) {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	written(t, dir)
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if e.IsDir() {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
	if err := errors.Join(err, os.Chmod(filepath.Dir(dir), 0o755)); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	if err := tell(t, "foreign", dir, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}); err != nil {
		t.Fatal(err)
	}
	l, err := openLedger(dir) // its owner goes on
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if l.stored = 5; l.check() != nil {
		t.Fatal(l.check())
	}
}
