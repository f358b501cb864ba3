package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"referent/rag"
)

// TestEverySetEncodingReadsItsText: whatever detection would say, a file of any
// length is read in the encoding that was set, and its name is told.
func TestEverySetEncodingReadsItsText(t *testing.T) {
	for _, c := range encodingCases {
		name, _, _ := strings.Cut(c.name, " ")
		set, known := EncodingName(name)
		if !known {
			t.Errorf("%s cannot be set", name)
		}
		for _, lang := range c.langs {
			for _, size := range []int{50, 500} {
				want, raw := beginning(strings.Repeat(encodable(sentence(lang), c.enc), 20), c.enc, size)
				ex := readBytes(t, "a.txt", raw, Options{Encoding: name})
				if want = strings.TrimSpace(want); ex.Text != want || ex.Encoding != set {
					t.Errorf("%s %s %d: read as %s: %.60q", c.name, lang, size, ex.Encoding, ex.Text)
				}
			}
		}
	}
}

func TestEncodingsAreListedOnceAndByTheirOwnName(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Encodings() {
		if name, known := EncodingName(e.Name); name != e.Name || !known || seen[e.Name] || e.Script == "" {
			t.Errorf("%+v is known as %q", e, name)
		}
		seen[e.Name] = true
	}
	for _, c := range candidates {
		if !seen[c.name] {
			t.Errorf("%s is found out and cannot be set", c.name)
		}
	}
	for name, want := range map[string]string{"Latin1": "windows-1252", " UTF8 ": "utf-8", "cp850": "ibm850", "CP1251": "windows-1251", "sjis": "shift_jis",
		"iso-8859-9": "windows-1254", "gb2312": "gbk", "iso-8859-8-i": "iso-8859-8-i", "IBM852": "ibm852"} {
		if got, known := EncodingName(name); got != want || !known {
			t.Errorf("%s is %q, %v", name, got, known)
		}
	}
	// The last two decode to nothing but marks of replacement, or to private signs.
	for _, name := range []string{"klingon", "", "auto", "iso-2022-kr", "x-user-defined"} {
		if got, known := EncodingName(name); known {
			t.Errorf("%q is taken for %s", name, got)
		}
	}
}

// TestASetEncodingCountsInEveryKindThatTakesOne reads the same sentence in an
// encoding that no other reader of these bytes would choose.
func TestASetEncodingCountsInEveryKindThatTakesOne(t *testing.T) {
	const want = "Schlüssel für größere Türen"
	for name, c := range map[string]struct{ file, kind string }{
		"a.txt":   {"%s\n", kindText},
		"a.md":    {"# Keys\n\n%s\n", kindMarkdown},
		"a.html":  {"<html><head><meta charset=utf-8></head><body><p>%s</p></body></html>", kindHTML},
		"a.csv":   {"What;Who\n%s;all\n", kindCSV},
		"a.json":  {`{"what": "%s"}`, kindJSON},
		"a.ipynb": {`{"cells":[{"cell_type":"markdown","source":["%s"]}],"nbformat":4}`, kindNotebook},
		"a.py":    {"# %s\nx = 1\n", kindCode},
		"a.eml":   {"From: a@example.org\nSubject: Keys\n\n%s\n", kindEmail},
		"b.eml":   {"From: a@example.org\nSubject: Keys\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 8bit\n\n%s\n", kindEmail},
		"c.eml":   {"From: a@example.org\nSubject: Keys\nContent-Type: text/html\n\n<p>%s</p>\n", kindEmail},
		"a.mbox":  {"From a@example.org Thu Jan  1 10:00:00 2026\nFrom: a@example.org\nSubject: Keys\n\n%s\n", kindEmail},
		"a.rtf":   {`{\rtf1\ansi\ansicpg1252 %s}`, kindRTF},
	} {
		if !TakesEncoding(c.kind) {
			t.Errorf("%s takes no encoding", c.kind)
		}
		raw, err := charmap.CodePage850.NewEncoder().Bytes(fmt.Appendf(nil, c.file, want))
		if err != nil {
			t.Fatal(err)
		}
		ex := readBytes(t, name, raw, Options{Encoding: "CP850"})
		if ex.Kind != c.kind || !strings.Contains(ex.Text, want) || ex.Encoding != "ibm850" {
			t.Errorf("%s, read as %s in %q: %q", name, ex.Kind, ex.Encoding, ex.Text)
		}
	}
	for _, kind := range []string{kindPDF, kindDOCX, kindXLSX, kindODT, kindImage, "zip"} {
		if TakesEncoding(kind) {
			t.Errorf("%s takes an encoding", kind)
		}
	}
}

