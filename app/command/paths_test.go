package command

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
)

// heard is a program that writes down which paths it is given.
type heard struct {
	lent
	paths *[]string
}

func (h heard) note(paths ...string) { *h.paths = append(*h.paths, paths...) }

func (h heard) Add(ctx context.Context, r app.AddRequest) (app.AddResult, error) {
	h.note(r.Paths...)
	return h.lent.Add(ctx, r)
}

func (h heard) PlanAdd(ctx context.Context, r app.AddRequest) (app.AddPlan, error) {
	h.note(r.Paths...)
	return h.lent.PlanAdd(ctx, r)
}

func (h heard) Remove(ctx context.Context, r app.RemoveRequest) error {
	h.note(r.Paths...)
	return h.lent.Remove(ctx, r)
}

func (h heard) Retry(ctx context.Context, path string) error {
	h.note(path)
	return h.lent.Retry(ctx, path)
}

func (h heard) SetEncoding(ctx context.Context, path, encoding string) error {
	h.note(path)
	return h.lent.SetEncoding(ctx, path, encoding)
}

func (h heard) SetLabel(ctx context.Context, path, label string) error {
	h.note(path)
	return h.lent.SetLabel(ctx, path, label)
}

func (h heard) SetClass(ctx context.Context, path, class string) error {
	h.note(path)
	return h.lent.SetClass(ctx, path, class)
}

func (h heard) AddTags(ctx context.Context, c app.TagsChange) error {
	h.note(c.Path)
	return h.lent.AddTags(ctx, c)
}

func (h heard) Tags(ctx context.Context, path string) ([]app.Tag, error) {
	h.note(path)
	return h.lent.Tags(ctx, path)
}

// The owner of the data folder may be a window that was started somewhere else:
// it gets paths as the terminal means them.
func TestPaths_AreThoseOfTheTerminal(t *testing.T) {
	d := newDesk(t)
	var paths []string
	d.lend = func(l lent) Session { return heard{l, &paths} }
	t.Chdir(d.docs)
	d.ok("add", ".")
	for _, args := range [][]string{
		{"sync", "retry", "bridge.md"}, {"sync", "retry", "evil.txt", "--encoding", "UTF-8"}, {"collections", "class", "bridge.md", "fact"},
		{"collections", "label", "boiler.md", "restricted"}, {"tag", "add", "bridge.md", "town"}, {"tag", "list", "bridge.md"},
		{"ask", howLong, "--add", "bridge.md"}, {"remove", "."},
	} {
		before := len(paths)
		d.ok(args...)
		if len(paths) == before {
			t.Errorf("%q asked for no path", args)
		}
	}
	for _, p := range paths {
		if !filepath.IsAbs(p) || !strings.HasPrefix(p, d.docs) {
			t.Errorf("%q was handed over", p)
		}
	}

	// A name of a collection is no path, whatever lies here.
	d.write("docs/letters/a.md", "# A\n")
	d.ok("collections", "create", "letters")
	paths = nil
	d.ok("collections", "label", "letters", "restricted")
	if len(paths) != 1 || paths[0] != "letters" {
		t.Errorf("handed over %q", paths)
	}
	for _, args := range [][]string{{"remove", ""}, {"tag", "add", "", "x"}, {"sync", "retry", ""}} {
		if o := d.run(args...); o.code != 2 || !strings.Contains(o.stderr, "A path is empty.") {
			t.Errorf("%q: %+v", args, o)
		}
	}
}
