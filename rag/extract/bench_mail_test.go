package extract

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkMailbox reads a mailbox of 1,000 letters with two alternatives and
// reports messages a second.
func BenchmarkMailbox(b *testing.B) {
	var box strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&box, "From a@example.org Mon Mar  2 09:05:00 2026\nFrom: a@example.org\nSubject: Letter %d\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain; charset=utf-8\n\n%s\n\n> %s\n--x\nContent-Type: text/html; charset=utf-8\n\n<p>%s</p>\n--x--\n\n",
			i, sentencesIn["de"], sentencesIn["it"], sentencesIn["de"])
	}
	path := writeTemp(b, "a.mbox", []byte(box.String()))
	b.SetBytes(int64(box.Len()))
	n := 0
	for b.Loop() {
		readPath(b, path)
		n += 1000
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkEncoding guesses the encoding of a text of 100 kB.
func BenchmarkEncoding(b *testing.B) {
	raw := []byte(strings.Repeat(encoded(b, "koi8-r", sentencesIn["ru"])+"\n", 500))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, name, err := decode(raw, ""); err != nil || name != "koi8-r" {
			b.Fatal(name, err)
		}
	}
}
