//go:build package

package main

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// built is a file that the lane, or `make package`, has made.
func built(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "bin", "package", pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("`make package-check` makes the packages first: %v %v", found, err)
	}
	return found[0]
}

// older is a package of an earlier version with small stand-ins for models.
func older(t *testing.T) string {
	t.Helper()
	p, out := standIn(t), t.TempDir()
	p.Version, p.Program = "0.0.1", filepath.Join("..", "bin", "referent")
	if _, err := p.write(out); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out, "referent_0.0.1-1_amd64.deb")
}

// The life of the package on a clean Debian: installed, used without a network
// in the terminal and in the window, gone back from, removed, purged.
func TestInstall_OnACleanDebian(t *testing.T) {
	small := older(t)
	c := newClean(t, small)
	c.put("tmp/old.deb", small)
	c.take("tmp/new.deb", built(t, "referent_*_amd64.deb"))
	c.upgrade()
	c.looksAtRights()
	c.doesTheMainJob()
	c.startsInTrouble()
	c.goesBack()
	c.isRemoved()
	c.runsFromAnywhere()
}

func (c *clean) upgrade() {
	c.t.Helper()
	c.t.Log("an older version, and data of older versions")
	c.root(false, "apt-get install -y --no-install-recommends /tmp/old.deb") // no network: what it needs is in the cache of apt
	for _, home := range []struct{ name, version string }{{"ada", "v0.1.0"}, {"bea", "v0.1.0-draft"}} {
		for _, file := range []string{"chats.db", "index.db"} {
			c.put("home/"+home.name+"/.local/share/referent/"+file, filepath.Join("..", "..", "testdata", "migrations", home.version, file))
		}
		c.root(false, "chown -R "+home.name+": /home/"+home.name+"; chmod 700 /home/"+home.name+"/.local/share/referent")
	}

	c.t.Log("the upgrade keeps them, and makes a copy before it changes one")
	began := time.Now()
	c.root(false, "apt-get install -y --no-install-recommends /tmp/new.deb")
	c.t.Logf("installed in %.1f s", time.Since(began).Seconds())
	for _, name := range []string{"ada", "bea"} {
		c.expect(name+"'s conversations", c.person(name, "referent conversations list"), "garden")
		c.expect(name+"'s library", c.person(name, "referent search --retriever bm25 compost"), "turned in March")
	}
	if copies, err := filepath.Glob(filepath.Join(c.dir, "home/bea/.local/share/referent/backup/*.db")); err != nil || len(copies) == 0 {
		c.t.Errorf("no copy was made before the change: %v %v", copies, err)
	}
}

func (c *clean) looksAtRights() {
	c.t.Helper()
	c.t.Log("files and rights")
	if out := c.root(false, "dpkg --verify referent"); strings.TrimSpace(out) != "" {
		c.t.Errorf("files differ from the package: %s", out)
	}
	wrong := `dpkg -L referent | while read -r f; do find "$f" -maxdepth 0 \( ! -user root -o ! -group root -o -perm /022 ! -type l -o -perm /6000 \); done`
	if out := c.root(false, wrong); strings.TrimSpace(out) != "" {
		c.t.Errorf("of somebody else, or writable: %s", out)
	}
}

func (c *clean) doesTheMainJob() {
	c.t.Helper()
	c.t.Log("the main job without a network, and nothing outside of the person's folders")
	c.person("ada", "mkdir Papers; printf '# Harlow Bridge\\n\\nThe Harlow Bridge is 320 metres long.\\n' > Papers/bridge.md")
	c.root(false, "touch /tmp/marker")
	c.expect("the doctor", c.person("ada", "referent doctor"), "Qwen")
	c.expect("the answer", c.person("ada", "referent add Papers; referent sync; referent ask 'How long is the Harlow Bridge?'"), "320", "[1]")
	outside := `find / -xdev -newer /tmp/marker ! -type d ! -path '/proc/*' ! -path /tmp/script \
		! -path '/home/*/.local/share/referent/*' ! -path '/home/*/.cache/*' ! -path '/home/*/.config/*'`
	if out := c.root(false, outside); strings.TrimSpace(out) != "" {
		c.t.Errorf("written outside of the data, cache and config folders: %s", out)
	}

	c.t.Log("the window from its desktop entry, with a file dropped on the icon")
	c.person("ada", "mkdir Letters; printf '# Letter\\n\\nThe ferry leaves at noon.\\n' > Letters/letter.md")
	began := time.Now()
	seen := c.person("ada", `exec xvfb-run -a -s "-screen 0 1280x800x24" dbus-run-session -- sh -eu -c '
		began=$(date +%s%3N)
		gio launch /usr/share/applications/org.referent.Referent.desktop /home/ada/Letters/letter.md
		n=0; until xdotool search --onlyvisible --class referent > /dev/null 2>&1; do n=$((n+1)); [ $n -lt 600 ]; sleep 0.1; done
		echo "window after $(($(date +%s%3N) - began)) ms"
		n=0; until referent status --files --json | grep -q "letter.md\",\"status\":\"indexed\""; do n=$((n+1)); [ $n -lt 300 ]; sleep 0.2; done
		xdotool search --onlyvisible --class referent > /dev/null; echo the window stays'`)
	c.t.Logf("%swith the file in the library after %.1f s", seen, time.Since(began).Seconds())
	c.expect("the window", seen, "the window stays")
	c.expect("the library", c.person("ada", "referent search --retriever bm25 ferry"), "leaves at noon")
	screen := ` ! -path '/tmp/.X*' ! -path '/tmp/xvfb-run.*' ! -path /home/ada/.Xauthority ! -path '/home/ada/.dbus/*'` // of the X server and the bus
	if out := c.root(false, outside+screen+` ! -path '/home/ada/Letters/*' ! -path '/home/ada/Papers/*'`); strings.TrimSpace(out) != "" {
		c.t.Errorf("the window wrote outside of the data, cache and config folders: %s", out)
	}
}

