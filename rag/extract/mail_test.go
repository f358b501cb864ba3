package extract

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"referent/rag"
)

// mailOf joins lines as mail programs write them.
func mailOf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

// attached is a part with a file name, in base64.
func attached(kind, name string, content []byte) string {
	return "Content-Type: " + kind + "; name=\"" + name + "\"\r\nContent-Disposition: attachment; filename=\"" + name + "\"\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString(content)
}

// mixed is a message of a plain text and attachments.
func mixed(text string, parts ...string) []byte {
	body := append([]string{"Content-Type: text/plain; charset=utf-8\r\n\r\n" + text}, parts...)
	return mailOf("From: Anna Rossi <anna@example.org>", "To: board@example.org", "Date: Mon, 2 Mar 2026 09:05:00 +0100", "Subject: =?utf-8?Q?Schl=C3=BCssel?=",
		"MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=cut", "", "--cut\r\n"+strings.Join(body, "\r\n--cut\r\n")+"\r\n--cut--")
}

func TestMailHeadBodyAndAttachments(t *testing.T) {
	pdf := newPDF()
	pdf.page(line(72, 700, 12, "The first sheet."), "")
	pdf.page(line(72, 700, 12, "Rent is due on the third working day."), "")
	ex := readBytes(t, "a.eml", mixed("The keys hang behind the door.\n\nSee you on Monday.",
		attached("application/pdf", "lease.pdf", pdf.bytes()), attached("text/csv", "keys.csv", []byte("key;room\n4;Cellar\n")),
		attached("message/rfc822", "before", mailOf("From: b@example.org", "Subject: The old matter", "", "Settled in May."))))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Schlüssel
paragraph: From: Anna Rossi <anna@example.org>\nTo: board@example.org\nDate: Mon, 2 March 2026, 09:05
paragraph: The keys hang behind the door.
paragraph: See you on Monday.
heading: lease.pdf
paragraph: The first sheet.
paragraph: Rent is due on the third working day.
heading: keys.csv
table: key | room\n4 | Cellar
heading: before.eml
heading: The old matter
paragraph: From: b@example.org
paragraph: Settled in May.
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Kind != "email" || ex.Title != "Schlüssel" || ex.TitleSource != "metadata" {
		t.Errorf("kind %s, title %q from %s", ex.Kind, ex.Title, ex.TitleSource)
	}
	for i, part := range map[int]string{2: "", 5: "lease.pdf, p. 1", 6: "lease.pdf, p. 2", 8: "keys.csv", 12: "before.eml"} {
		if l := ex.Blocks[i].Locator; l.Message != "1" || l.Part != part || l.Page != 0 {
			t.Errorf("block %d: %v, want part %q of message 1", i, l, part)
		}
	}
	if h := strings.Join(ex.Blocks[12].Heading, "/"); h != "Schlüssel/before.eml/The old matter" {
		t.Errorf("heading path %s", h)
	}
}

