package segment

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/rag"
	"referent/storage/index"
)

// shelf holds six documents; chunk and document have the same number.
func shelf(t *testing.T) *Snapshot {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 12, 0, 0, 0, time.Local) }
	var batch []Addition
	for _, c := range []index.DocumentColumns{
		{ID: 1, Path: "/home/ada/house/rules.md", Kind: "markdown", Language: "en", Class: "fact", Label: "public", Collections: []int64{1}, Tags: []string{"rules"}, ModTime: day(2023, 5, 2)},
		{ID: 2, Path: "/home/ada/house/2024/minutes.pdf", Kind: "pdf", Language: "it", Class: "snapshot", Label: "public", Collections: []int64{1, 2}, ModTime: day(2024, 2, 29)},
		{ID: 3, Path: "/home/ada/household.txt", Kind: "text", Language: "de", Class: "transient", Label: "public", Tags: []string{"tax"}, ModTime: day(2024, 3, 1)},
		{ID: 4, Path: "/home/ada/cafe\u0301/menu.txt", Kind: "text", Label: "public", Collections: []int64{2}, ModTime: day(2024, 3, 31)},
		{ID: 5, Path: "", Kind: "", Label: ""},
		{ID: 6, Path: "/home/ada/house/gone.md", Kind: "markdown", Language: "en", Label: "public", Collections: []int64{1}, ModTime: day(2024, 1, 1)},
	} {
		c.Searchable = c.ID != 6
		batch = append(batch, Addition{c, []index.Chunk{chunk(c.ID, c.ID, "pump")}})
	}
	x := opened(t, &library{})
	x.AddAll(batch)
	return x.Snapshot()
}

var names = map[string]int64{"house": 1, "town": 2, "empty": 3}

func chunksOf(s *Snapshot, allow *Bitmap) []int64 {
	var out []int64
	ord := 0
	for _, b := range s.blocks {
		for _, id := range b.words.Chunks() {
			if allow.Has(ord) {
				out = append(out, id)
			}
			ord++
		}
	}
	slices.Sort(out)
	return out
}

func TestP42_FiltersOnlyNarrowAndAMissingFieldNeverMatches(t *testing.T) {
	s := shelf(t)
	for _, c := range []struct {
		field, op, values string
		want              []int64
	}{
		{"type", "eq", "text", []int64{3, 4}},
		{"type", "ne", "text", []int64{1, 2}},
		{"type", "in", "pdf Markdown", []int64{1, 2}},
		{"type", "nin", "pdf markdown", []int64{3, 4}},
		{"type", "gt", "markdown", []int64{2, 3, 4}},
		{"type", "lte", "pdf", []int64{1, 2}},
		{"type", "between", "n q", []int64{2}},
		{"language", "eq", "it", []int64{2}},
		{"language", "ne", "it", []int64{1, 3}},
		{"class", "eq", "fact", []int64{1}},
		{"class", "nin", "fact transient", []int64{2}},
		{"label", "eq", "public", []int64{1, 2, 3, 4}},
		{"label", "eq", "restricted", nil},
		{"tag", "eq", "Tax", []int64{3}},
		{"tag", "ne", "rules", []int64{3}},
		{"tag", "in", "rules none", []int64{1}},
		{"tag", "nin", "rules none", []int64{3}},
		{"tag", "lt", "s", []int64{1}},
		{"tag", "between", "ta tb", []int64{3}},
		{"tag", "eq", "x", nil},
		{"collection", "eq", "house", []int64{1, 2}},
		{"collection", "ne", "house", []int64{4}},
		{"collection", "in", "town empty", []int64{2, 4}},
		{"collection", "nin", "town empty", []int64{1}},
		{"folder", "eq", "/home/ada/house", []int64{1, 2}},
		{"folder", "eq", "/home/ada/house/", []int64{1, 2}},
		{"folder", "ne", "/home/ada/house", []int64{3, 4}},
		{"folder", "in", "/home/ada/house/2024 /home/ada/household.txt", []int64{2, 3}},
		{"folder", "eq", "/home/ada/caf\u00e9", []int64{4}},
		{"folder", "eq", "/", []int64{1, 2, 3, 4}},
		{"date", "eq", "2024-03-01", []int64{3}},
		{"date", "eq", "2024-03", []int64{3, 4}},
		{"date", "eq", "2024", []int64{2, 3, 4}},
		{"date", "ne", "2024", []int64{1}},
		{"date", "gt", "2024-02", []int64{3, 4}},
		{"date", "gte", "2024-02-29", []int64{2, 3, 4}},
		{"date", "lt", "2024", []int64{1}},
		{"date", "lte", "2024-02-29", []int64{1, 2}},
		{"date", "between", "2024-02-29 2024-03-01", []int64{2, 3}},
		{"date", "between", "2023 2024-02", []int64{1, 2}},
		{"document", "eq", "3", []int64{3}},
		{"document", "in", "1 /home/ada/household.txt", []int64{1, 3}},
	} {
		f, err := rag.NewFilter(c.field, c.op, strings.Fields(c.values), rag.OwnerUser)
		if err != nil {
			t.Fatal(err)
		}
		allow, err := s.Allowed(rag.Scope{}, []rag.Filter{f}, names)
		if err != nil {
			t.Fatalf("%s %s %s: %v", c.field, c.op, c.values, err)
		}
		if got := chunksOf(s, allow); !slices.Equal(got, c.want) {
			t.Errorf("%s %s %s allows %v, want %v", c.field, c.op, c.values, got, c.want)
		}
	}
}

