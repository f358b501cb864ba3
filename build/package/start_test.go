//go:build package

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// act is one thing asked of the window, as screenreader.py reads it: "see" or
// "press" with a role and a name, "text" with words, "run" with a command.
type act []string

const data = "/home/cyd/.local/share/referent"

// library makes a library of cyd with one document; sound brings it back.
const (
	library = `cd /home/cyd; runuser -u cyd -- sh -c 'mkdir Papers; printf "# Mill\n\nThe mill wheel turns at dawn.\n" > Papers/mill.md; referent add Papers; referent sync'; cp -a ` + data + ` /root/sound`
	sound   = "rm -rf " + data + "; cp -a /root/sound " + data
)

// troubled are the ways in which a start goes wrong, what the window of the
// installed program says, and how a person gets out of it.
var troubled = []struct {
	name    string
	outside string // run before the root is entered, which is $0
	before  string // run as root in it, as are watchers that repair
	acts    []act
}{
	{name: "three crashes in a row", before: sound + "; echo 3 > " + data + "/starts", acts: []act{
		{"text", "Referent ended unexpectedly 3 times in a row, so it started carefully"}, {"press", "push button", "Dismiss"}, {"see", "entry", "Question"}}},
	{name: "a stored setting that is none", before: sound + `; python3 -c "
import sqlite3
with sqlite3.connect('` + data + `/chats.db') as d: d.execute('insert or replace into settings(key, value) values (?, ?)', ('chat.engine', 'nonsense'))"`, acts: []act{
		{"press", "push button", "Settings"}, {"text", `The stored value "nonsense" is not allowed and was ignored.`}, {"press", "push button", "Reset Chat engine"}}},
	{name: "a damaged index", before: sound + "; echo this is no database > " + data + "/index.db; rm -f " + data + "/index.db-*", acts: []act{
		{"text", "A file of the data folder is damaged."}, {"press", "push button", "Begin with a new index"}, {"press", "push button", "Set aside and begin"}, {"see", "push button", "Open chat"}}},
	{name: "damaged conversations", before: sound + "; cp " + data + "/chats.db /tmp/kept; chmod 644 /tmp/kept; echo this is no database > " + data + "/chats.db; rm -f " + data + "/chats.db-*", acts: []act{
		{"text", "A file of the data folder is damaged."}, {"text", "It is the file with your conversations and settings."}, {"see", "push button", "Choose another data folder"},
		{"run", "cp", "/tmp/kept", data + "/chats.db"}, {"press", "push button", "Try again"}, {"see", "landmark", "Views"}}},
	{name: "no model", before: sound + "; mv /usr/share/referent/models /usr/share/referent/away", acts: []act{
		{"text", "no model yet"}, {"press", "push button", "Models"}, {"see", "push button", "Import a file"},
		{"run", "referent", "search", "--retriever", "bm25", "mill"}}},
	{name: "the models are back, and no driver of a graphics card", before: "mv /usr/share/referent/away /usr/share/referent/models", acts: []act{
		{"press", "push button", "Models"}, {"see", "heading", "Models"}, {"run", "sh", "-c", "referent doctor | grep -q 'No GPU was found; models run on the processor.'"}}},
	{name: "a full disk", outside: `mkdir -p "$0` + data + `"; mount -t tmpfs -o size=64m,mode=700,uid=1002,gid=1002 none "$0` + data + `"`,
		before: "runuser -u cyd -- sh -c 'cat /dev/zero > " + data + "/filler' 2> /dev/null || true", acts: []act{
			{"text", "The disk is full."}, {"text", "Free some space, then try again."}, {"run", "rm", data + "/filler"},
			{"press", "push button", "Try again"}, {"see", "push button", "Skip set-up"}}},
	{name: "a data folder of somebody else", before: sound + "; rm -f /tmp/repair; chown -R root: " + data + "; (until [ -e /tmp/repair ]; do sleep 0.1; done; chown -R cyd: " + data + ") & :", acts: []act{
		{"text", "The data folder cannot be written."}, {"text", "Check that the folder belongs to you"},
		{"run", "sh", "-c", "touch /tmp/repair; until [ -w " + data + "/chats.db ]; do sleep 0.1; done"}, {"press", "push button", "Try again"}, {"see", "landmark", "Views"}}},
	{name: "data of a newer version", before: sound + `; python3 -c "
import sqlite3
d = sqlite3.connect('` + data + `/index.db'); d.execute('pragma user_version = 999'); d.close()"; ` + sums(data) + " > /tmp/before", acts: []act{
		{"text", "The file index.db was written by a newer version of Referent."}, {"see", "push button", "Choose another data folder"},
		{"run", "sh", "-c", sums(data) + " | diff /tmp/before - >&2"}}},
}

// sums is a command that prints what is in a folder: every name and the content
// of every file, but what WebKit keeps of pages.
func sums(folder string) string {
	return "(cd " + folder + "; find . ! -path './localstorage*' ! -path './mediakeys*' ! -path './storage*' ! -name 'hsts-*' | LC_ALL=C sort | while read -r f; do if [ -f $f ]; then sha256sum $f; else echo $f; fi; done)"
}

// startsInTrouble starts the window of the installed program in each trouble.
func (c *clean) startsInTrouble() {
	c.t.Helper()
	c.t.Log("starts that go wrong")
	c.put("tmp/screenreader.py", filepath.Join("..", "..", "app", "desktop", "testdata", "screenreader.py"))
	c.write("tmp/window", `exec xvfb-run -a -s "-screen 0 1280x900x24" dbus-run-session -- /usr/bin/python3 /tmp/screenreader.py referent < /tmp/acts 2> /tmp/said`)
	c.root(false, library)
	for _, s := range troubled {
		var lines strings.Builder
		for _, a := range append(s.acts, act{"tree"}) {
			line, err := json.Marshal(map[string][]string{a[0]: a[1:]})
			if err != nil {
				c.t.Fatal(err)
			}
			lines.Write(append(line, '\n'))
		}
		c.write("tmp/acts", lines.String())
		script := "cd /home/cyd; export HOME=/home/cyd; { " + s.before + "; } > /tmp/prepared 2>&1; : > /tmp/said; chmod 666 /tmp/said; " + asPerson("cyd") + " sh /tmp/window || true"
		out, err := c.within(false, s.outside, script)
		if err != nil {
			c.t.Errorf("%s: %v\n%s", s.name, err, out)
			continue
		}
		answers := strings.Split(strings.TrimSpace(out), "\n")
		for i, a := range s.acts {
			if i >= len(answers) || answers[i] != "true" {
				c.t.Errorf("%s: %q is not there:\n%s\n%s", s.name, a, out, c.root(false, "cat /tmp/said"))
				break
			}
		}
	}
}
