package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"referent/rag"
)

const (
	maxFiles     = 2000     // read of one archive
	maxFileBytes = 64 << 20 // of one file in it, which is held in memory
)

// readArchive reads the files in a ZIP archive, each by the reader of its own
// kind, as parts of one document. The locator's section is the file's path in
// the archive.
func readArchive(ctx context.Context, src *source, opts Options, d *document) error {
	switch {
	case src.ext() != ".zip" && src.ext() != "":
		return unsupported("This kind of file (" + src.ext()[1:] + ") is an archive of a program, which is not read. Unpack it if you need what is in it.")
	case !opts.Archives:
		return unsupported("Archives are not read. Turn on “Read ZIP archives” in the settings and try again, or unpack it.")
	}
	a, err := openArchive(src, opts)
	if err != nil {
		return err
	}
	d.setTitle(fileTitle(src.path), "file_name")
	e := enclosure{ctx: ctx, opts: opts, d: d, what: "file"}
	read, locked := 0, 0
	for _, f := range a.zip.File {
		if d.full {
			break
		}
		name := partName(oneLine(cleanText(validText([]byte(f.Name)))))
		if strings.HasSuffix(f.Name, "/") || leftOut(name) || a.parts[partName(f.Name)] != f { // a second one of a name is never reached
			continue
		}
		if read++; read > maxFiles {
			e.unread = append(e.unread, fmt.Sprintf("Only the first %d files were read.", maxFiles))
			break
		}
		content, err := a.content(f.Name)
		var p *problem
		switch {
		case errors.As(err, &p) && p.status == rag.FileNeedsPassword:
			locked++
			e.refuse(name, p.reason)
			continue
		case errors.As(err, &p):
			return err // the archive as a whole is too much
		case err != nil:
			e.refuse(name, "It is damaged.")
			continue
		case len(content) > maxFileBytes:
			e.refuse(name, "It has more than "+bytesText(maxFileBytes)+".")
			continue
		}
		d.path, d.levels = nil, nil
		if err := e.read(name, content, 1, func(l rag.Locator) rag.Locator { return rag.Locator{Section: placeIn(name, l)} }); err != nil {
			return err
		}
	}
	if read > 0 && locked == read {
		return needsPassword("This archive is protected by a password. Unpack it to have the files in it read.")
	}
	e.tell()
	return nil
}

// content unpacks a file, up to a byte more than is read of one.
func (a *archive) content(name string) ([]byte, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxFileBytes+1))
}

// leftOut tells what systems and programs add to archives.
func leftOut(name string) bool {
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(path.Base(name), ".") || path.Base(name) == "Thumbs.db"
}
