package lab

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"referent/rag"
)

func TestS3_EvidenceIsCountedByItsPlace(t *testing.T) {
	set := Set{Suite: "S3", Rows: []Row{{ID: "d#0", Document: "d", Stretch: Stretch{0, 100}}, {ID: "d#1", Document: "d", Stretch: Stretch{90, 200}},
		{ID: "e#0", Document: "e", Stretch: Stretch{0, 100}}}}
	q := Question{Document: "d", Evidence: []Stretch{{80, 120}, {190, 210}}}
	for _, c := range []struct {
		ids                                        []string
		recall, precision, iou, recallAt, returned float64
	}{
		// 40 of 60 and 10 of the second stretch are in 0 to 200.
		{[]string{"d#0", "d#1"}, 50.0 / 60, 50.0 / 200, 50.0 / 210, 50.0 / 60, 200},
		{[]string{"d#1"}, 40.0 / 60, 40.0 / 110, 40.0 / 130, 40.0 / 60, 110},
		{[]string{"e#0", "d#0"}, 20.0 / 60, 20.0 / 200, 20.0 / 240, 20.0 / 60, 200}, // the same place of another document is no evidence
		{nil, 0, 0, 0, 0, 0},
	} {
		got := map[string]float64{}
		scoreChunks(got, set, q, c.ids)
		if got["evidence_recall@5"] != c.recall || got["evidence_precision@5"] != c.precision || got["evidence_iou@5"] != c.iou || got["evidence_recall@4000c"] != c.recallAt {
			t.Errorf("%v: %v, not %+v", c.ids, got, c)
		}
	}
}

// Text beyond the budget does not count, so chunks of all sizes return the same.
func TestS3_EqualTextIsCompared(t *testing.T) {
	set := Set{Rows: []Row{{ID: "d#0", Document: "d", Stretch: Stretch{0, 3000}}, {ID: "d#1", Document: "d", Stretch: Stretch{3000, 6000}}, {ID: "d#2", Document: "d", Stretch: Stretch{6000, 9000}}}}
	q := Question{Document: "d", Evidence: []Stretch{{3900, 4100}, {6000, 6100}}}
	got := map[string]float64{}
	scoreChunks(got, set, q, []string{"d#0", "d#1", "d#2"})
	if got["evidence_recall@4000c"] != 100.0/300 || got["evidence_precision@4000c"] != 100.0/4000 || got["evidence_recall@5"] != 1 {
		t.Errorf("%v", got)
	}
}

func TestS3_PlacesAreThoseOfTheTextThatWasRead(t *testing.T) {
	root := sets(t, map[string]string{
		"chunking_eval/corpora/notes.md.gz": "# Größe\n\nÉin *erster*  Satz. The mill\nwas **closed**. The mill was closed. Ends.\n",
		"chunking_eval/questions.jsonl.gz": `{"id":3,"question":"When?","corpus_id":"notes","references":[{"content":"The mill was closed.","start_index":60,"end_index":80},` +
			`{"content":"The mill\nwas **closed**.","start_index":32,"end_index":56},{"content":"Nobody wrote this.","start_index":1,"end_index":19}]}`,
	})
	var read string
	extract := func(_ context.Context, path string) (rag.Extraction, error) {
		raw, err := os.ReadFile(path)
		if err != nil {
			return rag.Extraction{}, err
		}
		read = strings.Join(strings.Fields(strings.NewReplacer("#", "", "*", "").Replace(string(raw))), " ")
		return rag.Extraction{Status: rag.FileIndexed, Kind: "markdown", Text: read, Blocks: []rag.Block{{Kind: rag.BlockParagraph, Text: read}}}, nil
	}
	got, err := Read(t.Context(), "S3", Places{Sets: root, Extract: extract})
	if err != nil {
		t.Fatal(err)
	}
	runes := []rune(read)
	q := got[0].Questions[0]
	if q.ID != "3" || q.Document != "notes" || len(q.Evidence) != 3 || len(got[0].Rows) == 0 || got[0].Rows[0].Document != "notes" {
		t.Fatalf("%+v", q)
	}
	first := strings.Index(read, "The mill")
	for i, want := range []int{first + len("The mill was closed. "), first} {
		e := q.Evidence[i]
		if s := string(runes[e.From:e.To]); s != "The mill was closed" || e.From != len([]rune(read[:want])) {
			t.Errorf("evidence %d is %q at %d", i, s, e.From)
		}
	}
	if e := q.Evidence[2]; e.length() != len("Nobody wrote this.") || e.To > 0 {
		t.Errorf("what was not read is at %+v", e)
	}
	unread := func(context.Context, string) (rag.Extraction, error) {
		return rag.Extraction{Status: rag.FileDamaged, Reason: "It is broken."}, nil
	}
	if _, err := Read(t.Context(), "S3", Places{Sets: root, Extract: unread}); err == nil || !strings.Contains(fmt.Sprint(err), "It is broken.") {
		t.Errorf("%v", err)
	}
}
