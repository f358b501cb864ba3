package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExport_JSONComesBackAsTheSameConversation(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("ask", howLong)
	text := d.ok("conversations", "export", "1", "--format", "json")
	if out := d.ok("conversations", "import", d.write("taken.json", text)); !strings.Contains(out, howLong) {
		t.Errorf("%q", out)
	}
	d.Stdin = text
	d.ok("conversations", "import", "-")
	first, second, third := d.ok("conversations", "export", "1"), d.ok("conversations", "export", "2"), d.ok("conversations", "export", "3")
	if first != second || first != third {
		t.Errorf("exported %q, imported %q and %q", first, second, third)
	}
	if !strings.HasPrefix(first, "# "+howLong+"\n\n## "+howLong+"\n\n") || !strings.Contains(first, " · Searched for: "+howLong) ||
		!strings.Contains(first, "\nSources\n\n- [1] Harlow Bridge") || !strings.Contains(first, "bridge.md)\n") {
		t.Errorf("%s", first)
	}
}

func TestImport_WhatIsNoExportIsRefusedBeforeTheLibraryIsOpened(t *testing.T) {
	d := newDesk(t)
	folder := filepath.Join(d.dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"no JSON": d.write("a.json", "hello"), "another JSON": d.write("b.json", `{"turns":[]}`), "nothing": filepath.Join(d.dir, "none.json"), "a folder": folder,
	} {
		if o := d.run("conversations", "import", path); o.code == exitDone || !sentence(o.stderr) || o.stdout != "" || d.opens > 0 {
			t.Errorf("%s: code %d, %q", name, o.code, o.stderr)
		}
	}
}
