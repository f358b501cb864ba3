package index

import (
	"strings"
	"testing"
)

// The counts of a few chunks are looked up one by one, however many there are.
func TestTokenCounts_AreLookedUpByChunk(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", l.collection("A", "public").ID).ID, "/docs/a.txt", 10)
	chunks := l.store(d.ID, "one", "two", "three")
	l.ok(l.PutTokenCounts(t.Context(), "m", map[int64]int{chunks[0].ID: 7, chunks[2].ID: 9}))
	l.ok(l.PutTokenCounts(t.Context(), "other", map[int64]int{chunks[0].ID: 70, chunks[1].ID: 80}))
	got, err := l.TokenCounts(t.Context(), "m", []int64{chunks[2].ID, chunks[1].ID, chunks[0].ID, 999})
	l.ok(err)
	if len(got) != 2 || got[chunks[0].ID] != 7 || got[chunks[2].ID] != 9 {
		t.Errorf("%v", got)
	}
	rows, err := l.db.Read.Query("EXPLAIN QUERY PLAN "+tokenCountsQuery, "[]", "m")
	l.ok(err)
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		l.ok(rows.Scan(&id, &parent, &unused, &step))
		steps = append(steps, step)
	}
	l.ok(rows.Err())
	plan := strings.Join(steps, "\n")
	if len(steps) == 0 || !strings.HasPrefix(steps[0], "SCAN j") ||
		!strings.Contains(plan, "SEARCH t USING PRIMARY KEY (tokenizer=? AND content_hash=?)") {
		t.Errorf("the plan is\n%s", plan)
	}
}
