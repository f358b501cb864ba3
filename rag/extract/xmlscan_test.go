package extract

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// tokensOf writes tokens down, texts joined, other tokens than tags and texts
// left out.
func tokensOf(t xml.Token, into *strings.Builder) {
	switch t := t.(type) {
	case xml.StartElement:
		fmt.Fprintf(into, "\x01<%s:%s", t.Name.Space, t.Name.Local)
		for _, a := range t.Attr {
			fmt.Fprintf(into, " %s:%s=%q", a.Name.Space, a.Name.Local, a.Value)
		}
	case xml.EndElement:
		fmt.Fprintf(into, "\x01>%s:%s\x01", t.Name.Space, t.Name.Local)
	case xml.CharData:
		into.WriteString(string(t))
	}
}

func scanned(r io.Reader) (string, error) {
	var b strings.Builder
	err := eachToken(r, func(t xml.Token) { tokensOf(t, &b) })
	return b.String(), err
}

// decoded is what encoding/xml says of the same bytes.
func decoded(s string) (string, error) {
	var b strings.Builder
	err := eachDecodedToken(strings.NewReader(s), func(t xml.Token) { tokensOf(t, &b) })
	return b.String(), err
}

var xmlSamples = []string{
	`<a><b c="1" d='2'/>text<b>x</b></a>`, `<w:p w:x="1" xmlns:w="y"><w:t xml:space="preserve"> a </w:t></w:p>`,
	`<?xml version="1.0" encoding="UTF-8"?><a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#x1F600;&nbsp;&unknown; & b &;</a>`,
	"<a>line\r\nline\rline</a>", `<a b="&lt;x&gt; &#10; y"/>`, `<a b='"' c=">"/>`, `<a
	b = "1"
	c="2"	>z</a >`, `<!-- <x> --><a><!-- - > --><![CDATA[<b>&amp;]] >]]>t</a>`,
	`<!DOCTYPE a [<!ENTITY x "<y>"><!ELEMENT a (#PCDATA)>]><a>&x;</a>`, `<a/><b/>`, `<a b=c d>e</a>`, `<a b:c d>e</a>`, `text only`, ``, `<a>ünïcödé 漢字</a>`, `<a></b></a>`,
	"1>,a>1>,a><!<!-->", `<!DOCTYPE a [<!-- it's one > of "them -- --><!ELEMENT a ANY>]><a>x</a>`, `<!DOCTYPE a [<!----><!--->--><!-->-->]><a>y</a>`, `<!DOCTYPE a [<!-- <!-->]><a>z</a>`,
	`<x:/>`, `<:x/>`, "<a>" + strings.Repeat("word ", 30_000) + "</a>", "<a b=\"" + strings.Repeat("long ", 30_000) + "\">c</a>",
}

// TestXMLIsReadLikeTheStandardLibrary compares with encoding/xml, in pieces of
// all sizes.
func TestXMLIsReadLikeTheStandardLibrary(t *testing.T) {
	for _, s := range xmlSamples {
		want, err := decoded(s)
		if err != nil {
			t.Fatalf("%.60q: %v", s, err)
		}
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(s), "halves": iotest.HalfReader(strings.NewReader(s)), "bytes": iotest.OneByteReader(strings.NewReader(s))} {
			if got, err := scanned(r); err != nil || got != want {
				t.Errorf("%s of %.60q: %v\n%.300q, want\n%.300q", name, s, err, got, want)
			}
		}
	}
}

func TestXMLThatBreaksOff(t *testing.T) {
	for _, s := range []string{"<a", `<a b="`, `<a b="1`, "<a>x<", "<a>x</a", "<a><!-- x", "<a><![CDATA[x", "<?xml", "<!DOCTYPE a [", "< a>"} {
		if got, err := scanned(strings.NewReader(s)); err == nil {
			t.Errorf("%q is whole: %q", s, got)
		}
	}
	lost := errors.New("lost")
	got, err := scanned(io.MultiReader(strings.NewReader("<a>text<b/>"), iotest.ErrReader(lost)))
	if !errors.Is(err, lost) || !strings.Contains(got, "text") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLongTextComesInPieces cuts neither characters nor references nor line
// ends in two.
func TestLongTextComesInPieces(t *testing.T) {
	unit := "é&amp;漢\r\n😀x"
	n := 3 * textPiece / len(unit)
	pieces := 0
	var all strings.Builder
	err := eachToken(strings.NewReader("<a>"+strings.Repeat(unit, n)+"</a>"), func(t xml.Token) {
		if c, ok := t.(xml.CharData); ok {
			pieces++
			all.Write(c)
		}
	})
	if err != nil || pieces < 2 || all.String() != strings.Repeat("é&漢\n😀x", n) {
		t.Errorf("%v, %d pieces, %d bytes", err, pieces, all.Len())
	}
}

// FuzzXML compares with encoding/xml wherever that takes the bytes.
func FuzzXML(f *testing.F) {
	for _, s := range xmlSamples {
		if len(s) < 1000 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := scanned(iotest.HalfReader(strings.NewReader(s)))
		want, whole := decoded(s)
		if whole == nil && (err != nil || got != want) {
			t.Errorf("%v\n%q, want\n%q", err, got, want)
		}
	})
}