// What each operator means, worked out on the values alone: every field knows
// all nine.
func TestP42_EveryOperatorOnEveryField(t *testing.T) {
	s := shelf(t)
	values := map[string]map[int64]string{ // by document; those without one match nothing
		"type":     {1: "markdown", 2: "pdf", 3: "text", 4: "text"},
		"language": {1: "en", 2: "it", 3: "de"},
		"class":    {1: "fact", 2: "snapshot", 3: "transient"},
		"label":    {1: "public", 2: "public", 3: "public", 4: "public"},
		"tag":      {1: "rules", 3: "tax"},
		"date":     {1: "2023-05-02", 2: "2024-02-29", 3: "2024-03-01", 4: "2024-03-31"},
		"folder":   {1: "/home/ada/house", 2: "/home/ada/house/2024", 3: "/home/ada", 4: "/home/ada/caf\u00e9"},
	}
	bounds := map[string][2]string{"type": {"n", "text"}, "language": {"en", "fr"}, "class": {"fact", "g"}, "label": {"a", "public"}, "tag": {"rules", "tax"},
		"date": {"2024-02-29", "2024-03-01"}, "folder": {"/home/ada", "/home/ada/house"}}
	holds := map[string]func(v, low, high string) bool{
		"eq": func(v, low, _ string) bool { return v == low }, "ne": func(v, low, _ string) bool { return v != low },
		"in": func(v, low, high string) bool { return v == low || v == high }, "nin": func(v, low, high string) bool { return v != low && v != high },
		"gt": func(v, low, _ string) bool { return v > low }, "gte": func(v, low, _ string) bool { return v >= low },
		"lt": func(v, low, _ string) bool { return v < low }, "lte": func(v, low, _ string) bool { return v <= low },
		"between": func(v, low, high string) bool { return low <= v && v <= high },
	}
	for field, of := range values {
		low, high := bounds[field][0], bounds[field][1]
		for op, holds := range holds {
			given := []string{low}
			if op == "in" || op == "nin" || op == "between" {
				given = append(given, high)
			}
			var want []int64
			for id := int64(1); id <= 4; id++ {
				v, ok := of[id]
				h := holds
				if below := func(v, a, _ string) bool { return v == a || strings.HasPrefix(v, a+"/") }; field == "folder" { // what lies below counts
					switch op {
					case "eq":
						h = below
					case "ne":
						h = func(v, a, _ string) bool { return !below(v, a, "") }
					case "in":
						h = func(v, a, b string) bool { return below(v, a, "") || below(v, b, "") }
					case "nin":
						h = func(v, a, b string) bool { return !below(v, a, "") && !below(v, b, "") }
					}
				}
				if ok && h(v, low, high) {
					want = append(want, id)
				}
			}
			f, err := rag.NewFilter(field, op, given, rag.OwnerUser)
			if err != nil {
				t.Fatal(err)
			}
			allow, err := s.Allowed(rag.Scope{}, []rag.Filter{f}, names)
			if err != nil {
				t.Fatal(err)
			}
			if got := chunksOf(s, allow); !slices.Equal(got, want) {
				t.Errorf("%s %s %v allows %v, want %v", field, op, given, got, want)
			}
		}
	}
}

