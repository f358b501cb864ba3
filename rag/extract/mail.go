package extract

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"mime"
	"net/mail"
	"strings"
	"unicode/utf8"

	"github.com/jhillyerd/enmime/v2"
	"github.com/jhillyerd/enmime/v2/mediatype"

	"referent/rag"
)

// Caps of one message. The MIME parser recurses and keeps every part in memory,
// so both are bounded before it sees the bytes.
const (
	maxMailBytes   = 64 << 20
	maxMailParts   = 2000
	maxMailNesting = 100 // multiparts, those of attached messages included
	maxAttachments = 200 // read of one message
)

// readMail reads a message (RFC 5322, MIME) or a mailbox: head and body, then
// what is attached, each by the reader of its own kind.
func readMail(ctx context.Context, src *source, opts Options, d *document) error {
	if beginsMailbox(src.head) {
		return readMailbox(ctx, src, opts, d)
	}
	raw, err := src.bytes(maxMailBytes)
	if err != nil || len(raw) == 0 {
		return err
	}
	if hasUnicodeMark(raw) || utf16Without(raw) != "" {
		text, _, err := decode(raw, "")
		if err != nil {
			return err
		}
		raw = []byte(text)
	}
	m := newMailReader(ctx, opts, d)
	if err := m.message(raw, "1"); err != nil {
		return err
	}
	m.tell()
	return nil
}

// mailReader adds messages to a document.
type mailReader struct {
	enclosure
	number string // of the open message
	sealed int    // encrypted messages
}

func newMailReader(ctx context.Context, opts Options, d *document) *mailReader {
	return &mailReader{enclosure: enclosure{ctx: ctx, opts: opts, d: d, what: "attachment"}}
}

// mailParser leaves alone what decode does better: text whose encoding is not
// declared.
var mailParser = enmime.NewParser(
	enmime.DisableTextConversion(true), enmime.SkipMalformedParts(true), enmime.MultipartWOBoundaryAsSinglePart(true),
	enmime.MaxStoredPartErrors(20), enmime.DisableCharacterDetection(true), enmime.MinCharsetDetectRunes(math.MaxInt),
	enmime.SetReadPartErrorPolicy(enmime.AllowCorruptTextPartErrorPolicy), enmime.SetCustomParseMediaType(parseMediaType),
)

// undeclared stands for an encoding that is not known, which leaves the bytes as
// they are.
const undeclared = "x-undeclared"

// parseMediaType takes encodings that say nothing for none: mail programs write
// "us-ascii" above any eight-bit text. A name must stand there, since without
// one the parser guesses, slowly.
func parseMediaType(s string) (string, map[string]string, []string, error) {
	name, params, invalid, err := mediatype.Parse(s)
	switch strings.ToLower(params["charset"]) {
	case "", "us-ascii", "ascii", "unknown-8bit", "x-unknown", "default", "binary":
		if params != nil && strings.HasPrefix(name, "text/") {
			params["charset"] = undeclared
		}
	}
	return name, params, invalid, err
}

// message adds one message under its number in the file.
func (m *mailReader) message(raw []byte, number string) error {
	if err := boundedMail(raw); err != nil {
		return err
	}
	root, err := mailParser.ReadParts(bytes.NewReader(raw))
	if err != nil {
		return damaged("The message is damaged or cut off. Export it again from the mail program.", err)
	}
	m.number = number
	m.d.path, m.d.levels = nil, nil
	m.head(root)
	var c mailContents
	c.collect(root, false)
	if c.sealed {
		m.sealed++
	}
	for _, p := range c.bodies {
		m.body(p)
	}
	for i, p := range c.attached {
		if i == maxAttachments {
			m.unread = append(m.unread, fmt.Sprintf("Only the first %d attachments were read.", i))
			break
		}
		if err := m.attachment(p, i+1); err != nil {
			return err
		}
	}
	return m.ctx.Err()
}

