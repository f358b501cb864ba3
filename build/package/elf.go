package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// newestGLIBC is the C library of the oldest system that is promised, Ubuntu
// 22.04. A symbol of a later one would keep the program from starting there.
const newestGLIBC = "2.35"

// packageOf says which Debian package a library comes with. Empty: it comes
// with another one of the list, or the program works without it.
var packageOf = map[string]string{
	"libc.so.6": "libc6", "libm.so.6": "libc6", "libdl.so.2": "libc6", "libpthread.so.0": "libc6", "libresolv.so.2": "libc6", "librt.so.1": "libc6", "ld-linux-x86-64.so.2": "libc6",
	"libstdc++.so.6": "libstdc++6", "libgcc_s.so.1": "", // with libstdc++6
	"libgtk-3.so.0": "libgtk-3-0", "libgdk-3.so.0": "libgtk-3-0",
	"libwebkit2gtk-4.1.so.0": "libwebkit2gtk-4.1-0",
	// Both bring these.
	"libgio-2.0.so.0": "", "libglib-2.0.so.0": "", "libgobject-2.0.so.0": "", "libgdk_pixbuf-2.0.so.0": "", "libcairo.so.2": "", "libcairo-gobject.so.2": "", "libpango-1.0.so.0": "", "libpangocairo-1.0.so.0": "",
	"libatk-1.0.so.0": "", "libharfbuzz.so.0": "", "libsoup-3.0.so.0": "", "libjavascriptcoregtk-4.1.so.0": "", "libz.so.1": "",
	// Only the Vulkan plug-in wants it; without it models run on the processor.
	"libvulkan.so.1": "",
}

// standardLibrary says which release of GCC brought a version of libstdc++.
// See gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html.
var standardLibrary = []struct{ symbols, gcc string }{{"3.4.28", "9"}, {"3.4.29", "11"}, {"3.4.30", "12"}, {"3.4.31", "13"}, {"3.4.32", "13.2"}, {"3.4.33", "14"}}

// linked is what the program and its libraries want of a system.
type linked struct {
	libraries map[string]bool // file names that nothing in the package satisfies
	glibc     string          // newest version of a symbol, "2.34"
	glibcxx   string          // of libstdc++, "3.4.30"
}

// inspect reads every ELF file of a tree.
func inspect(t tree) (linked, error) {
	out := linked{libraries: map[string]bool{}, glibc: "2.0", glibcxx: "3.4"}
	own := map[string]bool{}
	for name := range t {
		own[name[strings.LastIndexByte(name, '/')+1:]] = true
	}
	for _, e := range t.sorted() {
		if e.kind != tar.TypeReg {
			continue
		}
		if err := out.add(e, own); err != nil {
			return out, fmt.Errorf("%s: %w", e.path, err)
		}
	}
	return out, nil
}

func (l *linked) add(e entry, own map[string]bool) error {
	var at io.ReaderAt = bytes.NewReader(e.body)
	if e.from != "" {
		f, err := os.Open(e.from)
		if err != nil {
			return err
		}
		defer f.Close()
		at = f
	}
	magic := make([]byte, 4)
	if n, _ := at.ReadAt(magic, 0); n < 4 || string(magic) != elf.ELFMAG {
		return nil
	}
	f, err := elf.NewFile(at)
	if err != nil {
		return err
	}
	names, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !own[name] {
			l.libraries[name] = true
		}
	}
	needs, err := f.DynamicVersionNeeds()
	if err != nil {
		return err
	}
	for _, n := range needs {
		for _, d := range n.Needs {
			if v, ok := strings.CutPrefix(d.Dep, "GLIBC_"); ok && v != "PRIVATE" && v != "ABI_DT_RELR" && newer(v, l.glibc) {
				l.glibc = v
			}
			if v, ok := strings.CutPrefix(d.Dep, "GLIBCXX_"); ok && newer(v, l.glibcxx) {
				l.glibcxx = v
			}
		}
	}
	return nil
}

// depends turns what is linked into the packages that are needed. libffi8 is
// opened while running, so that no header names it.
func (l linked) depends() ([]string, error) {
	if newer(l.glibc, newestGLIBC) {
		return nil, fmt.Errorf("a symbol of GLIBC %s is used; %s is the newest that every promised system has", l.glibc, newestGLIBC)
	}
	gcc := ""
	for _, s := range standardLibrary {
		if gcc == "" && !newer(l.glibcxx, s.symbols) {
			gcc = s.gcc
		}
	}
	if gcc == "" || newer(gcc, "12") { // Ubuntu 22.04 has 12
		return nil, fmt.Errorf("a symbol of libstdc++ %s is used, which not every promised system has", l.glibcxx)
	}
	found := map[string]bool{"libffi8": true}
	for name := range l.libraries {
		from, ok := packageOf[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the library %s is used, and no dependency brings it", name)
		case from == "libc6":
			from += " (>= " + l.glibc + ")"
		case from == "libstdc++6":
			from += " (>= " + gcc + ")"
		}
		if from != "" {
			found[from] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// newer compares versions of numbers and dots.
func newer(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		var p, q int
		if i < len(x) {
			p, _ = strconv.Atoi(x[i]) // no number counts as 0
		}
		if i < len(y) {
			q, _ = strconv.Atoi(y[i])
		}
		if p != q {
			return p > q
		}
	}
	return false
}
