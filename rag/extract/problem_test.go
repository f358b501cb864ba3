package extract

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// step is how a sentence tells a person what to do.
var step = regexp.MustCompile(`(^|[.;:,] (else )?)(Save|save|Open|Enter|Export|export|Download|download|Install|Turn on|Choose|Set|set|Unpack|unpack|Split|Add|Change|Try|Scan|wait|Only that shop's programs can open it)\b`)

// TestEveryRefusalSaysWhatToDo goes through the source of the readers: whatever
// is said of a file that was not read ends with something that a person can do.
func TestEveryRefusalSaysWhatToDo(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			f, ok := call.Fun.(*ast.Ident)
			if !ok {
				return true
			}
			switch f.Name {
			case "damaged", "unsupported", "needsPassword":
				calls++
				if text := literals(call.Args[0]); text != "" && !step.MatchString(text) {
					t.Errorf("%s: %q does not say what to do", fset.Position(call.Pos()), text)
				}
			}
			return true
		})
	}
	if calls < 40 {
		t.Errorf("only %d refusals were found", calls)
	}
	if p := asProblem(tooLarge("The file has %d pages.", 9)); !step.MatchString(p.reason) {
		t.Errorf("%q", p.reason)
	}
	for _, err := range []error{os.ErrPermission, os.ErrNotExist, fmt.Errorf("any other")} {
		if p := asProblem(err); !step.MatchString(p.reason) && !strings.Contains(p.reason, "add it from its new place") {
			t.Errorf("%v: %q", err, p.reason)
		}
	}
}

// literals are the texts of an expression, one after the other.
func literals(e ast.Expr) string {
	text := ""
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			s, _ := strconv.Unquote(l.Value)
			text += s
		}
		return true
	})
	return text
}

// TestWhatWasLeftOutIsToldWithAStep: once for all parts, and not where one of
// them has its own.
func TestWhatWasLeftOutIsToldWithAStep(t *testing.T) {
	for want, left := range map[string][]string{
		"One. Two." + partlyAdvice:               {"One.", "Two."},
		"One. Install the program. Two is lost.": {"One. Install the program.", "Two is lost."},
	} {
		if got := partlyReason(left); got != want || !step.MatchString(got) {
			t.Errorf("%q", got)
		}
	}
}