// A message that says how its letters are stored is believed, whatever was set
// for the file: one mailbox holds messages of many.
func TestASetEncodingLeavesAloneWhatAMessageDeclares(t *testing.T) {
	for name, body := range map[string]string{"koi8-r": encoded(t, "koi8-r", "Ключи и двери"), "utf-8": "Ключи и двери"} {
		ex := readBytes(t, "a.eml", []byte("From: a@example.org\nSubject: Keys\nContent-Type: text/plain; charset="+name+"\nContent-Transfer-Encoding: 8bit\n\n"+body+"\n"), Options{Encoding: "ibm850"})
		expectText(t, ex, "Ключи и двери")
	}
}

// TestRTFWithASetEncoding: letters as escapes and as plain bytes, whose second
// one may look like a brace; an encoding that the form of the file rules out is
// left alone.
func TestRTFWithASetEncoding(t *testing.T) {
	const text = "退去するときは鍵を返してください。表示と能力"
	for _, name := range []string{"shift_jis", "big5", "gb18030", "gbk", "euc-kr", "euc-jp"} {
		_, enc, err := byName(name)
		if err != nil {
			t.Fatal(err)
		}
		want := encodable(text, enc)
		raw, err := enc.NewEncoder().Bytes([]byte(want))
		if err != nil {
			t.Fatal(err)
		}
		var escapes bytes.Buffer
		for _, b := range raw {
			fmt.Fprintf(&escapes, `\'%02x`, b)
		}
		for form, inner := range map[string]string{"escapes": escapes.String(), "bytes": string(raw)} {
			ex := readBytes(t, "a.rtf", []byte(`{\rtf1\ansi\ansicpg1252 `+inner+`}`), Options{Encoding: name})
			if ex.Text != want || ex.Encoding != name {
				t.Errorf("%s as %s: %q in %s", name, form, ex.Text, ex.Encoding)
			}
		}
	}
	for _, name := range []string{"utf-16le", "utf-32be", "iso-2022-jp", "hz-gb-2312"} {
		ex := readBytes(t, "a.rtf", []byte(`{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe}`), Options{Encoding: name})
		if ex.Text != "Grüße" || ex.Encoding != "windows-1252" {
			t.Errorf("%s: %q in %s", name, ex.Text, ex.Encoding)
		}
	}
	expectStatus(t, readBytes(t, "a.rtf", []byte(`{\rtf1 x}`), Options{Encoding: "klingon"}), rag.FileDamaged)
}

// TestWhatLooksLikeNoTextIsReadOnceAnEncodingIsSet: UTF-16 of a script without
// NUL bytes and without letters that statistics know.
func TestWhatLooksLikeNoTextIsReadOnceAnEncodingIsSet(t *testing.T) {
	const want = "ต้องคืนกุญแจทั้งหมดเมื่อย้ายออก"
	_, enc, err := byName("utf-16le")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := enc.NewEncoder().Bytes([]byte(strings.Repeat(want, 4)))
	if err != nil {
		t.Fatal(err)
	}
	if ex := readBytes(t, "a.dat", raw); ex.Status != rag.FileUnsupported || ex.Kind != kindBinary {
		t.Fatalf("%s of kind %s: %.60q", ex.Status, ex.Kind, ex.Text)
	}
	expectText(t, readBytes(t, "a.dat", raw, Options{Encoding: "utf-16le"}), strings.Repeat(want, 4))
}
