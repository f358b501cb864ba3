package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"referent/rag"
)

// encoded gives text in a named encoding.
func encoded(tb testing.TB, name, text string) string {
	tb.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		tb.Fatal(err)
	}
	out, err := e.NewEncoder().String(text)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func split(tb testing.TB, box string, limit int) []string {
	tb.Helper()
	var got []string
	err := eachMessage(strings.NewReader(box), limit, func(n int, raw []byte, cut bool) error {
		if cut {
			raw = []byte("cut")
		}
		got = append(got, fmt.Sprint(n, " ", string(raw)))
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func TestMailboxSplitting(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		name, box string
		want      []string
	}{
		{"nothing", "", nil},
		{"two", "From a Mon\nA: 1\n\none\n\nFrom b Tue\nB: 2\n\ntwo\n", []string{"1 A: 1\n\none\n\n", "2 B: 2\n\ntwo\n"}},
		{"CRLF", "From a Mon\r\nA: 1\r\n\r\nFrom b Tue\r\nB: 2\r\n", []string{"1 A: 1\r\n\r\n", "2 B: 2\r\n"}},
		{"quoted", "From a Mon\nA: 1\n\n>From me\n>>From you\n> From afar\n", []string{"1 A: 1\n\nFrom me\n>From you\n> From afar\n"}},
		{"a sentence", "From a Mon\nA: 1\n\nFrom here on\nit is quiet.\n", []string{"1 A: 1\n\nFrom here on\nit is quiet.\n"}},
		{"inside a paragraph", "From a Mon\nA: 1\n\nx\nFrom b 10:00\nB: 2\n", []string{"1 A: 1\n\nx\nFrom b 10:00\nB: 2\n"}},
		{"no headers", "From a 10:00:00\n\ntext", []string{"1 \ntext"}},
		{"ends in a separator", "From a 10:00\nA: 1\n\nFrom b 11:00", []string{"1 A: 1\n\n", "2 "}},
		{"long lines", "From a 10:00\n" + long + "\n\nFrom b 11:00\nB: 2\n", []string{"1 " + long + "\n\n", "2 B: 2\n"}},
		{"text before", "junk\n\nFrom a 10:00\nA: 1\n", []string{"1 A: 1\n"}},
	} {
		if got := split(t, c.box, 1<<20); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s: %.300q", c.name, got)
		}
	}
	if got := split(t, "From a 10:00\nA: 1\n\n"+long+"\n\nFrom b 11:00\nB: 2\n", 1000); fmt.Sprint(got) != "[1 cut 2 B: 2\n]" {
		t.Errorf("a message over the limit: %.300q", got)
	}
	stop := errors.New("enough")
	if err := eachMessage(strings.NewReader("From a 10:00\nA: 1\n\nFrom b 11:00\n"), 100, func(int, []byte, bool) error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
	broken := io.MultiReader(strings.NewReader("From a 10:00\nA: 1\n"), &failingReader{stop})
	if err := eachMessage(broken, 100, func(int, []byte, bool) error { return nil }); err != stop {
		t.Errorf("a disk that fails: %v", err)
	}
}

type failingReader struct{ err error }

func (r *failingReader) Read([]byte) (int, error) { return 0, r.err }

func TestMailboxMessagesAreLocatedByNumber(t *testing.T) {
	box := "From a@example.org Mon Mar  2 09:05:00 2026\nSubject: Keys\n\nThe keys hang\nbehind the door.\n\n" +
		"From b@example.org Mon Mar  2 10:05:00 2026\nSubject: Re: Keys\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nThank you.\n\n> behind the door\n--x\n" +
		strings.ReplaceAll(attached("text/plain", "list.txt", []byte("Lamp")), "\r\n", "\n") + "\n--x--\n"
	for _, name := range []string{"Inbox", "a.mbox", "a.eml"} {
		ex := readBytes(t, name, []byte(box))
		expectStatus(t, ex, rag.FileIndexed)
		want := "heading: Keys\nparagraph: The keys hang\\nbehind the door.\nheading: Re: Keys\nparagraph: Thank you.\nheading: list.txt\nparagraph: Lamp\nnote: behind the door\n"
		if got := outline(ex); got != want {
			t.Fatalf("%s: got\n%swant\n%s", name, got, want)
		}
		if ex.TitleSource != "file_name" || ex.Kind != "email" {
			t.Errorf("title %q from %s, kind %s", ex.Title, ex.TitleSource, ex.Kind)
		}
		for i, at := range []string{"1/", "1/", "2/", "2/", "2/list.txt", "2/list.txt", "2/"} {
			if l := ex.Blocks[i].Locator; l.Message+"/"+l.Part != at {
				t.Errorf("block %d: %v, want %s", i, l, at)
			}
		}
		if h := strings.Join(ex.Blocks[6].Heading, "/"); h != "Re: Keys" {
			t.Errorf("the quotation lies below %q", h)
		}
	}
}

func TestMailboxWithBadMessages(t *testing.T) {
	deep := "Subject: deep\n"
	for i := range 200 {
		deep += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	ex := readBytes(t, "a.mbox", []byte("From a 10:00\n"+deep+"\n\nFrom b 10:00\nSubject: Good\n\nWords.\n"))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	expectText(t, ex, "Words.")
	if ex.Reason != "Messages that could not be read: 1."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
	expectStatus(t, readBytes(t, "b.mbox", []byte("From a 10:00\n"+deep)), rag.FileDamaged)
	ex = readBytes(t, "c.mbox", []byte(strings.Repeat("From a 10:00\nSubject: x\n\nSome words of a letter.\n\n", 1000)), Options{MaxChars: 500})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if n := len([]rune(ex.Text)); n > 500 {
		t.Errorf("%d characters", n)
	}
}

func FuzzMbox(f *testing.F) {
	f.Add([]byte("From a 10:00\nA: 1\n\n>From x\n\nFrom b 11:00\nB: 2\n"))
	f.Add([]byte("From \n\nFrom \r\n\r\nFrom 1:11"))
	f.Fuzz(func(t *testing.T, b []byte) {
		// No byte is invented and order is kept: the messages joined are the
		// input without separators and without the quoting that was undone.
		last, size := 0, 0
		err := eachMessage(bytes.NewReader(b), 1<<20, func(n int, raw []byte, cut bool) error {
			if n != last+1 || cut {
				t.Errorf("message %d after %d, cut %v", n, last, cut)
			}
			last, size = n, size+len(raw)
			return nil
		})
		if err != nil || size > len(b) {
			t.Errorf("%d bytes out of %d, %v", size, len(b), err)
		}
		if ex := readBytes(t, "a.mbox", b); ex.Status == "" {
			t.Error("no status")
		}
	})
}
