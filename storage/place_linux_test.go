package storage

import "testing"

func TestNetworkMount(t *testing.T) {
	const mounts = `22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw
30 22 0:26 / /home/a/share\040one rw,nosuid - fuse.sshfs host:/x rw
31 22 0:27 / /home/a/stick rw - fuseblk /dev/sdb1 rw
32 22 0:28 / /home/a/vault rw - fuse.gocryptfs gocryptfs rw
33 22 0:29 / /home/a/share\040one/inner rw - ext4 /dev/sdc rw
34 22 0:30 / /run/user/1/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
`
	for path, want := range map[string]string{
		"/home/a": "", "/home/a/share one": "sshfs", "/home/a/share one/data": "sshfs", "/home/a/share one/inner/data": "",
		"/home/a/share oneself": "", "/home/a/stick/data": "", "/home/a/vault": "", "/run/user/1/gvfs/smb-share:x": "gvfsd-fuse",
	} {
		if got := networkMount(mounts, path); got != want {
			t.Errorf("%s is on %q, want %q", path, got, want)
		}
	}
}

func TestTemporaryFolderIsLocal(t *testing.T) {
	if got := NetworkFileSystem(t.TempDir()); got != "" {
		t.Errorf("the temporary folder is on %s", got)
	}
}
