package storage

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// networkMagic are numbers of statfs(2), from linux/magic.h and the sources of
// the file systems.
var networkMagic = map[uint32]string{
	0x6969: "NFS", 0x517B: "SMB", 0xFF534D42: "CIFS", 0xFE534D42: "SMB", 0x01021997: "9p", 0x5346414F: "AFS",
	0x00C36400: "Ceph", 0x73757245: "Coda", 0x564C: "NCP", 0x0BD00BD0: "Lustre", 0x01161970: "GFS2", 0x7461636F: "OCFS2",
}

const fuseMagic = 0x65735546

// networkFUSE are FUSE programs that reach over a network; others (ntfs-3g,
// encrypted folders) are local disks.
var networkFUSE = []string{"sshfs", "rclone", "gvfsd", "davfs", "s3fs", "goofys", "gcsfuse", "onedriver", "google-drive", "glusterfs", "curlftpfs", "cifs"}

// NetworkFileSystem names the network file system that path lies on; empty for
// a local disk or when it cannot be told.
func NetworkFileSystem(path string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return ""
	}
	magic := uint32(st.Type) // the kernel's field is wider than the number on some systems, and signed
	if magic != fuseMagic {
		return networkMagic[magic]
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return networkMount(string(mounts), path)
}

// networkMount finds the innermost mount of path in the text of mountinfo and
// names it if it is a FUSE program that reaches over a network.
func networkMount(mountinfo, path string) string {
	best, kind := "", ""
	for line := range strings.Lines(mountinfo) {
		before, after, ok := strings.Cut(line, " - ")
		fields, rest := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(rest) < 1 {
			continue
		}
		mount := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(fields[4])
		inside := path == mount || mount == "/" || strings.HasPrefix(path, mount+"/")
		if inside && len(mount) >= len(best) { // a later mount hides an earlier one
			best, kind = mount, rest[0]
		}
	}
	for _, n := range networkFUSE {
		if strings.HasPrefix(kind, "fuse.") && strings.Contains(kind, n) {
			return strings.TrimPrefix(kind, "fuse.")
		}
	}
	return ""
}
