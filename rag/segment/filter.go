package segment

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"referent/rag"
	"referent/storage/index"
)

// matcher tells whether a document may be found.
type matcher func(document) bool

// compile turns a filter into a matcher. collections maps names to ids. The
// error is a *rag.Error with CodeInvalidFilter.
func compile(f rag.Filter, collections map[string]int64) (matcher, error) {
	if _, err := rag.NewFilter(f.Field, f.Op, f.Values, f.Owner); err != nil {
		return nil, err // a filter that was not made by NewFilter
	}
	switch f.Field {
	case "date":
		return compileDate(f), nil
	case "folder":
		return compileFolder(f), nil
	case "tag":
		return texts(f, func(d document) []string { return d.Tags }, index.NormalTag), nil
	case "document":
		return texts(f, func(d document) []string { return []string{strconv.FormatInt(d.ID, 10), d.path} }, documentKey), nil
	case "collection":
		names := make(map[int64]string, len(collections))
		for name, id := range collections {
			names[id] = name
		}
		for _, v := range f.Values {
			if _, ok := collections[v]; !ok && slices.Contains([]string{"eq", "ne", "in", "nin"}, f.Op) {
				return nil, unknownCollection(v)
			}
		}
		return texts(f, func(d document) []string {
			var out []string
			for _, id := range d.Collections {
				if n := names[id]; n != "" {
					out = append(out, n)
				}
			}
			return out
		}, func(v string) string { return v }), nil
	}
	field := map[string]func(document) string{
		"type":     func(d document) string { return d.Kind },
		"language": func(d document) string { return d.Language },
		"class":    func(d document) string { return d.Class },
		"label":    func(d document) string { return d.Label },
	}[f.Field]
	return texts(f, func(d document) []string { return []string{strings.ToLower(field(d))} }, strings.ToLower), nil
}

func unknownCollection(name string) error {
	return &rag.Error{Code: rag.CodeInvalidFilter, Message: fmt.Sprintf("There is no collection named %q.", name), Hint: "Choose one that is listed in the library."}
}

// documentKey reads a document's id or path.
func documentKey(v string) string {
	if _, err := strconv.ParseInt(v, 10, 64); err == nil {
		return v
	}
	return pathKey(v, foldsCase)
}

// texts compares as strings. A field with several values matches by any of
// them; ne and nin want all of them to differ. Without a value nothing matches.
func texts(f rag.Filter, field func(document) []string, normal func(string) string) matcher {
	want := make([]string, len(f.Values))
	for i, v := range f.Values {
		want[i] = normal(v)
	}
	return func(d document) bool {
		have := slices.DeleteFunc(field(d), func(v string) bool { return v == "" })
		if len(have) == 0 {
			return false
		}
		holds := func(v string) bool { return compares(f.Op, v, want) }
		if f.Op == "ne" || f.Op == "nin" {
			return !slices.ContainsFunc(have, func(v string) bool { return !holds(v) })
		}
		return slices.ContainsFunc(have, holds)
	}
}

func compares(op, v string, want []string) bool {
	switch op {
	case "eq", "in":
		return slices.Contains(want, v)
	case "ne", "nin":
		return !slices.Contains(want, v)
	case "gt":
		return v > want[0]
	case "gte":
		return v >= want[0]
	case "lt":
		return v < want[0]
	case "lte":
		return v <= want[0]
	}
	return want[0] <= v && v <= want[1]
}

// compileFolder matches what lies below; the order operators compare the path
// of the file's folder.
func compileFolder(f rag.Filter) matcher {
	roots := make([]string, len(f.Values))
	for i, v := range f.Values {
		roots[i] = pathKey(v, foldsCase)
	}
	below := func(d document) bool {
		return slices.ContainsFunc(roots, func(r string) bool { return under(d.path, r) })
	}
	return func(d document) bool {
		switch {
		case d.path == "":
			return false
		case f.Op == "eq" || f.Op == "in":
			return below(d)
		case f.Op == "ne" || f.Op == "nin":
			return !below(d)
		}
		return compares(f.Op, path.Dir(d.path), roots)
	}
}

// compileDate compares the day of the last change, in local time, as far as
// the value goes: 2024-03 is the whole month.
func compileDate(f rag.Filter) matcher {
	return func(d document) bool {
		if d.ModTime.IsZero() {
			return false
		}
		have := d.ModTime.Local().Format("2006-01-02T15:04:05")
		as := func(v string, op string) bool { return compares(op, have[:len(v)], []string{v}) }
		switch f.Op {
		case "in", "eq":
			return slices.ContainsFunc(f.Values, func(v string) bool { return as(v, "eq") })
		case "nin", "ne":
			return !slices.ContainsFunc(f.Values, func(v string) bool { return as(v, "eq") })
		case "between":
			return as(f.Values[0], "gte") && as(f.Values[1], "lte")
		}
		return as(f.Values[0], f.Op)
	}
}
