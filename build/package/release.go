package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"referent/app/update"
)

// unreleased is the heading of the section in the change log that the next
// version takes.
const unreleased = "## next"

// naming are the files that name the version, and where.
var naming = []struct {
	file string
	at   *regexp.Regexp // the first group is the version
}{
	{"main.go", regexp.MustCompile(`(?m)^var version = "([^"]+)"$`)},
	{"wails.json", regexp.MustCompile(`"productVersion": "([^"]+)"`)},
	{filepath.Join("frontend", "package.json"), regexp.MustCompile(`(?m)^  "version": "([^"]+)",$`)},
	{filepath.Join("frontend", "package-lock.json"), regexp.MustCompile(`(?m)^  "version": "([^"]+)",$`)},
	{filepath.Join("frontend", "package-lock.json"), regexp.MustCompile(`"": \{\s+"name": "referent-frontend",\s+"version": "([^"]+)"`)},
	{"README.md", regexp.MustCompile(`referent_([0-9.]+)-1_amd64\.deb`)},
	{filepath.Join("docs", "install.md"), regexp.MustCompile(`referent_([0-9.]+)-1_amd64\.deb`)},
	{filepath.Join("docs", "install.md"), regexp.MustCompile(`referent-([0-9.]+)-linux-amd64\.tar`)},
}

// setVersion writes a version into every file of the project that names one.
// The newest section of the change log must be that version's, or the one of
// what is not released, which becomes it.
func setVersion(root, version string) error {
	if !versionForm.MatchString(version) {
		return fmt.Errorf("%q is no version such as 1.2.3", version)
	}
	changes := filepath.Join(root, "CHANGELOG.md")
	body, err := os.ReadFile(changes)
	if err != nil {
		return err
	}
	text := string(body)
	if strings.Contains(text, unreleased+"\n") {
		text = strings.Replace(text, unreleased+"\n", "## "+version+"\n", 1)
	}
	if newest, err := newestVersion(text); err != nil || newest != version {
		return fmt.Errorf("CHANGELOG.md says nothing of %s: write what is new below %q first", version, unreleased)
	}
	if section(text, version) == "" {
		return fmt.Errorf("the section of %s in CHANGELOG.md is empty", version)
	}
	changed := map[string]string{changes: text}
	for _, n := range naming {
		path := filepath.Join(root, n.file)
		if _, read := changed[path]; !read {
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			changed[path] = string(body)
		}
		at := n.at.FindStringSubmatchIndex(changed[path])
		if at == nil {
			return fmt.Errorf("%s names no version where one is expected", n.file)
		}
		changed[path] = changed[path][:at[2]] + version + changed[path][at[3]:]
	}
	for path, text := range changed {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// section is what the change log says of a version, without its heading.
func section(changes, version string) string {
	_, text, _ := strings.Cut(changes, "## "+version)
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return strings.TrimSpace(text)
}

// writeList writes latest.json, which `referent update check` reads, and its
// signature beside the packages of the folder. address is where they will be.
func writeList(out, address, keyFile string) error {
	key, err := privateKey(keyFile)
	if err != nil {
		return err
	}
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	version, err := newestVersion(string(changes))
	if err != nil {
		return err
	}
	at, err := sourceDate()
	if err != nil {
		return err
	}
	m := update.Manifest{Version: version, Date: at.Format(time.DateOnly), Notes: firstSentence(section(string(changes), version))}
	for _, name := range []string{fmt.Sprintf("referent_%s-1_amd64.deb", version), fmt.Sprintf("referent-%s-linux-amd64.tar", version)} {
		path := filepath.Join(out, name)
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("`make package` makes the packages first: %w", err)
		}
		hash, err := sum(path)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, update.File{Name: name, URL: strings.TrimSuffix(address, "/") + "/" + name, Bytes: info.Size(), SHA256: hash})
	}
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "latest.json"), body, 0o644); err != nil {
		return err
	}
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(key, body)) + "\n"
	if err := os.WriteFile(filepath.Join(out, "latest.json.sig"), []byte(signature), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s is signed; its public key is %s\n", filepath.Join(out, "latest.json"), base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey)))
	return nil
}

// firstSentence is the short form of a section for a list of versions.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	sentence, _, cut := strings.Cut(text, ". ")
	if cut {
		sentence += "."
	}
	return sentence
}

func privateKey(file string) (ed25519.PrivateKey, error) {
	if file == "" {
		return nil, fmt.Errorf("name the file with the publisher's private key: -key FILE. `openssl rand -base64 32` makes a new one")
	}
	body, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(body)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s holds no Ed25519 seed, which is 32 bytes in base64", file)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
