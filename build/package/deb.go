package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"
)

// A Debian package is an ar archive of three members in this order: its format,
// the control files, the data. See deb(5). The data member is a plain tar.

// writeDeb writes the package. control holds the files of the control archive
// without md5sums, which is made here.
func writeDeb(name string, control, data tree, at time.Time) (err error) {
	sums, err := md5sums(data)
	if err != nil {
		return err
	}
	control.put("md5sums", 0o644, sums)
	var head bytes.Buffer
	if err := control.writeTar(&head, "./", at); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	if _, err := io.WriteString(f, "!<arch>\n"); err != nil {
		return err
	}
	for _, m := range []struct {
		name string
		fill func(io.Writer) error
	}{
		{"debian-binary", func(w io.Writer) error { _, err := io.WriteString(w, "2.0\n"); return err }},
		{"control.tar.gz", func(w io.Writer) error { return compress(w, head.Bytes()) }},
		{"data.tar", func(w io.Writer) error { return data.writeTar(w, "./", at) }},
	} {
		if err := writeMember(f, m.name, at, m.fill); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// memberHead is the length of the header before each member of an ar archive.
const memberHead = 60

// writeMember writes one member; its length goes into the header afterwards.
func writeMember(f *os.File, name string, at time.Time, fill func(io.Writer) error) error {
	start, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := f.Write(make([]byte, memberHead)); err != nil {
		return err
	}
	if err := fill(f); err != nil {
		return err
	}
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	size := end - start - memberHead
	head := fmt.Sprintf("%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, at.Unix(), 0, 0, "100644", size)
	if len(head) != memberHead {
		return fmt.Errorf("a member of %d bytes does not fit into the archive", size)
	}
	if _, err := f.WriteAt([]byte(head), start); err != nil {
		return err
	}
	if size%2 == 1 { // members begin at even places
		_, err = f.Write([]byte("\n"))
	}
	return err
}

// compress writes gzip without a name or a time.
func compress(w io.Writer, body []byte) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(body); err != nil {
		return err
	}
	return z.Close()
}

func compressed(text string) ([]byte, error) {
	var out bytes.Buffer
	err := compress(&out, []byte(text))
	return out.Bytes(), err
}

// md5sums lists every file with its sum, as dpkg --verify reads it.
func md5sums(data tree) ([]byte, error) {
	sums := map[string]string{}
	var out bytes.Buffer
	for _, e := range data.sorted() {
		switch e.kind {
		case tar.TypeReg:
			h := md5.New()
			if err := copyInto(h, e); err != nil {
				return nil, err
			}
			sums[e.path] = fmt.Sprintf("%x", h.Sum(nil))
		case tar.TypeLink:
			sums[e.path] = sums[e.link]
		default:
			continue
		}
		fmt.Fprintf(&out, "%s  %s\n", sums[e.path], e.path)
	}
	return out.Bytes(), nil
}

// installedSize is in KiB, each entry rounded up, as Debian policy 5.6.20 says.
func installedSize(data tree) int64 {
	kib := int64(0)
	for _, e := range data.sorted() {
		switch e.kind {
		case tar.TypeReg:
			kib += (e.size + 1023) / 1024
		case tar.TypeLink:
		default:
			kib++
		}
	}
	return kib
}

// controlFile is the head of the package that apt reads.
func controlFile(version string, data tree, needs []string) string {
	return "Package: referent\n" +
		"Version: " + version + "\n" +
		"Architecture: amd64\n" +
		"Maintainer: " + maintainer + "\n" +
		fmt.Sprintf("Installed-Size: %d\n", installedSize(data)) +
		"Depends: " + strings.Join(append([]string{"debconf (>= 0.5) | debconf-2.0"}, needs...), ", ") + "\n" +
		"Recommends: libvulkan1, mesa-vulkan-drivers, xdg-utils\n" +
		"Suggests: tesseract-ocr, gnome-keyring\n" +
		"Section: text\n" +
		"Priority: optional\n" +
		"Description: answers questions from your own documents, offline\n" +
		" Referent reads the folders you choose, remembers the conversation, and answers\n" +
		" with citations that it checks. It shows what it searched for and what its\n" +
		" model saw. Models run on your own processor or graphics card; nothing leaves\n" +
		" the computer.\n" +
		" .\n" +
		" The package brings a language model, a model for search by meaning and the\n" +
		" libraries that run them, so that the program works without a network.\n"
}

// docs is where a Debian package keeps its papers.
func docs(name string) string { return path.Join("usr/share/doc/referent", name) }
