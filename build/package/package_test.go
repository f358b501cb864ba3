package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// standIn is a pack of small files: this test program for the program, and
// texts for libraries, models and the font.
func standIn(t *testing.T) pack {
	t.Helper()
	dir := t.TempDir()
	write := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"cpu", "vulkan"} {
		write("runtime/"+name+"/libllama.v0.5.0.so", "llama")
		if err := os.Symlink("libllama.v0.5.0.so", filepath.Join(dir, "runtime", name, "libllama.so")); err != nil {
			t.Fatal(err)
		}
	}
	write("runtime/vulkan/libggml-vulkan.so", "plug-in")
	write("fonts/font.ttf", "font")
	write("pdfium/lock", "")
	write("pdfium/wazero-v1/module", "compiled")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	small := part{Name: "Small", Kind: "model", Licences: []string{"MIT"}, Text: "text"}
	return pack{
		Version: "1.2.3", Time: time.Unix(1_700_000_001, 0).UTC(), Changes: "## 1.2.3\n", Licence: []byte("own licence"), Program: exe, Runtime: filepath.Join(dir, "runtime"),
		// printf model | sha256sum
		Models: []model{{Path: write("models/small.gguf", "model"), SHA256: "9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4", Part: small}},
		Fonts:  filepath.Join(dir, "fonts"), Modules: filepath.Join(dir, "pdfium"), Parts: []part{{Name: "dep", Version: "v1", From: "pkg:golang/dep@v1", Kind: "go", Licences: []string{"MIT"}, Text: "text of dep"}},
	}
}

func TestPackage_TwoBuildsAreTheSameBytes(t *testing.T) {
	p := standIn(t)
	first, second := t.TempDir(), t.TempDir()
	made, err := p.write(first)
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(48 * time.Hour) // the times of the input must not matter
	if err := os.Chtimes(p.Models[0].Path, later, later); err != nil {
		t.Fatal(err)
	}
	if _, err := p.write(second); err != nil {
		t.Fatal(err)
	}
	if len(made) != 5 {
		t.Errorf("made %v", made)
	}
	for _, m := range made {
		a, errA := os.ReadFile(filepath.Join(first, m.name))
		b, errB := os.ReadFile(filepath.Join(second, m.name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) || int64(len(a)) != m.size {
			t.Errorf("%s differs: %v, %v, %d and %d bytes", m.name, errA, errB, len(a), len(b))
		}
	}
}

// members reads an ar archive by the description in ar(5).
func members(t *testing.T, archive []byte) (names []string, bodies [][]byte) {
	t.Helper()
	rest, ok := bytes.CutPrefix(archive, []byte("!<arch>\n"))
	if !ok {
		t.Fatal("no ar archive")
	}
	for len(rest) > 0 {
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || string(rest[58:60]) != "`\n" {
			t.Fatalf("header %q: %v", rest[:60], err)
		}
		names, bodies = append(names, strings.TrimSpace(string(rest[:16]))), append(bodies, rest[60:60+size])
		rest = rest[60+size+size%2:]
	}
	return names, bodies
}

// untar reads an archive into its headers and contents by name.
func untar(t *testing.T, body []byte) (order []*tar.Header, content map[string]string) {
	t.Helper()
	content = map[string]string{}
	r := tar.NewReader(bytes.NewReader(body))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return order, content
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		order, content[h.Name] = append(order, h), string(text)
	}
}

