package extract

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// sheetsInMemory is the size up to which a sheet or the table of its strings is
// held in memory; larger ones are streamed from a file.
const sheetsInMemory = 2 << 20

// sheetFolder makes a private folder for the parts of one workbook, and takes
// away those that a killed worker left behind: no file is read for an hour.
func sheetFolder() (dir string, remove func(), err error) {
	const pattern = "referent-sheets-*"
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), pattern)) // the pattern is well formed
	for _, o := range old {
		if info, err := os.Stat(o); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.RemoveAll(o)
		}
	}
	dir, err = os.MkdirTemp("", pattern)
	return dir, func() { os.RemoveAll(dir) }, err
}

// openBook copies the parts that hold cells, still packed, into a workbook of
// their own with the usual names, and opens it. So a file may keep its parts
// anywhere, its pictures cost nothing, and every byte that is unpacked later has
// been counted here.
func (a *archive) openBook(b *workbook, dir string) (*excelize.File, error) {
	path := filepath.Join(dir, "book.xlsx")
	if err := a.writeBook(b, path); err != nil {
		return nil, err
	}
	return excelize.OpenFile(path, excelize.Options{TmpDir: dir, UnzipSizeLimit: maxArchiveBytes, UnzipXMLSizeLimit: sheetsInMemory})
}

func (a *archive) writeBook(b *workbook, path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	z := zip.NewWriter(file)
	rels := relationsPart{z: z}
	rels.add("rId0", "officeDocument", "xl/workbook.xml")
	if err := rels.write("_rels/.rels"); err != nil {
		return err
	}
	if err := a.copyPart(z, b.main, "xl/workbook.xml", io.Discard); err != nil {
		return err
	}
	for _, r := range b.rels {
		name := map[string]string{"sharedStrings": "sharedStrings.xml", "styles": "styles.xml", "theme": "theme/theme1.xml"}[r.kind]
		if name == "" {
			continue
		}
		rels.add(r.id, r.kind, name)
		var err error
		if r.kind == "styles" {
			err = a.writeStyles(z, r.target, "xl/"+name)
		} else {
			err = a.copyPart(z, r.target, "xl/"+name, io.Discard)
		}
		if err != nil {
			return err
		}
	}
	for i := range b.sheets {
		s := &b.sheets[i]
		name := "worksheets/sheet" + strconv.Itoa(i+1) + ".xml"
		for _, r := range b.rels {
			if r.kind == "worksheet" && r.target == s.part {
				rels.add(r.id, r.kind, name)
			}
		}
		var merges mergeFinder
		if err := a.copyPart(z, s.part, "xl/"+name, &merges); err != nil {
			return err
		}
		s.merges = merges.sorted()
	}
	if err := rels.write("xl/_rels/workbook.xml.rels"); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return file.Close()
}

// copyPart copies a packed part under a new name; what it unpacks to is counted
// and shown to seen on the way. A part that is missing is left out.
func (a *archive) copyPart(z *zip.Writer, from, to string, seen io.Writer) error {
	part, err := a.open(from)
	if part == nil || err != nil {
		return err
	}
	defer part.Close()
	if _, err := io.Copy(seen, part); err != nil {
		return err
	}
	f := a.parts[partName(from)]
	header := f.FileHeader
	header.Name = to
	w, err := z.CreateRaw(&header)
	if err != nil {
		return err
	}
	packed, err := f.OpenRaw()
	if err != nil {
		return err
	}
	_, err = io.Copy(w, packed)
	return err
}

// relationsPart writes a part of relationships.
type relationsPart struct {
	z     *zip.Writer
	lines []string
}

func (r *relationsPart) add(id, kind, target string) {
	var safe strings.Builder
	_ = xml.EscapeText(&safe, []byte(id)) // a strings.Builder does not fail
	r.lines = append(r.lines, `<Relationship Id="`+safe.String()+`" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`+kind+`" Target="`+target+`"/>`)
}

func (r *relationsPart) write(name string) error {
	w, err := r.z.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+strings.Join(r.lines, "")+`</Relationships>`)
	r.lines = nil
	return err
}
