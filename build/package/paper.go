package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"referent/app"
	"referent/app/command"
)

// mimeTypes are the files that "open with Referent" adds, and folders.
var mimeTypes = []string{
	"application/pdf", "application/epub+zip", "application/rtf", "application/json", "application/x-ipynb+json", "application/xhtml+xml",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.spreadsheet",
	"application/mbox", "message/rfc822", "text/plain", "text/markdown", "text/html", "text/csv", "text/tab-separated-values", "inode/directory",
}

// output runs a command of the program that needs no data folder.
func output(version string, args ...string) (string, error) {
	var out, complaint bytes.Buffer
	code := command.Run(context.Background(), args, command.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaint, Version: version, DataDir: app.DefaultDataDir})
	if code != 0 {
		return "", fmt.Errorf("referent %s: %s", strings.Join(args, " "), complaint.String())
	}
	return out.String(), nil
}

// manPage makes the manual out of the program's own help, so that it names the
// commands that there are.
func manPage(version string, at time.Time, help string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH REFERENT 1 %q \"Referent %s\" \"User Commands\"\n", at.Format(time.DateOnly), version)
	b.WriteString(".SH NAME\nreferent \\- answer questions from your own documents, offline\n")
	b.WriteString(".SH SYNOPSIS\n.B referent\n[\\fB\\-\\-data\\fR \\fIFOLDER\\fR] [\\fIPATH\\fR...]\n.br\n.B referent\n\\fICOMMAND\\fR [\\fIFLAG\\fR...] [\\fIARGUMENT\\fR...]\n")
	b.WriteString(".SH DESCRIPTION\nWithout a command the window opens, and the paths are added to the library. With a command the same library is used in the terminal.\n.B referent\n\\fICOMMAND\\fR\n.B \\-\\-help\nsays what a command takes.\n")
	section := ""
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "Available Commands:":
			section = "commands"
			b.WriteString(".SH COMMANDS\n")
		case line == "Flags:":
			section = "flags"
			b.WriteString(".SH OPTIONS\n")
		case line == "" || !strings.HasPrefix(line, "  "):
			section = ""
		case section != "" && !strings.Contains(line, "(not available in this version)"):
			name, about := columns(line, section == "flags")
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", troff(name), troff(about))
		}
	}
	b.WriteString(".SH FILES\n.TP\n.I ~/.local/share/referent\nLibraries, conversations and settings. Removing the program leaves them.\n.TP\n.I ~/.cache/referent\nWhat can be had again.\n")
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B REFERENT_DATA\nThe data folder.\n.TP\n.B REFERENT_CACHE\nThe folder of what can be had again.\n.TP\n.B NO_COLOR\nNo colours.\n")
	return b.String()
}

// columns cuts a line of the help into a name and its text: a command is one
// word, and a flag with the name of its value ends where two spaces are.
func columns(line string, flag bool) (name, about string) {
	between := " "
	if flag {
		between = "  "
	}
	name, about, _ = strings.Cut(strings.TrimSpace(line), between)
	return name, strings.TrimSpace(about)
}

// troff escapes text: a backslash and a hyphen mean something to it, and so do
// a point and a quote at the beginning of a line.
func troff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// copyright lists every part with its licence in Debian's machine-readable form
// (debian.org/doc/packaging-manuals/copyright-format/1.0).
func copyright(parts []part) []byte {
	var b bytes.Buffer
	b.WriteString("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Referent\nSource: the folder that this package was built from\n\n")
	b.WriteString("Files: *\nCopyright: 2026 The Referent authors\nLicense: Apache-2.0\n " + strings.ReplaceAll(apacheNotice, "\n", "\n ") + "\n")
	b.WriteString("Comment:\n")
	b.WriteString(" The program holds, or is shipped with, the works below. The text of each\n licence follows its name.\n")
	for _, p := range parts {
		fmt.Fprintf(&b, " .\n %s\n %s %s\n %s, %s\n .\n", strings.Repeat("=", 72), p.Name, p.Version, strings.Join(p.Licences, " and "), p.From)
		for line := range strings.Lines(p.Text) {
			line = strings.TrimSpace(line)
			if line == "" {
				line = "."
			}
			b.WriteString(" " + line + "\n")
		}
	}
	return b.Bytes()
}

// spdx lists the parts in the JSON form of SPDX 2.3 (spdx.github.io/spdx-spec).
func spdx(version string, at time.Time, parts []part) ([]byte, error) {
	type checksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	type reference struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	type item struct {
		ID        string      `json:"SPDXID"`
		Name      string      `json:"name"`
		Version   string      `json:"versionInfo,omitempty"`
		Download  string      `json:"downloadLocation"`
		Analyzed  bool        `json:"filesAnalyzed"`
		Concluded string      `json:"licenseConcluded"`
		Declared  string      `json:"licenseDeclared"`
		Copyright string      `json:"copyrightText"`
		Checksums []checksum  `json:"checksums,omitempty"`
		Refs      []reference `json:"externalRefs,omitempty"`
	}
	type relation struct {
		From string `json:"spdxElementId"`
		Kind string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
	root := item{ID: "SPDXRef-referent", Name: "referent", Version: version, Download: "NOASSERTION", Concluded: "Apache-2.0", Declared: "Apache-2.0", Copyright: "2026 The Referent authors"}
	items, relations := []item{root}, []relation{{"SPDXRef-DOCUMENT", "DESCRIBES", root.ID}}
	for i, p := range parts {
		licence := strings.Join(p.Licences, " AND ")
		it := item{ID: fmt.Sprintf("SPDXRef-part-%d", i+1), Name: p.Name, Version: p.Version, Download: "NOASSERTION", Concluded: licence, Declared: licence, Copyright: "NOASSERTION"}
		if u, err := url.Parse(p.From); err == nil && u.Scheme == "https" {
			it.Download = p.From
		}
		if strings.HasPrefix(p.From, "pkg:") {
			it.Refs = []reference{{"PACKAGE-MANAGER", "purl", p.From}}
		}
		if p.SHA256 != "" {
			it.Checksums = []checksum{{"SHA256", p.SHA256}}
		}
		items, relations = append(items, it), append(relations, relation{root.ID, "CONTAINS", it.ID})
	}
	body, err := json.MarshalIndent(map[string]any{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "referent-" + version,
		"documentNamespace": fmt.Sprintf("%sreferent-%s-%d", namespace, version, at.Unix()),
		"creationInfo":      map[string]any{"created": at.Format(time.RFC3339), "creators": []string{"Tool: referent-build-package"}},
		"packages":          items, "relationships": relations,
	}, "", "  ")
	return append(body, '\n'), err
}