func TestMailQuotationsRankLow(t *testing.T) {
	page := `<p>Yes, that is fine.</p><div class="gmail_quote"><div>Il giorno lun 2 mar 2026 Anna ha scritto:</div><blockquote><h2>Question</h2><p>May I paint the wall?</p></blockquote></div>`
	for _, c := range []struct{ name, kind, body, own, quoted string }{
		{"signs", "text/plain", "Yes, that is fine.\n\nOn Mon, 2 Mar 2026 at 09:05, Anna wrote:\n> May I paint\n>> the wall?\n\nBest, Ben", "Yes, that is fine.|Best, Ben", "On Mon, 2 Mar 2026 at 09:05, Anna wrote:\nMay I paint\nthe wall?"},
		{"introduction of two lines", "text/plain", "Ja.\n\nAm 02.03.2026 um 09:05 schrieb Anna Rossi\n<anna@example.org>:\n\n> Darf ich?", "Ja.", "Am 02.03.2026 um 09:05 schrieb Anna Rossi\n<anna@example.org>:|Darf ich?"},
		{"a colon that introduces nothing quoted", "text/plain", "Bring these:\n\nlamp", "Bring these:|lamp", ""},
		{"mark", "text/plain", "Yes.\n\n-----Original Message-----\nFrom: Anna\n\nMay I?", "Yes.", "-----Original Message-----\nFrom: Anna|May I?"},
		{"head", "text/plain", "Sì.\n\nDa: Anna\nInviato: lunedì 2 marzo\nA: Ben\n\nPosso?", "Sì.", "Da: Anna\nInviato: lunedì 2 marzo\nA: Ben|Posso?"},
		{"page", "text/html", page, "Yes, that is fine.", "Il giorno lun 2 mar 2026 Anna ha scritto:|Question|May I paint the wall?"},
		{"page with a head", "text/html", "<p>Ja.</p><div>Von: Anna<br>Gesendet: Montag<br>An: Ben</div><p>Darf ich?</p>", "Ja.", "Von: Anna\nGesendet: Montag\nAn: Ben|Darf ich?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ex := readBytes(t, "a.eml", mailOf("Subject: Re: Wall", "Content-Type: "+c.kind+"; charset=utf-8", "", c.body))
			var own, quoted []string
			for _, b := range ex.Blocks {
				switch b.Kind {
				case rag.BlockParagraph:
					own = append(own, b.Text)
				case rag.BlockNote:
					quoted = append(quoted, b.Text)
				}
			}
			if strings.Join(own, "|") != c.own || strings.Join(quoted, "|") != c.quoted {
				t.Errorf("own %q, quoted %q", own, quoted)
			}
		})
	}
}

// TestMailEncodings: a declared encoding is believed, an empty declaration is
// not.
func TestMailEncodings(t *testing.T) {
	german := sentencesIn["de"]
	latin := encoded(t, "windows-1252", german)
	russian := encoded(t, "koi8-r", sentencesIn["ru"])
	for name, c := range map[string]struct{ mail, want string }{
		"declared":        {"Content-Type: text/plain; charset=iso-8859-1\n\n" + latin, german},
		"us-ascii":        {"Content-Type: text/plain; charset=us-ascii\n\n" + russian, sentencesIn["ru"]},
		"nothing":         {"Subject: x\n\n" + german, german},
		"page":            {"Content-Type: text/html\n\n<html><head><meta charset=windows-1252></head><p>" + latin, german},
		"falsely utf-8":   {"Content-Type: text/plain; charset=utf-8\n\n" + latin, german},
		"header":          {"Subject: =?koi8-r?B?" + base64.StdEncoding.EncodeToString([]byte(russian)) + "?=\n\nx", sentencesIn["ru"]},
		"header as bytes": {"Subject: " + latin + "\n\nx", german},
	} {
		ex := readBytes(t, "a.eml", []byte(c.mail))
		if !strings.Contains(oneLine(ex.Text), strings.TrimSpace(c.want)) {
			t.Errorf("%s: %q", name, ex.Text)
		}
	}
}

func TestMailAlternatives(t *testing.T) {
	alternative := func(plain, page string) []byte {
		return mailOf("Subject: x", "Content-Type: multipart/alternative; boundary=b", "", "--b", "Content-Type: text/plain", "", plain,
			"--b", "Content-Type: multipart/mixed; boundary=c", "", "--c", "Content-Type: text/html", "", page, "--c", attached("text/plain", "a.txt", []byte("Attached words.")), "--c--", "--b--")
	}
	long := "<p>" + strings.Repeat("The whole offer stands here. ", 10) + "</p>"
	ex := readBytes(t, "a.eml", alternative("The words.", "<p>The <b>words</b>.</p>"))
	if got := outline(ex); got != "heading: x\nparagraph: The words.\nheading: a.txt\nparagraph: Attached words.\n" {
		t.Errorf("plain text that says it all:\n%s", got)
	}
	ex = readBytes(t, "a.eml", alternative("Your program shows no pages.", long))
	expectText(t, ex, "The whole offer stands here.", "Attached words.")
	if strings.Contains(ex.Text, "Your program") {
		t.Errorf("both alternatives were read: %s", ex.Text)
	}
}

