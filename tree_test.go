package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pkg is one package of the module as its source says, tests left out.
type pkg struct {
	dir     string // relative, with slashes; "." is the root
	imports map[string]bool
	doc     bool
}

// packages parses every Go package of the module but nested modules.
func packages(t *testing.T) []pkg {
	t.Helper()
	found := map[string]*pkg{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || exists(filepath.Join(path, "go.mod"))) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		p := found[dir]
		if p == nil {
			p = &pkg{dir: dir, imports: map[string]bool{}}
			found[dir] = p
		}
		if name == "doc.go" && file.Doc != nil {
			lines := strings.Count(file.Doc.Text(), "\n")
			p.doc = lines >= 2 && lines <= 30
		}
		for _, i := range file.Imports {
			if to, err := strconv.Unquote(i.Path.Value); err == nil {
				p.imports[to] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []pkg
	for _, p := range found {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b pkg) int { return strings.Compare(a.dir, b.dir) })
	if len(out) < 20 {
		t.Fatalf("only %d packages were found: the walk is broken", len(out))
	}
	return out
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// own returns the packages of ours that p imports, as relative folders.
func (p pkg) own() []string {
	var out []string
	for i := range p.imports {
		if rest, ok := strings.CutPrefix(i, "referent/"); ok {
			out = append(out, rest)
		}
	}
	slices.Sort(out)
	return out
}

func under(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

func TestTree_EveryPackageExplainsItself(t *testing.T) {
	for _, p := range packages(t) {
		if p.dir != "." && !p.doc {
			t.Errorf("%s has no doc.go with 2 to 30 lines: a newcomer opens it first", p.dir)
		}
	}
}

func TestTree_NoFileIsNamedAfterALayer(t *testing.T) {
	for _, p := range packages(t) {
		for _, bad := range []string{"util", "utils", "common", "helpers", "manager", "service"} {
			if filepath.Base(p.dir) == bad {
				t.Errorf("%s: packages are nouns of the domain", p.dir)
			}
		}
		for _, bad := range []string{"types.go", "models.go", "utils.go", "helpers.go"} {
			if exists(filepath.Join(p.dir, bad)) && p.dir != "app/command" && p.dir != "app" {
				t.Errorf("%s/%s: a type, its methods and its test sit together in a file that names them", p.dir, bad)
			}
		}
	}
}

// TestTree_Layers keeps the arrows of docs/architecture.md one way.
func TestTree_Layers(t *testing.T) {
	for _, p := range packages(t) {
		for _, to := range p.own() {
			deny := ""
			switch {
			case p.dir == "build/setup" || strings.HasPrefix(p.dir, "build/"):
			case under(p.dir, "storage") && !under(to, "storage"):
				deny = "storage imports nothing of ours"
			case under(p.dir, "inference") && !under(to, "inference"):
				deny = "inference imports neither storage nor rag nor app"
			case under(p.dir, "rag") && under(to, "app"):
				deny = "rag knows no front"
			case under(p.dir, "rag") && under(to, "inference") && to != "inference" && to != "inference/process":
				deny = "rag sees of inference only the contracts and inference/process"
			case p.dir == "rag" && under(to, "rag"):
				deny = "the vocabulary imports none of its rooms"
			case under(p.dir, "rag") && (to == "rag/turn" || to == "rag/library") && p.dir != "rag/lab":
				deny = "only turn and library know the order of stages, and no room knows them"
			case p.dir == "app" && under(to, "app") && to != "app/setting" && to != "app/sentence":
				deny = "app imports none of its fronts"
			case p.dir == "app/command" && to != "app" && to != "app/setting" && to != "rag" && to != "storage":
				deny = "a front reaches the program through app.UseCases only"
			case under(p.dir, "app/api") && !under(to, "app/api") && !slices.Contains([]string{"app", "app/setting", "rag", "inference"}, to):
				deny = "a front reaches the program through app.UseCases only"
			case p.dir == "app/desktop" && !slices.Contains([]string{"app", "app/setting", "app/sentence", "rag", "storage"}, to):
				deny = "a front reaches the program through app.UseCases only"
			}
			if deny != "" {
				t.Errorf("%s imports %s: %s", p.dir, to, deny)
			}
		}
		for to := range p.imports {
			if strings.HasPrefix(to, "github.com/wailsapp/") && p.dir != "app/desktop" {
				t.Errorf("%s imports %s: only app/desktop knows Wails", p.dir, to)
			}
			if strings.HasPrefix(to, "github.com/hybridgroup/yzma") && p.dir != "inference/llama" {
				t.Errorf("%s imports %s: only inference/llama knows the binding", p.dir, to)
			}
			if to == "net/http" && under(p.dir, "rag") {
				t.Errorf("%s imports net/http: nothing in rag talks to a network", p.dir)
			}
		}
	}
}

// TestTree_ForbiddenDependencies reads what is really linked: an import three
// modules away counts too.
func TestTree_ForbiddenDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-tags=sqlite_fts5", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	deps := strings.Fields(string(out))
	if len(deps) < 200 {
		t.Fatalf("only %d dependencies: go list did not see the program", len(deps))
	}
	for _, d := range deps {
		for _, bad := range []string{"github.com/hybridgroup/yzma/pkg/download", "github.com/aws/", "cloud.google.com/", "github.com/Azure/"} {
			if strings.HasPrefix(d, bad) {
				t.Errorf("%s is linked into the program: it brings in cloud clients", d)
			}
		}
	}
}

// TestTree_OneDialer looks for calls that could open a connection. Loopback and
// Unix sockets are the owner's; everything else goes through inference/outbound,
// which asks, counts and lists.
func TestTree_OneDialer(t *testing.T) {
	allowed := []string{"inference/outbound", "app/owner"}
	for _, p := range packages(t) {
		if slices.Contains(allowed, p.dir) || under(p.dir, "build") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(p.dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
					if network, ok := call.Args[0].(*ast.BasicLit); ok && network.Value == `"unix"` {
						return false // says itself that it stays on this computer
					}
				}
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, ok := s.X.(*ast.Ident)
				if ok && (x.Name == "net" && strings.HasPrefix(s.Sel.Name, "Dial") ||
					x.Name == "http" && slices.Contains([]string{"Get", "Post", "PostForm", "Head", "DefaultClient", "DefaultTransport"}, s.Sel.Name)) {
					t.Errorf("%s uses %s.%s: connections are opened by inference/outbound only", name, x.Name, s.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestTree_NoRawHTML keeps documents and model output from becoming markup.
func TestTree_NoRawHTML(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(filepath.Join("frontend", "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".svelte") {
			return err
		}
		seen++
		body, err := os.ReadFile(path)
		if strings.Contains(string(body), "{@html") {
			t.Errorf("%s uses {@html}", path)
		}
		return err
	})
	if err != nil || seen == 0 {
		t.Fatalf("%d components seen, %v", seen, err)
	}
}

// TestTree_TopLevelIsFixed keeps the root readable.
func TestTree_TopLevelIsFixed(t *testing.T) {
	allowed := []string{"app", "frontend", "inference", "rag", "storage", "build", "testdata", "docs", "main.go", "tree_test.go", "main_test.go",
		"wails.json", "go.mod", "go.sum", "README.md", "Makefile", "CHANGELOG.md", "LICENSE"}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong at the top level", e.Name())
		}
	}
}

// TestTree_LongFilesAreFew: a long file is split, or named here with its reason.
func TestTree_LongFilesAreFew(t *testing.T) {
	defended := map[string]string{
		"app/usecases.go": "the one interface of all fronts and the shapes that cross it, read as a whole",
	}
	for _, p := range packages(t) {
		files, _ := filepath.Glob(filepath.Join(p.dir, "*.go"))
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(body), "\n"); n > 400 && defended[filepath.ToSlash(name)] == "" {
				t.Errorf("%s has %d lines: one idea a file", name, n)
			}
		}
	}
}

// TestTree_EveryRowHasItsTest: the contract of the product is a list of rows
// (P-01 to P-76) and of reports of users (R001 to R125, the odd ones). Each has a
// test that carries its number, in Go in the name of the function, on the page in
// the title.
func TestTree_EveryRowHasItsTest(t *testing.T) {
	inGo := regexp.MustCompile(`(?m)^func (?:Test|Fuzz)((?:P\d{2}|R\d{3})+)[A-Z]*_`)
	onPage := regexp.MustCompile(`(?:test|describe)\(\s*'(P-\d{2}|R\d{3}):`)
	number := regexp.MustCompile(`P\d{2}|R\d{3}`)
	named := map[string]bool{}
	for _, kind := range []struct {
		suffix string
		re     *regexp.Regexp
	}{{"_test.go", inGo}, {".test.ts", onPage}} {
		err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, kind.suffix) {
				return nil
			}
			body, err := os.ReadFile(path)
			for _, m := range kind.re.FindAllStringSubmatch(string(body), -1) {
				for _, n := range number.FindAllString(strings.ReplaceAll(m[1], "-", ""), -1) {
					named[n] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var rows []string
	for i := 1; i <= 76; i++ {
		rows = append(rows, fmt.Sprintf("P%02d", i))
	}
	for i := 1; i <= 125; i += 2 {
		if i != 53 { // there is no such report
			rows = append(rows, fmt.Sprintf("R%03d", i))
		}
	}
	for _, row := range rows {
		if !named[row] {
			t.Errorf("no test carries the number %s: name one after it, as in Test%s_WhatHolds", row, row)
		}
	}
	if named["P77"] || named["R002"] || named["R053"] {
		t.Error("a test carries the number of a row that does not exist")
	}
}

// TestTree_TheGuideShowsThePicturesThatAreMade: the guide shows only pictures that its command makes, `npm run guide` in
// frontend, and the command makes none for nothing. Each is small enough to keep.
func TestTree_TheGuideShowsThePicturesThatAreMade(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("docs", "guide.md"))
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`!\[([^\]]*)\]\(images/guide/([a-z-]+)\.webp\)`).FindAllSubmatch(guide, -1) {
		if len(m[1]) == 0 {
			t.Errorf("the picture %s says nothing to who cannot see it", m[2])
		}
		shown = append(shown, string(m[2]))
	}
	list, err := os.ReadFile(filepath.Join("frontend", "e2e", "guide.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	var made []string
	for _, m := range regexp.MustCompile(`(?m)^  '[0-9a-z-]+': '([a-z-]+)',$`).FindAllSubmatch(list, -1) {
		made = append(made, string(m[1]))
	}
	slices.Sort(shown)
	slices.Sort(made)
	if len(made) < 10 || !slices.Equal(shown, made) {
		t.Errorf("the guide shows %v\nand made are %v", shown, made)
	}
	for _, name := range made {
		const most = 120_000
		if info, err := os.Stat(filepath.Join("docs", "images", "guide", name+".webp")); err != nil {
			t.Error(err)
		} else if info.Size() > most {
			t.Errorf("the picture %s has %d bytes; %d is the most", name, info.Size(), most)
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([a-z]+\.md)\)`).FindAllSubmatch(guide, -1) {
		if _, err := os.Stat(filepath.Join("docs", string(m[1]))); err != nil {
			t.Errorf("the guide leads nowhere: %v", err)
		}
	}
}