func (c *clean) goesBack() {
	c.t.Helper()
	c.t.Log("the way back")
	if out, err := c.try(false, "apt-get install -y --no-install-recommends /tmp/old.deb"); err == nil || !strings.Contains(out, "downgrade") {
		c.t.Errorf("apt went back without being asked: %v %s", err, out)
	}
	c.root(false, "apt-get install -y --no-install-recommends --allow-downgrades /tmp/old.deb")
	fromTheFuture(c.t, filepath.Join(c.dir, "home/ada/.local/share/referent/chats.db"))
	whole := sums("/home/ada/.local/share/referent")
	before := c.root(false, whole)
	const says = "The file chats.db was written by a newer version of Referent. Install the newer version, or choose another data folder."
	if out, err := c.tryAs("ada", "referent conversations list"); err == nil || !strings.Contains(out, says) {
		c.t.Errorf("newer data: %v %s", err, out)
	}
	if after := c.root(false, whole); after != before {
		c.t.Errorf("the refusal changed data:\n%s%s", before, after)
	}
}

func (c *clean) isRemoved() {
	c.t.Helper()
	c.t.Log("removed, purged without and with the data")
	c.expect("removing", c.root(false, "apt-get remove -y referent"), "libraries and conversations stay in each person's ~/.local/share/referent")
	c.gone("usr/bin/referent", "usr/lib/referent", "usr/share/referent", "usr/share/applications/org.referent.Referent.desktop")
	c.expect("purging", c.root(false, "apt-get purge -y referent"), "libraries and conversations stay")
	c.stays("home/ada/.local/share/referent/chats.db", "home/bea/.local/share/referent/chats.db")
	c.root(false, "dpkg -i /tmp/old.deb; echo referent referent/delete-data boolean true | debconf-set-selections")
	c.expect("purging with the data", c.root(false, "apt-get purge -y referent"), "were deleted")
	c.gone("home/ada/.local/share/referent", "home/bea/.local/share/referent", "home/ada/.cache/referent")
	c.stays("home/ada/Papers/bridge.md", "home/ada/Letters/letter.md")
	if out := c.root(false, "debconf-show referent"); strings.TrimSpace(out) != "" {
		c.t.Errorf("the question is still known: %s", out)
	}
}

func (c *clean) runsFromAnywhere() {
	c.t.Helper()
	c.t.Log("the portable folder in a place that cannot be written, where nothing is installed")
	tape := filepath.Join(c.dir, "media")
	if out, err := exec.CommandContext(c.t.Context(), "tar", "--extract", "--no-same-owner", "--directory", tape, "--file", built(c.t, "referent-*-linux-amd64.tar")).CombinedOutput(); err != nil {
		c.t.Fatalf("%v %s", err, out)
	}
	c.write("tmp/script", "cd /home/ada; at=$(echo /media/referent-*); ! touch $at/x 2> /tmp/refused || exit 9; $at/referent --data /home/ada/stick add Papers; $at/referent --data /home/ada/stick sync; $at/referent --data /home/ada/stick ask 'How long is the Harlow Bridge?'")
	out, err := c.within(false, `mount --bind "$0/media" "$0/media"; mount -o remount,bind,ro "$0/media"`, asPerson("ada")+" sh -eu /tmp/script")
	if err != nil {
		c.t.Errorf("%v\n%s", err, out)
	}
	c.expect("the portable answer", out, "320", "[1]")
	c.stays("home/ada/stick/chats.db")
	c.gone("home/ada/.local/share/referent")
}

func (c *clean) gone(names ...string) {
	c.t.Helper()
	for _, n := range names {
		if c.there(n) {
			c.t.Errorf("%s is still there", n)
		}
	}
}

func (c *clean) stays(names ...string) {
	c.t.Helper()
	for _, n := range names {
		if !c.there(n) {
			c.t.Errorf("%s is gone", n)
		}
	}
}

// fromTheFuture marks a database as one of a later version.
func fromTheFuture(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 999"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// No error of Debian's own checker, and its entries are valid. The checker reads
// every byte several times, so texts stand for the models and the compiled module.
func TestLintian_FindsNoError(t *testing.T) {
	stand := standIn(t)
	small := stand.Models[0]
	t.Chdir(filepath.Join("..", ".."))
	p, err := gather(filepath.Join("build", "bin", "referent"), "")
	if err != nil {
		t.Fatal(err)
	}
	p.Modules = stand.Modules
	folder := t.TempDir()
	for i, m := range p.Models {
		path := filepath.Join(folder, filepath.Base(m.Path))
		if err := os.Link(small.Path, path); err != nil {
			t.Fatal(err)
		}
		p.Models[i].Path, p.Models[i].SHA256 = path, small.SHA256
	}
	if _, err := p.write(folder); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error", filepath.Join(folder, "referent_"+p.Version+"-1_amd64.deb")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("lintian: %s", out)
	dir := t.TempDir()
	entry := filepath.Join(dir, appID+".desktop")
	if err := os.WriteFile(entry, standIn(t).file(appID+".desktop"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "desktop-file-validate", entry).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v %s", err, out)
	}
}
