package main

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed files/org.referent.Referent.desktop files/org.referent.Referent.metainfo.xml files/postrm files/templates files/lintian-overrides
var files embed.FS

var versionForm = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)

// pack is what packages are made of.
type pack struct {
	Version string
	Time    time.Time
	Changes string // the change log
	Licence []byte // text of our own
	Program string // path
	Runtime string // folder with the folders cpu and vulkan
	Models  []model
	Fonts   string
	Modules string // folder with the compiled module of the PDF reader, see compileModules
	Parts   []part // without models
}

// product is a file that was written.
type product struct {
	name string
	size int64
}

// write makes everything in the folder out.
func (p pack) write(out string) ([]product, error) {
	parts := slices.Clone(p.Parts)
	for _, m := range p.Models {
		parts = append(parts, m.Part)
	}
	if err := check(parts); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	data, needs, err := p.debian(parts)
	if err != nil {
		return nil, err
	}
	control := tree{}
	control.put("control", 0o644, []byte(controlFile(p.Version+"-1", data, needs)))
	control.put("postrm", 0o755, p.file("postrm"))
	control.put("templates", 0o644, p.file("templates"))
	deb := fmt.Sprintf("referent_%s-1_amd64.deb", p.Version)
	if err := writeDeb(filepath.Join(out, deb), control, data, p.Time); err != nil {
		return nil, err
	}
	folder := fmt.Sprintf("referent-%s-linux-amd64", p.Version)
	if err := p.writePortable(filepath.Join(out, folder+".tar"), folder, parts); err != nil {
		return nil, err
	}
	list, err := spdx(p.Version, p.Time, parts)
	if err != nil {
		return nil, err
	}
	names := []string{deb, folder + ".tar"}
	for name, body := range map[string][]byte{folder + ".spdx.json": list, folder + ".notices.txt": copyright(parts)} {
		if err := os.WriteFile(filepath.Join(out, name), body, 0o644); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return writeSums(out, names)
}

// file reads an embedded file and fills in what changes.
func (p pack) file(name string) []byte {
	body, err := files.ReadFile(path.Join("files", name))
	if err != nil {
		panic(err) // the name is a constant of this package
	}
	return []byte(strings.NewReplacer("@VERSION@", p.Version, "@DATE@", p.Time.Format(time.DateOnly), "@MIME@", strings.Join(mimeTypes, ";")+";").Replace(string(body)))
}

// bring adds what the program needs beside it: libraries, models, the font, the
// compiled module.
func (p pack) bring(t tree, libraries, share string) error {
	for _, name := range []string{"cpu", "vulkan"} {
		if err := t.takeFolder(path.Join(libraries, "runtime", name), filepath.Join(p.Runtime, name)); err != nil {
			return err
		}
	}
	if err := t.share(path.Join(libraries, "runtime")); err != nil {
		return err
	}
	for _, m := range p.Models {
		if err := same(m.Path, m.SHA256); err != nil {
			return err
		}
		if err := t.take(path.Join(share, "models", filepath.Base(m.Path)), 0o644, m.Path); err != nil {
			return err
		}
	}
	if err := p.bringModules(t, path.Join(libraries, "pdfium")); err != nil {
		return err
	}
	return t.takeFolder(path.Join(share, "fonts"), p.Fonts)
}

// debian lays the program out as the Filesystem Hierarchy Standard says.
func (p pack) debian(parts []part) (data tree, needs []string, err error) {
	data = tree{}
	if err := data.take("usr/bin/referent", 0o755, p.Program); err != nil {
		return nil, nil, err
	}
	if err := p.bring(data, "usr/lib/referent", "usr/share/referent"); err != nil {
		return nil, nil, err
	}
	wants, err := inspect(data)
	if err != nil {
		return nil, nil, err
	}
	if needs, err = wants.depends(); err != nil {
		return nil, nil, err
	}
	data.put("usr/share/applications/"+appID+".desktop", 0o644, p.file(appID+".desktop"))
	data.put("usr/share/metainfo/"+appID+".metainfo.xml", 0o644, p.file(appID+".metainfo.xml"))
	data.put("usr/share/lintian/overrides/referent", 0o644, p.file("lintian-overrides"))
	data.put("usr/share/icons/hicolor/scalable/apps/"+appID+".svg", 0o644, iconSVG())
	drawn, err := icons()
	if err != nil {
		return nil, nil, err
	}
	for size, icon := range drawn {
		data.put(fmt.Sprintf("usr/share/icons/hicolor/%dx%d/apps/%s.png", size, size, appID), 0o644, icon)
	}
	for shell, at := range map[string]string{
		"bash": "usr/share/bash-completion/completions/referent", "zsh": "usr/share/zsh/vendor-completions/_referent", "fish": "usr/share/fish/vendor_completions.d/referent.fish",
	} {
		text, err := output(p.Version, "completion", shell)
		if err != nil {
			return nil, nil, err
		}
		data.put(at, 0o644, []byte(text))
	}
	help, err := output(p.Version, "--help")
	if err != nil {
		return nil, nil, err
	}
	for at, text := range map[string]string{
		"usr/share/man/man1/referent.1.gz": manPage(p.Version, p.Time, help),
		docs("changelog.gz"):               p.Changes,
		docs("changelog.Debian.gz"):        debianChanges(p.Version, p.Time),
	} {
		body, err := compressed(text)
		if err != nil {
			return nil, nil, err
		}
		data.put(at, 0o644, body)
	}
	data.put(docs("copyright"), 0o644, copyright(parts))
	return data, needs, nil
}

// writePortable writes the folder that runs from anywhere.
func (p pack) writePortable(name, folder string, parts []part) (err error) {
	data := tree{}
	if err := data.take("referent", 0o755, p.Program); err != nil {
		return err
	}
	if err := p.bring(data, "", ""); err != nil {
		return err
	}
	data.put("LICENSE", 0o644, p.Licence)
	data.put("NOTICES", 0o644, copyright(parts))
	data.put("CHANGELOG.md", 0o644, []byte(p.Changes))
	data.put("README", 0o644, []byte(portableReadme))
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return data.writeTar(f, folder+"/", p.Time)
}

const portableReadme = `Start "referent" in this folder. It finds its models beside it and may lie in a
place that cannot be written. Your libraries and conversations are kept in
~/.local/share/referent, or where you say:

    ./referent --data /media/stick/referent-data

The system must have GTK 3, WebKitGTK 4.1 and libffi 8. On Debian 12 and Ubuntu
22.04 and newer:

    apt install libgtk-3-0 libwebkit2gtk-4.1-0 libffi8
`

// debianChanges is the change log in Debian's form; ours has the details.
func debianChanges(version string, at time.Time) string {
	return fmt.Sprintf("referent (%s-1) unstable; urgency=medium\n\n  * Version %s. See changelog.gz.\n\n -- %s  %s\n", version, version, maintainer, at.Format(time.RFC1123Z))
}

// same compares a file with its hash.
func same(name, want string) error {
	got, err := sum(name)
	if err == nil && got != want {
		err = fmt.Errorf("%s has the SHA-256 %s instead of %s", name, got, want)
	}
	return err
}

func sum(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// writeSums writes SHA256SUMS, as sha256sum --check reads it, and lists what
// there is.
func writeSums(out string, names []string) ([]product, error) {
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		hash, err := sum(filepath.Join(out, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "%s  %s\n", hash, name)
	}
	if err := os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(text.String()), 0o644); err != nil {
		return nil, err
	}
	var made []product
	for _, name := range append(names, "SHA256SUMS") {
		info, err := os.Stat(filepath.Join(out, name))
		if err != nil {
			return nil, err
		}
		made = append(made, product{name, info.Size()})
	}
	return made, nil
}
