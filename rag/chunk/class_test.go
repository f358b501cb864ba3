package chunk

import (
	"strings"
	"testing"
	"time"

	"referent/rag"
)

func TestP49_ClassFromFolderNameKindAndAge(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	for _, c := range []struct {
		path, kind string
		age        time.Duration
		want       rag.Class
	}{
		{"/a/statutes.md", "markdown", day, rag.ClassFact},
		{"/a/statutes 2023.md", "markdown", day, rag.ClassFact},
		{"/a/Heating manual.pdf", "pdf", day, rag.ClassFact},
		{"/a/Hausordnung.pdf", "pdf", day, rag.ClassFact},
		{"/a/Regolamento condominiale.docx", "docx", day, rag.ClassFact},
		{"/a/contrat de location.pdf", "pdf", day, rag.ClassFact},
		{"/a/reference/x.txt", "text", day, rag.ClassFact},
		{"/a/src/main.go", "code", day, rag.ClassFact},
		{"/a/Minutes 2024-03-12.md", "markdown", day, rag.ClassSnapshot},
		{"/a/verbale assemblea.pdf", "pdf", day, rag.ClassSnapshot},
		{"/a/Protokollbuch.docx", "docx", day, rag.ClassSnapshot},
		{"/a/Kassenbericht.pdf", "pdf", day, rag.ClassSnapshot},
		{"/a/Mietvertrag.txt", "text", day, rag.ClassFact},
		{"/a/compte-rendu.pdf", "pdf", day, rag.ClassSnapshot},
		{"/a/acta de la reunión.pdf", "pdf", day, rag.ClassSnapshot},
		{"/a/20240312.txt", "text", day, rag.ClassSnapshot},
		{"/a/12.03.2024 besuch.txt", "text", day, rag.ClassSnapshot},
		{"/a/sales 2024-q1.csv", "csv", day, rag.ClassSnapshot},
		{"/a/notes/x.txt", "text", day, rag.ClassSnapshot},
		{"/a/rechnungen/4711.pdf", "pdf", day, rag.ClassSnapshot},
		{"/a/server.log", "text", day, rag.ClassTransient},
		{"/a/WhatsApp Chat with Ada.txt", "text", day, rag.ClassTransient},
		{"/a/tmp/x.md", "markdown", day, rag.ClassTransient},
		{"/a/Downloads/x.bin.txt", "text", day, rag.ClassTransient},
		{"/a/Downloads/x.bin.txt", "text", 400 * day, rag.ClassUnknown},
		{"/a/things.txt", "text", day, rag.ClassUnknown},
		{"/a/prices.csv", "csv", day, rag.ClassFact},
		{"/a/temperature.txt", "text", day, rag.ClassUnknown}, // "temp" is no word of its own
		{"/a/temp kitchen.csv", "csv", day, rag.ClassFact},    // and says nothing before others
		{"/a/export temp.csv", "csv", day, rag.ClassTransient},
		{"/a/normal.txt", "text", day, rag.ClassUnknown}, // nor is "norm"
		{"/a/logs/backup 2026-05-01.txt", "text", day, rag.ClassTransient},
		{"/a/Chats/team 2026-05-01.txt", "text", day, rag.ClassTransient},
		{"/a/IMG_20260401_1033.txt", "text", day, rag.ClassUnknown},
		{"/a/document(1).pdf", "pdf", day, rag.ClassUnknown},
		{"/a/Downloads/document(1).pdf", "pdf", day, rag.ClassTransient},
		{"/a/Downloads/document(1).pdf", "pdf", 400 * day, rag.ClassUnknown},
		{"/a/Downloads/thesis.pdf", "pdf", 400 * day, rag.ClassFact},
		{"/a/invoice template.xlsx", "xlsx", day, rag.ClassFact},
		{"/a/Notes/how to reset the door.md", "markdown", day, rag.ClassFact},
		{"/a/Lettera al comune.odt", "odt", day, rag.ClassSnapshot},
		{"/a/correspondence/city.pdf", "pdf", day, rag.ClassSnapshot},
		{"/a/concept v3 final.docx", "docx", day, rag.ClassSnapshot},
		{"/a/manual v2.pdf", "pdf", day, rag.ClassFact},
		{"/a/wiki/Onboarding.md", "markdown", day, rag.ClassFact},
		{"/a/events.ics", "text", day, rag.ClassSnapshot},
		{"/a/anna.vcf", "text", day, rag.ClassFact},
		{"/a/Fire safety.pptx", "pptx", day, rag.ClassFact},
	} {
		got, why := Class(c.path, c.kind, now.Add(-c.age), now)
		if got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.path, got, why, c.want)
		}
		if !strings.HasSuffix(why, ".") {
			t.Errorf("%s: no reason in words: %q", c.path, why)
		}
	}
}