func gunzip(t *testing.T, body []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPackage_DebianPackageHoldsTheProgramAndWhatItNeeds(t *testing.T) {
	p, out := standIn(t), t.TempDir()
	if _, err := p.write(out); err != nil {
		t.Fatal(err)
	}
	archive, err := os.ReadFile(filepath.Join(out, "referent_1.2.3-1_amd64.deb"))
	if err != nil {
		t.Fatal(err)
	}
	names, bodies := members(t, archive)
	if !slices.Equal(names, []string{"debian-binary", "control.tar.gz", "data.tar"}) || string(bodies[0]) != "2.0\n" {
		t.Fatalf("members %q", names)
	}
	_, control := untar(t, []byte(gunzip(t, bodies[1])))
	for _, want := range []string{"Package: referent\n", "Version: 1.2.3-1\n", "Architecture: amd64\n", "libffi8", "libc6 (>= 2."} {
		if !strings.Contains(control["./control"], want) {
			t.Errorf("control lacks %q:\n%s", want, control["./control"])
		}
	}
	order, data := untar(t, bodies[2])
	parents := map[string]bool{"": true}
	for _, h := range order {
		mode, dir := int64(0o644), strings.TrimSuffix(h.Name, "/")
		switch {
		case h.Typeflag == tar.TypeDir, h.Name == "./usr/bin/referent":
			mode = 0o755
		case h.Typeflag == tar.TypeSymlink:
			mode = 0o777
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "root" || h.Mode != mode || !h.ModTime.Equal(p.Time) {
			t.Errorf("%s is of %d:%d %s, mode %o, time %v", h.Name, h.Uid, h.Gid, h.Uname, h.Mode, h.ModTime)
		}
		if up := strings.TrimSuffix(dir[:strings.LastIndex(dir, "/")+1], "/"); !parents[up] {
			t.Errorf("%s comes before its folder", h.Name)
		}
		if h.Typeflag == tar.TypeDir {
			parents[dir] = true
		}
	}
	for name, want := range map[string]string{
		"./usr/share/referent/models/small.gguf": "model", "./usr/share/referent/fonts/font.ttf": "font", "./usr/lib/referent/runtime/cpu/libllama.v0.5.0.so": "llama", "./usr/lib/referent/runtime/vulkan/libggml-vulkan.so": "plug-in",
		"./usr/lib/referent/pdfium/wazero-v1/module": "compiled",
	} {
		if data[name] != want {
			t.Errorf("%s holds %q", name, data[name])
		}
	}
	for _, h := range order {
		switch h.Name {
		case "./usr/lib/referent/runtime/vulkan/libllama.v0.5.0.so":
			if h.Typeflag != tar.TypeLink || h.Linkname != "./usr/lib/referent/runtime/cpu/libllama.v0.5.0.so" {
				t.Errorf("the core is stored twice: %+v", h)
			}
		case "./usr/lib/referent/runtime/cpu/libllama.so":
			if h.Typeflag != tar.TypeSymlink || h.Linkname != "libllama.v0.5.0.so" {
				t.Errorf("the link is %+v", h)
			}
		}
	}
	for line := range strings.Lines(control["./md5sums"]) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		body := data["./"+name]
		if strings.HasSuffix(name, "vulkan/libllama.v0.5.0.so") {
			body = "llama" // a second name has no content of its own
		}
		if got := fmt.Sprintf("%x", md5.Sum([]byte(body))); got != sum {
			t.Errorf("%s has the sum %s, listed %s", name, got, sum)
		}
	}
	man := gunzip(t, []byte(data["./usr/share/man/man1/referent.1.gz"]))
	for _, want := range []string{".TH REFERENT 1 \"2023-11-14\"", ".TP\n.B doctor\nWhat is installed, and what would fail\n", ".TP\n.B conversations\n", ".TP\n.B \\-\\-data string\n"} {
		if !strings.Contains(man, want) {
			t.Errorf("the manual lacks %q:\n%s", want, man)
		}
	}
	for name, want := range map[string]string{"bash-completion/completions/referent": "__start_referent", "zsh/vendor-completions/_referent": "#compdef referent", "fish/vendor_completions.d/referent.fish": "complete -c referent",
		"applications/org.referent.Referent.desktop": "application/pdf;", "metainfo/org.referent.Referent.metainfo.xml": `version="1.2.3" date="2023-11-14"`, "doc/referent/copyright": "text of dep"} {
		if !strings.Contains(data["./usr/share/"+name], want) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
}

func TestPackage_PortableFolderHasEverythingBesideTheProgram(t *testing.T) {
	p, out := standIn(t), t.TempDir()
	if _, err := p.write(out); err != nil {
		t.Fatal(err)
	}
	archive, err := os.ReadFile(filepath.Join(out, "referent-1.2.3-linux-amd64.tar"))
	if err != nil {
		t.Fatal(err)
	}
	_, data := untar(t, archive)
	const root = "referent-1.2.3-linux-amd64/"
	for name, want := range map[string]string{"models/small.gguf": "model", "fonts/font.ttf": "font", "pdfium/wazero-v1/module": "compiled", "runtime/cpu/libllama.v0.5.0.so": "llama", "LICENSE": "own licence", "CHANGELOG.md": "## 1.2.3\n"} {
		if data[root+name] != want {
			t.Errorf("%s holds %q", name, data[root+name])
		}
	}
	if data[root+"referent"] == "" || !strings.Contains(data[root+"NOTICES"], "text of dep") {
		t.Error("the program or its notices are missing")
	}
}

func TestPackage_RefusesAnAlteredModelAndAForbiddenLicence(t *testing.T) {
	p := standIn(t)
	if err := os.WriteFile(p.Models[0].Path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.write(t.TempDir()); err == nil || !strings.Contains(err.Error(), "instead of") {
		t.Errorf("an altered model is packed: %v", err)
	}
	p = standIn(t)
	p.Parts[0].Licences = []string{"GPL"}
	if _, err := p.write(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not on the list") {
		t.Errorf("a forbidden licence is packed: %v", err)
	}
}

func TestPackage_ListNamesEveryPart(t *testing.T) {
	body, err := spdx("1.2.3", time.Unix(1_700_000_001, 0).UTC(), []part{{Name: "a", Version: "v1", From: "pkg:golang/a@v1", Licences: []string{"MIT", "ISC"}}, {Name: "m", SHA256: "00ff", Licences: []string{"MIT"}}})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Version  string `json:"spdxVersion"`
		Creation struct{ Created string }
		Packages []struct {
			Name      string
			Declared  string `json:"licenseDeclared"`
			Checksums []struct {
				Value string `json:"checksumValue"`
			}
		}
		Relationships []struct {
			Kind string `json:"relationshipType"`
			To   string `json:"relatedSpdxElement"`
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != "SPDX-2.3" || len(doc.Packages) != 3 || doc.Packages[1].Declared != "MIT AND ISC" || doc.Packages[2].Checksums[0].Value != "00ff" || len(doc.Relationships) != 3 {
		t.Errorf("the list reads %+v", doc)
	}
}

func TestIcon_IsDrawnFromItsShapes(t *testing.T) {
	drawn, err := icons()
	if err != nil || len(drawn) != len(iconSizes) {
		t.Fatalf("%d icons: %v", len(drawn), err)
	}
	for size, body := range drawn {
		img, err := png.Decode(bytes.NewReader(body))
		if err != nil || img.Bounds().Dx() != size || img.Bounds().Dy() != size {
			t.Fatalf("%d: %v, %v", size, img.Bounds(), err)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
			t.Errorf("%d: the corner is not clear", size)
		}
		// The middle of the left edge's field, 20 of 256 units in, is the ground.
		if r, g, b, a := img.At(size*20/256, size/2).RGBA(); size >= 32 && (r>>8 != 0x1f || g>>8 != 0x4e || b>>8 != 0x5f || a>>8 != 0xff) {
			t.Errorf("%d: the ground is %x %x %x %x", size, r>>8, g>>8, b>>8, a>>8)
		}
	}
	if n := strings.Count(string(iconSVG()), "<rect "); n != len(iconShapes) {
		t.Errorf("the SVG has %d shapes", n)
	}
}

func TestPackedVersion_OfWhatIsNotReleasedComesAfterTheLastRelease(t *testing.T) {
	for text, want := range map[string]string{
		"# Changes\n\n## next\n\n- New.\n\n## 0.1.0\n": "0.1.0+next", "# Changes\n\n## 0.2.0\n\n## next\n": "0.2.0",
		"## 0.2.0\n": "0.2.0", "## next\n": "", "": "",
	} {
		if got, err := packedVersion(text); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestNewestVersion(t *testing.T) {
	for text, want := range map[string]string{"# Changes\n\n## 0.2.0 (soon)\n## 0.1.0\n": "0.2.0", "# Changes\n## next\n": "", "": ""} {
		if got, err := newestVersion(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