// head makes the subject the heading of the message, and its people and date
// the first paragraph.
func (m *mailReader) head(root *enmime.Part) {
	get := func(name string) string { return oneLine(cleanText(decodeWords(root.Header.Get(name)))) }
	subject := get("Subject")
	m.d.setTitle(subject, "metadata")
	m.d.heading(1, subject, m.at(""))
	var lines []string
	for _, name := range []string{"From", "To", "Cc"} {
		if v := get(name); v != "" {
			lines = append(lines, name+": "+v)
		}
	}
	date := get("Date")
	if t, err := mail.ParseDate(root.Header.Get("Date")); err == nil {
		date = t.Format("Mon, 2 January 2006, 15:04")
	}
	if date != "" {
		lines = append(lines, "Date: "+date)
	}
	m.d.add(rag.Block{Kind: rag.BlockParagraph, Text: strings.Join(lines, "\n"), Locator: m.at("")})
}

// wordDecoder decodes header words (RFC 2047) in any known encoding.
var wordDecoder = mime.WordDecoder{CharsetReader: func(name string, in io.Reader) (io.Reader, error) {
	_, e, err := byName(name)
	if err != nil {
		return nil, err
	}
	return e.NewDecoder().Reader(in), nil
}}

func decodeWords(header string) string {
	text := validText([]byte(header))
	if decoded, err := wordDecoder.DecodeHeader(text); err == nil {
		return decoded
	}
	return text
}

func (m *mailReader) at(part string) rag.Locator { return rag.Locator{Message: m.number, Part: part} }

// body adds the text of a message part; what it quotes of earlier messages
// becomes notes, which rank low.
func (m *mailReader) body(p *enmime.Part) {
	if p.ContentType == "text/html" {
		m.html(p)
		return
	}
	for _, s := range splitQuoted(cleanText(m.text(p))) {
		for _, paragraph := range strings.Split(s.text, "\n\n") {
			m.d.add(rag.Block{Kind: s.kind(), Text: paragraph, Locator: m.at("")})
		}
	}
}

// text is that of a part. Where the message does not say how its letters are
// stored, what a person has set counts, else it is found out.
func (m *mailReader) text(p *enmime.Part) string {
	if m.opts.Encoding != "" && p.Charset == undeclared {
		if text, name, err := decode(p.Content, m.opts.Encoding); err == nil {
			m.d.encoding = name
			return text
		}
	}
	return validText(p.Content)
}

func (m *mailReader) html(p *enmime.Part) {
	sub := newDocument(Options{MaxChars: m.d.maxChars})
	page := string(p.Content)
	if m.opts.Encoding != "" && p.Charset == undeclared {
		page = m.text(p)
	} else if !utf8.Valid(p.Content) {
		text, err := decodeHTML(p.Content, Options{}, sub)
		if err != nil {
			text = validText(p.Content)
		}
		page = text
	}
	mailPage(page, sub)
	earlier := false
	for i := range sub.blocks {
		b := &sub.blocks[i]
		if earlier = earlier || beginsEarlier(strings.Split(b.Text, "\n")); earlier {
			b.Kind, b.Level = rag.BlockNote, 0
		}
	}
	m.d.adopt(sub, 1, func(rag.Locator) rag.Locator { return m.at("") })
}

// validText is text whose encoding was declared, or else guessed.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	text, _, err := decode(b, "")
	if err != nil {
		return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
	}
	return text
}

// tell says what was left out.
func (m *mailReader) tell() {
	if m.sealed == 1 {
		m.d.partly = append(m.d.partly, "The message is encrypted; only its subject, sender and date were read. Export it decrypted from the mail program to have the rest read.")
	} else if m.sealed > 1 {
		m.d.partly = append(m.d.partly, fmt.Sprintf("Encrypted messages of which only subject, sender and date were read: %d. Export them decrypted from the mail program to have the rest read.", m.sealed))
	}
	m.enclosure.tell()
}