// A document with several tags is found by each of them, and shut out by each.
func TestP42_SeveralTags(t *testing.T) {
	x := opened(t, &library{})
	x.AddAll([]Addition{
		{index.DocumentColumns{ID: 1, Path: "/a", Searchable: true, Label: "public", Tags: []string{"rules", "tax 2024"}}, []index.Chunk{chunk(1, 1, "pump")}},
		{index.DocumentColumns{ID: 2, Path: "/b", Searchable: true, Label: "public", Tags: []string{"tax 2024"}}, []index.Chunk{chunk(2, 2, "pump")}},
		{index.DocumentColumns{ID: 3, Path: "/c", Searchable: true, Label: "public"}, []index.Chunk{chunk(3, 3, "pump")}},
	})
	s := x.Snapshot()
	for _, c := range []struct {
		op     string
		values []string
		want   []int64
	}{
		{"eq", []string{"rules"}, []int64{1}},
		{"eq", []string{" Tax  2024 "}, []int64{1, 2}},
		{"ne", []string{"rules"}, []int64{2}},
		{"nin", []string{"rules", "tax 2024"}, nil},
		{"gt", []string{"s"}, []int64{1, 2}},
	} {
		f, err := rag.NewFilter("tag", c.op, c.values, rag.OwnerUser)
		if err != nil {
			t.Fatal(err)
		}
		allow, err := s.Allowed(rag.Scope{}, []rag.Filter{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := chunksOf(s, allow); !slices.Equal(got, c.want) {
			t.Errorf("%s %v allows %v, want %v", c.op, c.values, got, c.want)
		}
	}
}

func TestP42_MalformedFiltersAreRefusedWithASentence(t *testing.T) {
	s := shelf(t)
	for _, f := range []rag.Filter{
		{Field: "date", Op: "eq", Values: []string{"yesterday"}},
		{Field: "date", Op: "between", Values: []string{"2024"}},
		{Field: "date", Op: "between", Values: []string{"2024-03", "2024-02-28"}},
		{Field: "date", Op: "in", Values: []string{"2024", "2023-02-29"}},
		{Field: "date", Op: "gte", Values: []string{"2024-13"}},
		{Field: "date", Op: "lt", Values: []string{"2024-03-01T25:00"}},
		{Field: "date", Op: "eq", Values: []string{"24"}},
		{Field: "folder", Op: "eq", Values: []string{""}},
		{Field: "colour", Op: "eq", Values: []string{"red"}},
		{Field: "type", Op: "like", Values: []string{"pdf"}},
		{Field: "type", Op: "eq"},
		{Field: "collection", Op: "eq", Values: []string{"nowhere"}},
	} {
		if f.Field != "collection" { // which names there are is known to a search only
			if _, err := rag.NewFilter(f.Field, f.Op, f.Values, f.Owner); !errors.Is(err, &rag.Error{Code: rag.CodeInvalidFilter}) {
				t.Errorf("%v was made: %v", f, err)
			}
		}
		_, err := s.Allowed(rag.Scope{}, []rag.Filter{f}, names)
		if !errors.Is(err, &rag.Error{Code: rag.CodeInvalidFilter}) || err.Error() == "" {
			t.Errorf("%v: %v", f, err)
		}
	}
}

func TestScope(t *testing.T) {
	s := shelf(t)
	for _, c := range []struct {
		scope rag.Scope
		want  []int64
	}{
		{rag.Scope{}, []int64{1, 2, 3, 4, 5}},
		{rag.Scope{Collections: []string{"house"}}, []int64{1, 2}},
		{rag.Scope{Collections: []string{"house", "town"}}, []int64{1, 2, 4}},
		{rag.Scope{Collections: []string{"empty"}}, nil},
		{rag.Scope{PathUnder: "/home/ada/house"}, []int64{1, 2}},
		{rag.Scope{PathUnder: "/home/ada/house/../household.txt"}, []int64{3}},
		{rag.Scope{PathUnder: "/home/ada/hous"}, nil},
		{rag.Scope{Types: []string{"PDF", "text"}}, []int64{2, 3, 4}},
		{rag.Scope{Documents: []int64{2, 3, 6, 99}}, []int64{2, 3}},
		{rag.Scope{Collections: []string{"town"}, Types: []string{"text"}}, []int64{4}},
	} {
		allow, err := s.Allowed(c.scope, nil, names)
		if err != nil {
			t.Fatal(err)
		}
		if got := chunksOf(s, allow); !slices.Equal(got, c.want) {
			t.Errorf("%+v allows %v, want %v", c.scope, got, c.want)
		}
	}
	if _, err := s.Allowed(rag.Scope{Collections: []string{"nowhere"}}, nil, names); !errors.Is(err, &rag.Error{Code: rag.CodeInvalidFilter}) {
		t.Errorf("an unknown collection gave %v", err)
	}
}

func TestPathKey(t *testing.T) {
	for _, c := range []struct {
		path, root string
		fold, want bool
	}{
		{"/A/b.txt", "/a", true, true},
		{"/A/b.txt", "/a", false, false},
		{"/a/bc", "/a/b", false, false},
		{"/a/b", "/a/b", false, true},
		{"/a/u\u0308/x", "/a/\u00fc", false, true},
	} {
		if got := under(pathKey(c.path, c.fold), pathKey(c.root, c.fold)); got != c.want {
			t.Errorf("%s under %s (fold %v): %v", c.path, c.root, c.fold, got)
		}
	}
}
