package api

import (
	"fmt"
	"reflect"
	"testing"
)

// A program gives a file tags, sees them, narrows a search to them, and takes them
// back; a call sets all of them, so that it may be repeated.
func TestTags_AreSetShownAndSearchedBy(t *testing.T) {
	d := newDesk(t, nil)
	id := d.file("bridge.md").ID
	path := fmt.Sprintf("/api/v1/documents/%d", id)
	set := func(tags ...any) []any {
		t.Helper()
		return d.expect(200, "PUT", path+"/tags", map[string]any{"tags": append([]any{}, tags...)}).object(t)["tags"].([]any)
	}
	search := func(tag string) (documents map[any]bool) {
		t.Helper()
		r := d.expect(200, "POST", "/api/v1/search", map[string]any{"question": howLong, "filters": []any{map[string]any{"field": "tag", "op": "eq", "value": []any{tag}}}}).object(t)
		documents = map[any]bool{}
		for _, h := range r["hits"].([]any) {
			documents[h.(map[string]any)["document"]] = true
		}
		return documents
	}
	want := []any{"iron works", "town"}
	for range 2 {
		if got := set("Town", " iron  Works ", "town"); !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := d.expect(200, "GET", path, nil).object(t)["tags"]; !reflect.DeepEqual(got, want) {
		t.Errorf("the file has %v", got)
	}
	if got := search("TOWN"); len(got) != 1 || !got[float64(id)] {
		t.Errorf("found in %v", got)
	}
	if got := set("harbour"); !reflect.DeepEqual(got, []any{"harbour"}) {
		t.Errorf("%v", got)
	}
	if got := search("town"); len(got) != 0 {
		t.Errorf("a tag that was taken away is still found: %v", got)
	}
	if got := set(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	for _, wrong := range []any{map[string]any{"tags": []any{" "}}, map[string]any{"tags": "town"}, map[string]any{}} {
		d.expect(422, "PUT", path+"/tags", wrong)
	}
}
