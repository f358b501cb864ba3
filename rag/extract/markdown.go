package extract

import (
	"bytes"
	"context"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"referent/rag"
)

// readMarkdown reads Markdown with tables, task lists and footnotes (GFM), and
// the title of a front matter. Locators are line ranges.
func readMarkdown(ctx context.Context, src *source, opts Options, d *document) error {
	if src.size > maxMarkdownBytes {
		return readText(ctx, src, opts, d)
	}
	full, err := textOf(src, opts, maxMarkdownBytes, d)
	if err != nil {
		return err
	}
	if nestsTooDeep(full) {
		lineBlocks(full, rag.BlockParagraph, d)
		return nil
	}
	body, skipped := frontMatter(full, d)
	lines := lineIndex(body)
	markdownBlocks([]byte(body), func(from, to int) rag.Locator {
		return rag.Locator{LineFrom: skipped + lines.at(from), LineTo: skipped + lines.at(to)}
	}, d)
	return nil
}

// nestsTooDeep finds text whose nesting alone would keep the Markdown parser
// busy for seconds: a line that opens more than 60 quotes, lists or brackets.
func nestsTooDeep(s string) bool {
	run := 0
	for _, r := range s {
		switch r {
		case '>', '[', '*', '_', '`', '(', '-', '+', '!', '<':
			if run++; run > 500 {
				return true
			}
		case ' ', '\t':
		case '\n':
			if run < 60 {
				run = 0
			}
		default:
			run = 0
		}
	}
	return false
}

// frontMatter cuts a YAML or TOML head off and takes its title. It returns the
// body and how many lines were cut.
func frontMatter(s string, d *document) (string, int) {
	fence := "---\n"
	if strings.HasPrefix(s, "+++\n") {
		fence = "+++\n"
	} else if !strings.HasPrefix(s, fence) {
		return s, 0
	}
	end := strings.Index(s[len(fence):], "\n"+fence[:3])
	if end < 0 || end > 64<<10 {
		return s, 0
	}
	head := s[len(fence) : len(fence)+end]
	rest := s[len(fence)+end+1+3:]
	nl := strings.IndexByte(rest, '\n')
	if nl < 0 {
		nl = len(rest) - 1
	}
	if strings.TrimSpace(rest[:nl+1]) != "" {
		return s, 0 // a rule between two texts, no front matter
	}
	for _, line := range strings.Split(head, "\n") {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			key, value, ok = strings.Cut(line, "=")
		}
		if !ok {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "title":
			d.setTitle(value, "metadata")
		case "lang", "language":
			if len(value) >= 2 {
				d.language = strings.ToLower(value[:2])
			}
		}
	}
	return rest[nl+1:], strings.Count(s[:len(s)-len(rest)+nl+1], "\n")
}

// lineStarts answers which line a byte offset is on.
type lineStarts []int

func lineIndex(s string) lineStarts {
	starts := lineStarts{0}
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (l lineStarts) at(offset int) int {
	return sort.Search(len(l), func(i int) bool { return l[i] > offset })
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// markdownBlocks adds the blocks of a Markdown text; at locates a byte range.
func markdownBlocks(src []byte, at func(from, to int) rag.Locator, d *document) {
	root := markdown.Parser().Parse(text.NewReader(src))
	m := markdownWalk{src: src, at: at, d: d}
	_ = ast.Walk(root, m.visit) // visit returns no error
}

type markdownWalk struct {
	src []byte
	at  func(from, to int) rag.Locator
	d   *document
}

func (m *markdownWalk) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if m.d.full {
		return ast.WalkStop, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		m.d.heading(n.Level, m.inline(n), m.span(n))
	case *ast.Paragraph, *ast.TextBlock:
		m.paragraph(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		m.code(n)
	case *ast.HTMLBlock:
		m.d.add(rag.Block{Kind: rag.BlockParagraph, Text: htmlText(m.raw(n)), Locator: m.span(n)})
	case *east.Table:
		m.table(n)
	default:
		return ast.WalkContinue, nil
	}
	return ast.WalkSkipChildren, nil
}

// paragraph is a list item where it stands in a list, a note in a footnote.
func (m *markdownWalk) paragraph(n ast.Node) {
	kind := rag.BlockParagraph
	marker := ""
	for p := n.Parent(); p != nil; p = p.Parent() {
		if _, ok := p.(*east.Footnote); ok {
			kind = rag.BlockNote
			break
		}
		if item, ok := p.(*ast.ListItem); ok && kind == rag.BlockParagraph {
			kind = rag.BlockListItem
			if item.FirstChild() == n {
				marker = listMarker(item)
			}
		}
	}
	m.d.add(rag.Block{Kind: kind, Text: marker + m.inline(n), Locator: m.span(n)})
}

// listMarker gives ordered items their number, since "step 3" is asked for.
func listMarker(item *ast.ListItem) string {
	list, ok := item.Parent().(*ast.List)
	if !ok || !list.IsOrdered() {
		return "- "
	}
	n := list.Start
	for s := item.PreviousSibling(); s != nil; s = s.PreviousSibling() {
		n++
	}
	return itoa(n) + ". "
}

func (m *markdownWalk) code(n ast.Node) {
	if text := m.raw(n); text != "" {
		m.d.add(rag.Block{Kind: rag.BlockCode, Text: text, Locator: m.span(n)})
	}
}

func (m *markdownWalk) table(t *east.Table) {
	var rows []string
	header := ""
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var cells []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, cell(m.inline(c)))
		}
		text := row(cells)
		if _, ok := r.(*east.TableHeader); ok {
			header = text
		}
		if text != "" {
			rows = append(rows, text)
		}
	}
	m.d.add(rag.Block{Kind: rag.BlockTable, Text: strings.Join(rows, "\n"), TableHeader: header, Locator: m.span(t)})
}

func (m *markdownWalk) raw(n ast.Node) string {
	var b bytes.Buffer
	lines := n.Lines()
	for i := 0; i < lines.Len(); i++ {
		s := lines.At(i)
		b.Write(s.Value(m.src))
	}
	return b.String()
}

// inline gives the text of a block's inline nodes: link texts without their
// addresses, code spans without marks, images by their description.
func (m *markdownWalk) inline(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(m.src))
			if c.HardLineBreak() {
				b.WriteByte('\n')
			} else if c.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.URL(m.src))
		case *east.TaskCheckBox:
			if c.IsChecked {
				b.WriteString("[x] ")
			} else {
				b.WriteString("[ ] ")
			}
		}
		return ast.WalkContinue, nil
	})
	return unescape(b.String())
}

// span is the locator of all lines of a node and its children.
func (m *markdownWalk) span(n ast.Node) rag.Locator {
	from, to := -1, -1
	grow := func(s text.Segment) {
		if s.Stop <= s.Start {
			return
		}
		if from < 0 || s.Start < from {
			from = s.Start
		}
		if s.Stop-1 > to {
			to = s.Stop - 1
		}
	}
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if c.Type() == ast.TypeBlock {
			for i := 0; i < c.Lines().Len(); i++ {
				grow(c.Lines().At(i))
			}
		} else if t, ok := c.(*ast.Text); ok {
			grow(t.Segment)
		}
		return ast.WalkContinue, nil
	})
	if from < 0 {
		return m.at(0, 0)
	}
	return m.at(from, to)
}
