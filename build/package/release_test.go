package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app/update"
	"referent/inference/outbound"
)

// project is a copy of the files that name the version.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := []string{"CHANGELOG.md"}
	for _, n := range naming {
		files = append(files, n.file)
	}
	for _, name := range files {
		body, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// versions are what the files of a project say.
func versions(t *testing.T, root string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, n := range naming {
		body, err := os.ReadFile(filepath.Join(root, n.file))
		if err != nil {
			t.Fatal(err)
		}
		m := n.at.FindStringSubmatch(string(body))
		if m == nil {
			t.Fatalf("%s names no version", n.file)
		}
		out[m[1]] = true
	}
	body, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	if newest, err := newestVersion(strings.Replace(string(body), unreleased+"\n", "", 1)); err != nil {
		t.Error(err)
	} else {
		out[newest] = true
	}
	return out
}

func TestRelease_EveryFileNamesTheSameVersion(t *testing.T) {
	if all := versions(t, filepath.Join("..", "..")); len(all) != 1 {
		t.Errorf("the project names the versions %v", all)
	}
}

// withoutNext is a change log without the section of the next release.
func withoutNext(log string) string {
	before, after, found := strings.Cut(log, unreleased+"\n")
	if !found {
		return log
	}
	return before + after[strings.Index(after, "## "):]
}

func TestRelease_AVersionIsSetEverywhereOrNowhere(t *testing.T) {
	root := project(t)
	changes := filepath.Join(root, "CHANGELOG.md")
	body, err := os.ReadFile(changes)
	if err != nil {
		t.Fatal(err)
	}
	log := withoutNext(string(body))
	if err := os.WriteFile(changes, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	before := versions(t, root)
	for _, version := range []string{"9.8.7", "9.8", "v9.8.7", ""} { // 9.8.7 has no section yet
		if err := setVersion(root, version); err == nil || len(versions(t, root)) != 1 || versions(t, root)["9.8.7"] {
			t.Errorf("%q: %v, %v", version, err, versions(t, root))
		}
	}
	for _, section := range []string{"", "It sings. It dances.\n\n"} {
		with := strings.Replace(log, "## ", unreleased+"\n\n"+section+"## ", 1)
		if err := os.WriteFile(changes, []byte(with), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := setVersion(root, "9.8.7"); (err == nil) != (section != "") {
			t.Errorf("with the section %q: %v", section, err)
		}
	}
	if after := versions(t, root); len(after) != 1 || !after["9.8.7"] || len(before) != 1 {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestRelease_TheListIsWhatTheProgramReads(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000") // 2023-11-14
	out, root := t.TempDir(), project(t)
	t.Chdir(root)
	body, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	version, err := newestVersion(strings.Replace(string(body), unreleased+"\n", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("CHANGELOG.md", []byte("## "+version+"\n\nIt sings. It dances.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	seed := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", ed25519.SeedSize)))
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(seed+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeList(out, "https://example.org/referent/", key); err == nil || !strings.Contains(err.Error(), "make package") {
		t.Errorf("without packages: %v", err)
	}
	for _, name := range []string{"referent_" + version + "-1_amd64.deb", "referent-" + version + "-linux-amd64.tar"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte("package"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeList(out, "https://example.org/referent/", key); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(out)))
	defer server.Close()
	client := outbound.New(nil).Client("update")
	defer client.CloseIdleConnections()
	public := ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", ed25519.SeedSize))).Public().(ed25519.PublicKey)
	got, err := update.Check(t.Context(), client, server.URL+"/latest.json", base64.StdEncoding.EncodeToString(public), "0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	first := got.Latest.Files[0]
	// printf package | sha256sum
	if !got.Newer || got.Latest.Version != version || got.Latest.Date != "2023-11-14" || got.Latest.Notes != "It sings." || first.Bytes != 7 ||
		first.URL != "https://example.org/referent/referent_"+version+"-1_amd64.deb" ||
		first.SHA256 != "bc4a71180870f7945155fbb02f4b0a2e3faa2a62d6d31b7039013055ed19869a" {
		t.Errorf("%+v", got)
	}
	for _, file := range []string{"", filepath.Join(out, "latest.json")} {
		if _, err := privateKey(file); err == nil {
			t.Errorf("the key of %q was taken", file)
		}
	}
}
