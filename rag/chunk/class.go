package chunk

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"referent/rag"
)

// settled is the age at which a file among downloads has shown that it was meant
// to stay.
const settled = 90 * 24 * time.Hour

// deepest is how many folders above a file say something about it.
const deepest = 4

// Class gives a document its retention class by default, and says why in words
// for people. A fact is reference that holds until it is replaced; a snapshot
// says how things stood on a day; what is transient was never meant to be
// kept. The name of the file decides, and what is plainly passing goes before
// the day that a name holds; then its folders, nearest first, then the kind.
// Now and modified are only compared with each other.
func Class(path, kind string, modified, now time.Time) (class rag.Class, why string) {
	name := strings.ToLower(filepath.Base(path))
	ending := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	folders := nearest(path)
	said := func(w string) string { return "The file name says “" + w + "”." }
	if w := match(transientNames, stem); w != "" {
		return rag.ClassTransient, said(w)
	}
	if w := temporary.FindString(stem); w != "" {
		return rag.ClassTransient, said(strings.Trim(w, " _.-"))
	}
	if strings.HasPrefix(name, "~") || slices.Contains(passingEndings, ending) {
		return rag.ClassTransient, "Files of this type are written by programs for a while."
	}
	if w := match(formNames, stem); w != "" {
		return rag.ClassFact, said(w)
	}
	if w := match(snapshotNames, stem); w != "" {
		return rag.ClassSnapshot, said(w)
	}
	// A rule stays a rule with a date in its name ("statutes 2023").
	if w := match(factNames, stem); w != "" {
		return rag.ClassFact, said(w)
	}
	// The log of a day is a log.
	if f := matching(transientFolders, folders); f != "" {
		return rag.ClassTransient, "The folder is named “" + f + "”."
	}
	says := !unsaying.MatchString(stem)
	if d := dated.FindString(stem); d != "" && says {
		return rag.ClassSnapshot, "The file name holds the date " + strings.Trim(d, " -_.") + "."
	}
	if version.MatchString(stem) {
		return rag.ClassSnapshot, "The file name holds the number of a version, as drafts have it."
	}
	for _, f := range folders {
		switch lower := strings.ToLower(f); {
		case match(downloadFolders, lower) != "" && now.Sub(modified) < settled:
			return rag.ClassTransient, "The folder is named “" + f + "”, and the file is new."
		case match(snapshotFolders, lower) != "":
			return rag.ClassSnapshot, "The folder is named “" + f + "”."
		case match(factFolders, lower) != "":
			return rag.ClassFact, "The folder is named “" + f + "”."
		}
	}
	if !says {
		return rag.ClassUnknown, "The file has a name that a device or a program gave it."
	}
	return classOfKind(kind, ending)
}

// nearest are the folders that a file lies in, the nearest first.
func nearest(path string) []string {
	folders := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	slices.Reverse(folders)
	return folders[:min(len(folders), deepest)]
}

// matching gives the first of the folders whose name has one of the words.
func matching(words, folders []string) string {
	for _, f := range folders {
		if match(words, strings.ToLower(f)) != "" {
			return f
		}
	}
	return ""
}

func classOfKind(kind, ending string) (class rag.Class, why string) {
	switch ending {
	case ".ics":
		return rag.ClassSnapshot, "A calendar holds what is planned on its days."
	case ".srt", ".vtt":
		return rag.ClassSnapshot, "A transcript holds what was said on a day."
	case ".vcf":
		return rag.ClassFact, "An address holds until it is replaced."
	}
	switch kind {
	case "email":
		return rag.ClassSnapshot, "Messages say how things stood when they were written."
	case "notebook":
		return rag.ClassSnapshot, "Notebooks are working notes."
	case "code", "epub":
		return rag.ClassFact, "Files of this kind are kept as reference."
	case "pdf", "docx", "odt", "rtf", "html", "pptx", "odp", "xlsx", "ods", "csv":
		return rag.ClassFact, "Documents of this kind are kept as reference unless their name or folder says otherwise."
	}
	return rag.ClassUnknown, "Nothing in the name, the folder or the kind says how long it holds."
}

// dated finds a day, month or quarter in a name: 2024-03-12, 20240312,
// 12.03.2024, 2024-03, 2024 Q1, 2024-W07. A year alone is an edition.
var dated = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])[-_. ]?(?:0[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-_. ](?:0?[1-9]|1[0-2])[-_. ](?:19|20)\d\d|(?:19|20)\d\d[-_. ](?:0[1-9]|1[0-2])|(?:19|20)\d\d[-_. ]?(?:q[1-4]|kw? ?\d\d|w\d\d))(?:[^0-9]|$)`)

// temporary finds the mark of a file for a while at the end of its name: before
// other words "temp" is mostly a temperature.
var temporary = regexp.MustCompile(`(?:^|[ _.-])(?:temp|tmp)[0-9]*$`)

// version finds the number that people give to the states of a text: v2, v3 final.
var version = regexp.MustCompile(`(?:^|[ _-])v[0-9]{1,2}(?:[ _-]|$)`)

// match gives the first word that text holds as a word of its own, or, if long,
// at the beginning or the end of a compound ("Protokoll" in "Protokollbuch",
// "Bericht" in "Kassenbericht").
func match(words []string, text string) string {
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(text[from:], w)
			if i < 0 {
				break
			}
			i += from
			from = i + len(w)
			begins, ends := i == 0 || !letter(text[i-1]), from == len(text) || !letter(text[from])
			if begins && ends || begins && len(w) >= 6 || ends && len(w) >= 7 {
				return w
			}
		}
	}
	return ""
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }
