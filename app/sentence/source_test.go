package sentence

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// rooms are the folders whose sentences can reach the window.
var rooms = []string{"rag", "inference", "storage", "app"}

// elsewhere are folders and files whose texts never reach it, with the reason.
var elsewhere = map[string]string{
	"app/api":                      "other programs read it, in English",
	"app/command":                  "the terminal speaks English",
	"app/launch":                   "what is said before there is a window",
	"app/update":                   "the terminal asks for updates",
	"app/diagnose.go":              "the doctor: the terminal, and the file that helps to find a fault",
	"app/doctor.go":                "the doctor",
	"app/desktop/diagnostics.go":   "the file that helps to find a fault",
	"app/setting/table.go":         "labels and helps are in the page's own catalogue, held complete by its own test",
	"app/speed.go":                 "a prompt",
	"inference/conformance":        "tests",
	"inference/fake":               "a test double",
	"rag/answer/part.go":           "prompts",
	"rag/answer/prompt.go":         "prompts",
	"rag/answer/title.go":          "a prompt",
	"rag/engine/isolation":         "tests",
	"rag/engine/prompt.go":         "a prompt",
	"rag/engine/researchprompt.go": "a prompt",
	"rag/engine/researchline.go":   "what the model that searches is told",
	"rag/engine/researchnative.go": "what the model that searches is told",
	"rag/engine/researchtools.go":  "what the model that searches is told",
	"rag/extract/sampletexts.go":   "samples of languages",
	"rag/lab/canard.go":            "a question of a test",
	"rag/lab/rewrite.go":           "questions of a test",
	"rag/library/trial.go":         "a passage to try a model with",
	"rag/event.go":                 "a fault between two versions, for the log",
}

// fragments are files in which also parts of a sentence are made, in small
// letters, and what stands before each of them.
var fragments = map[string]string{
	"app/setting/validate.go":      "",
	"app/words.go":                 "",
	"inference/remote/errors.go":   "The server %s ",
	"inference/selftest/judge.go":  "",
	"inference/worker/classify.go": "",
	"rag/engine/engine.go":         "%s ",
	"rag/lab/gatescore.go":         "",
	"rag/lab/report.go":            "",
	"rag/lab/suite.go":             "",
	"rag/lab/verdict.go":           "",
}

// noSentences look like one and are none.
var noSentences = map[string]string{
	"%s by %s on %s": "an engine, a retriever and a set",
	"Date: %s":       "a line of a text for the search",
	"Referent Lab":   "a name",
	"Seven ships left the harbour at dawn and came back before night [1].": "what a generated model writes",
	"2 January 2006, 15:04 UTC":                                              "a form of time",
	"%.3f (%.3f to %.3f)":                                                    "numbers",
	"The server %s The server %s":                                            "the beginning of the others",
	"The server %s too long":                                                 "searched in a reply",
	"The server %s remote: the server was silent too long":                   "a cause, for the log",
	"Which boiler heats Quay House, and when does its heating season begin?": "a question to the sample library",
	"How high is the deposit for a flat?":                                    "a question to the sample library",
	"What does a night in the guest flat of Linden House cost?":              "a question to the sample library",
	"Wie werden die Heizkosten verteilt?":                                    "a question to the sample library",
}

// template is a text for people as the source has it: what is filled in is a verb
// of fmt.
type template struct{ text, place string }

// templates are all sentences of the rooms: one literal, or literals joined by +
// with %s for what stands between.
func templates(t *testing.T, root string) []template {
	t.Helper()
	var out []template
	for _, room := range rooms {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(root, path)
			rel = filepath.ToSlash(rel)
			if _, out := elsewhere[rel]; out || d.Name() == "testdata" {
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
			if strings.HasSuffix(rel, ".html") {
				page, err := os.ReadFile(path)
				for _, m := range spoken.FindAllStringSubmatch(string(page), -1) {
					out = append(out, template{m[1], rel})
				}
				return err
			}
			if d.IsDir() || !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
				return nil
			}
			found, err := ofFile(path, rel)
			out = append(out, found...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func ofFile(path, rel string) ([]template, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		return nil, err
	}
	var out []template
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case ast.Expr:
			text, whole := flatten(n)
			if !whole {
				return true
			}
			text = strings.TrimSpace(text)
			prefix, mixed := fragments[rel]
			part := mixed && !forPeople(text) && isFragment(text)
			if part {
				text = prefix + text
			}
			if _, none := noSentences[text]; !none && (part || forPeople(text)) {
				out = append(out, template{text, fmt.Sprintf("%s:%d", rel, files.Position(n.Pos()).Line)})
			}
			_, chain := n.(*ast.BinaryExpr)
			if chain {
				inner(n, func(e ast.Expr) { // a call between two literals may hold sentences of its own
					ast.Inspect(e, func(n ast.Node) bool {
						if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
							if text, _ := strconv.Unquote(l.Value); forPeople(strings.TrimSpace(text)) {
								out = append(out, template{strings.TrimSpace(text), fmt.Sprintf("%s:%d", rel, files.Position(l.Pos()).Line)})
							}
						}
						return true
					})
				})
			}
			return false
		}
		return true
	})
	return out, nil
}

// flatten writes a literal, or a chain of + with a literal in it, as a template.
func flatten(e ast.Expr) (text string, whole bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.ParenExpr:
		return flatten(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, l := flatten(e.X)
		right, r := flatten(e.Y)
		if !l && !r {
			return "", false
		}
		if !l {
			left = "%s"
		}
		if !r {
			right = "%s"
		}
		return left + right, true
	}
	return "", false
}

// inner visits what a chain joins that is no literal.
func inner(e ast.Expr, visit func(ast.Expr)) {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD {
		inner(b.X, visit)
		inner(b.Y, visit)
		return
	}
	if _, literal := e.(*ast.BasicLit); !literal {
		visit(e)
	}
}

// spoken is a text of a page that is said in its language.
var spoken = regexp.MustCompile(`\b(?:say|printf) "([^"]+)"`)

var sql = regexp.MustCompile(`^(%s )?(SELECT|UPDATE|INSERT|DELETE|WHERE|ORDER BY|VACUUM|CREATE|DROP|ALTER|PRAGMA) `)

// forPeople tells a sentence from other texts: it begins with a capital letter or
// with what is filled in, has words, and ends as a sentence does.
func forPeople(text string) bool {
	first, _ := utf8.DecodeRuneInString(value.ReplaceAllString(text, "X"))
	if sql.MatchString(text) {
		return false
	}
	if !strings.Contains(text, " ") || !unicode.IsUpper(first) && first != '“' || strings.Contains(text, "://%s") {
		return false
	}
	if letters(text) < 4 {
		return false
	}
	last := text[len(text)-1]
	return last == '.' || last == '?' || strings.HasSuffix(text, ".%s") || strings.HasSuffix(text, ". %s") || strings.HasSuffix(text, ": %s") || strings.HasSuffix(text, ":")
}

// isFragment tells a part of a sentence from a name.
func isFragment(text string) bool {
	return strings.Contains(text, " ") && letters(text) >= 4 && !strings.ContainsAny(text, "\t|") && !strings.HasPrefix(text, "(?")
}

func letters(text string) (n int) {
	for _, r := range value.ReplaceAllString(text, "") {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
