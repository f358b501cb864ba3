package launch

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestParse_WordsThatArePathsOpenTheWindow(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lease of Ada.pdf")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	t.Chdir(dir)
	if err := os.Mkdir("ask", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want Window
		ok   bool
	}{
		{nil, Window{}, true},
		{[]string{"--data", "x"}, Window{dir: "x"}, true},
		{[]string{"--data", "x", file, dir}, Window{dir: "x", paths: []string{file, dir}}, true},
		{[]string{address}, Window{paths: []string{file}}, true},
		{[]string{"./ask"}, Window{paths: []string{filepath.Join(dir, "ask")}}, true},
		{[]string{"--action", "new_chat"}, Window{action: "new_chat"}, true},
		{[]string{"--action", "erase"}, Window{}, false},
		{[]string{"ask"}, Window{}, false}, // a command, also where a folder has its name
		{[]string{filepath.Join(dir, "missing.pdf")}, Window{}, false},
		{[]string{file, "ask"}, Window{}, false},
		{[]string{"--help"}, Window{}, false},
		{[]string{"file://other.host" + file}, Window{}, false},
	} {
		got, ok := Parse(test.args)
		if ok != test.ok || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: %+v, %v", test.args, got, ok)
		}
		if ok && test.want.dir != "" { // a start again asks for the same
			if again, ok := Parse(got.args()); !ok || !reflect.DeepEqual(again, got) {
				t.Errorf("%q again: %+v, %v", test.args, again, ok)
			}
		}
	}
}