func TestMailTellsWhatWasNotRead(t *testing.T) {
	ex := readBytes(t, "a.eml", mixed("Text.", attached("application/zip", "a.zip", zipOf(t, "x", "y")), attached("application/pdf", "b.pdf", []byte("%PDF-1.7 cut"))))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if !strings.HasPrefix(ex.Reason, "The attachment “a.zip” was not read: ") || !strings.Contains(ex.Reason, " The attachment “b.pdf” was not read: The PDF is damaged") {
		t.Errorf("reason %q", ex.Reason)
	}
	var many []string
	for i := range 9 {
		many = append(many, attached("application/zip", fmt.Sprint(i, ".zip"), zipOf(t, "x", "y")))
	}
	if ex = readBytes(t, "a.eml", mixed("Text.", many...)); ex.Reason != "Of 9 enclosed files nothing or only a part was read."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
	ex = readBytes(t, "a.eml", mailOf("Subject: Secret", "Content-Type: multipart/encrypted; boundary=b", "", "--b", "Content-Type: application/pgp-encrypted", "", "Version: 1", "--b", "Content-Type: application/octet-stream", "", "xxxx", "--b--"))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	expectText(t, ex, "Secret")
	if ex.Reason != "The message is encrypted; only its subject, sender and date were read. Export it decrypted from the mail program to have the rest read." || strings.Contains(ex.Text, "xxxx") {
		t.Errorf("reason %q, text %q", ex.Reason, ex.Text)
	}
}

func TestMailBombs(t *testing.T) {
	var deep, many strings.Builder
	deep.WriteString("Subject: x\n")
	for i := range 5000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	many.WriteString("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n")
	many.WriteString(strings.Repeat("--b\n\nx\n", 10*maxMailParts))
	expectStatus(t, readBytes(t, "deep.eml", []byte(deep.String())), rag.FileTooLarge)
	expectStatus(t, readBytes(t, "many.eml", []byte(many.String())), rag.FileTooLarge)
	// Messages attached to messages: each is read to the cap, then told.
	nested := []byte("Subject: innermost\n\nwords at the bottom")
	for i := range 10 {
		nested = mixed(fmt.Sprint("level ", i), attached("message/rfc822", "m.eml", nested))
	}
	ex := readBytes(t, "nested.eml", nested)
	expectStatus(t, ex, rag.FilePartlyIndexed)
	expectText(t, ex, "level 9", "level 5")
	if strings.Contains(ex.Text, "level 4") {
		t.Errorf("read below the cap: %s", ex.Text)
	}
	bomb := wordFile(t, blanks)
	ex = readBytes(t, "bomb.eml", mixed("Text.", attached("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a.docx", bomb)), smallRatio)
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if !strings.Contains(ex.Reason, "unpacks to more than 200 times its size") {
		t.Errorf("reason %q", ex.Reason)
	}
}

func TestMailWithoutANameOfItsKind(t *testing.T) {
	head := []string{"Return-Path: <a@example.org>", "From: a@example.org", "Message-ID: <1@example.org>", "Date: Mon, 2 Mar 2026 09:05:00 +0100"}
	ex := readBytes(t, "1772438700.M1P1.host:2,S", mailOf(append(head, "", "Words.")...))
	if ex.Kind != "email" || !strings.Contains(ex.Text, "Words.") {
		t.Errorf("kind %s, text %q", ex.Kind, ex.Text)
	}
	if ex = readBytes(t, "note.txt", mailOf(append(head, "", "Words.")...)); ex.Kind != "text" {
		t.Errorf("a text file is read as %s", ex.Kind)
	}
	expectStatus(t, readBytes(t, "empty.eml", nil), rag.FileIndexed)
	utf16 := []byte("\xff\xfe")
	for _, b := range mailOf("Subject: Wide", "", "Words.") {
		utf16 = append(utf16, b, 0)
	}
	expectText(t, readBytes(t, "a.eml", utf16), "Wide", "Words.")
}

func FuzzMail(f *testing.F) {
	f.Add(mixed("text", attached("text/plain", "a.txt", []byte("x"))))
	f.Add([]byte("Subject: =?utf-8?Q?x?=\n\n> a\n"))
	f.Add([]byte("Content-Type: multipart/alternative; boundary=\"\"\n\n--\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ex := readBytes(t, "a.eml", b); ex.Status == "" {
			t.Error("no status")
		}
	})
}
