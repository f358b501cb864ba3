package chunk

import (
	_ "embed"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"referent/rag"
)

//go:embed testdata/mixed-folder.tsv
var mixedFolder string

// mixedKinds is the kind that the readers give a file by its ending; others
// are text.
var mixedKinds = map[string]string{".pdf": "pdf", ".docx": "docx", ".odt": "odt", ".xlsx": "xlsx", ".csv": "csv", ".pptx": "pptx", ".html": "html", ".md": "markdown",
	".json": "json", ".epub": "epub", ".eml": "email", ".ipynb": "notebook", ".png": "image",
	".go": "code", ".ts": "code", ".css": "code", ".sh": "code", ".sql": "code", ".py": "code"}

// TestClassAgreesWithAPerson compares the rule with the labels that a person
// gave by the same path and age.
func TestClassAgreesWithAPerson(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	all, agree, passing := 0, 0, 0
	for line := range strings.Lines(mixedFolder) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		days, err := strconv.Atoi(cells[1])
		if err != nil || len(cells) != 3 {
			t.Fatalf("%q: %v", line, err)
		}
		kind := mixedKinds[filepath.Ext(cells[2])]
		if kind == "" {
			kind = "text"
		}
		want := rag.Class(cells[0])
		got, why := Class("/home/ada/"+cells[2], kind, now.Add(-time.Duration(days)*24*time.Hour), now)
		all++
		if want == rag.ClassSnapshot || want == rag.ClassTransient {
			passing++
		}
		if got == want {
			agree++
		} else {
			t.Logf("%s: %s (%s), a person says %s", cells[2], got, why, want)
		}
	}
	t.Logf("%d of %d agree, %d are snapshot or transient", agree, all, passing)
	if all < 300 || agree*10 < all*9 || passing*10 < all {
		t.Errorf("%d of %d agree, %d are snapshot or transient", agree, all, passing)
	}
}
