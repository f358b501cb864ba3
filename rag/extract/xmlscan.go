package extract

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"
)

const (
	maxTag    = 16 << 20 // bytes of one tag, comment or declaration
	textPiece = 1 << 20  // a longer text comes in several tokens
)

var (
	errTag     = errors.New("a tag of the XML does not end")
	errCutText = errors.New("the XML is cut off")
)

// xmlScanner reads the tokens of XML as they stand, several times as fast as
// encoding/xml: it looks for the ends of tags with the machine's own search and
// makes no strings. It is as lenient as that package is with Strict off, takes
// no entities beyond XML's own, and never checks that tags match.
type xmlScanner struct {
	r        io.Reader
	buf      []byte
	pos, end int // what is not used of buf
	failed   error

	// The token in hand, until the next one.
	kind  byte   // '<' start, '>' end, 't' text, '!' anything else
	name  []byte // of the tag, with its prefix
	attrs []byte // of the start tag, as they stand
	text  []byte // resolved
	empty bool   // the start tag is also its end, which comes next
	fresh []byte // room for resolved text
}

func newXMLScanner(r io.Reader) *xmlScanner {
	return &xmlScanner{r: r, buf: make([]byte, 64<<10)}
}

// more reads on; what is not used moves to the front. False: there is no more.
func (x *xmlScanner) more() bool {
	if x.failed != nil {
		return false
	}
	if x.pos > 0 {
		x.end = copy(x.buf, x.buf[x.pos:x.end])
		x.pos = 0
	}
	if x.end == len(x.buf) {
		x.buf = append(x.buf, make([]byte, len(x.buf))...)
	}
	for range 100 {
		n, err := x.r.Read(x.buf[x.end:])
		x.end += n
		if err != nil {
			x.failed = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	x.failed = io.ErrNoProgress
	return false
}

// upTo takes everything before the mark and passes over the mark. Found is
// false at the end of the text, and for more than limit bytes; nothing is taken
// then.
func (x *xmlScanner) upTo(mark []byte, limit int) (taken []byte, found bool) {
	for searched := 0; ; {
		window := x.buf[x.pos:x.end]
		if i := bytes.Index(window[searched:], mark); i >= 0 {
			taken = window[:searched+i]
			x.pos += len(taken) + len(mark)
			return taken, true
		}
		searched = max(len(window)-len(mark)+1, 0)
		if len(window) > limit || !x.more() {
			return nil, false
		}
	}
}

// cut is why a tag has no end.
func (x *xmlScanner) cut() error {
	switch {
	case x.failed == nil:
		return errTag
	case errors.Is(x.failed, io.EOF):
		return errCutText
	}
	return x.failed
}

// next goes to the next token; io.EOF: there is none.
func (x *xmlScanner) next() error {
	if x.empty {
		x.empty, x.kind = false, '>'
		return nil
	}
	if x.pos == x.end && !x.more() {
		return x.failed
	}
	if x.buf[x.pos] != '<' {
		return x.nextText()
	}
	for x.end-x.pos < len("<![CDATA[") && x.more() {
	}
	window := x.buf[x.pos:x.end]
	x.kind = '!'
	switch {
	case bytes.HasPrefix(window, []byte("<!--")):
		return x.pass(len("<!--"), "-->")
	case bytes.HasPrefix(window, []byte("<![CDATA[")):
		return x.cdata()
	case bytes.HasPrefix(window, []byte("<?")):
		return x.pass(len("<?"), "?>")
	case bytes.HasPrefix(window, []byte("<!")):
		return x.declaration()
	case bytes.HasPrefix(window, []byte("</")):
		x.pos += len("</")
		name, ok := x.upTo([]byte(">"), maxTag)
		if !ok {
			return x.cut()
		}
		x.kind, x.name = '>', bytes.TrimRight(name, " \t\r\n")
		return nil
	}
	return x.startTag()
}

// nextText takes text up to the next tag, or a piece of it.
func (x *xmlScanner) nextText() error {
	x.kind = 't'
	raw, found := x.upTo([]byte("<"), textPiece)
	if found {
		x.pos-- // the tag is the next token
		x.text = x.resolve(raw)
		return nil
	}
	raw = x.buf[x.pos:x.end]
	if x.failed != nil && !errors.Is(x.failed, io.EOF) {
		return x.failed
	}
	if x.failed == nil { // a piece; a reference or a character is not cut in two
		n := len(raw)
		if i := bytes.LastIndexByte(raw[max(n-64, 0):], '&'); i >= 0 && n > 64 {
			n = n - 64 + i
		}
		for n--; n > 1 && !utf8.RuneStart(raw[n]); {
			n--
		}
		raw = raw[:n]
	}
	x.pos += len(raw)
	x.text = x.resolve(raw)
	return nil
}

func (x *xmlScanner) pass(begin int, end string) error {
	x.pos += begin
	if _, ok := x.upTo([]byte(end), maxTag); !ok {
		return x.cut()
	}
	return nil
}

func (x *xmlScanner) cdata() error {
	x.pos += len("<![CDATA[")
	raw, ok := x.upTo([]byte("]]>"), maxPartBytes)
	if !ok {
		return x.cut()
	}
	x.kind, x.text = 't', lineEnds(raw)
	return nil
}

// declaration passes over <!DOCTYPE …> with what stands in its brackets:
// nothing in it is used.
func (x *xmlScanner) declaration() error {
	depth, quote, comment := 1, byte(0), 0 // where the text of an open comment begins
	for i := len("<!") + 1; ; i++ {        // what comes first has no meaning
		for x.pos+i >= x.end {
			if i > maxTag || !x.more() {
				return x.cut()
			}
		}
		seen := x.buf[x.pos : x.pos+i+1]
		switch c := x.buf[x.pos+i]; {
		case comment > 0:
			if c == '>' && bytes.HasSuffix(seen[comment:], []byte("-->")) {
				comment = 0
			}
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			depth++
		case c == '-' && bytes.HasSuffix(seen[len("<!")+1:], []byte("<!--")):
			comment = i + 1
			depth--
		case c == '>':
			if depth--; depth == 0 {
				x.pos += i + 1
				return nil
			}
		}
	}
}

// startTag takes a tag up to the ">" that stands in no quotation marks.
func (x *xmlScanner) startTag() error {
	end, ok := x.tagEnd()
	if !ok {
		return x.cut()
	}
	tag := x.buf[x.pos+1 : x.pos+end]
	x.pos += end + 1
	if n := len(tag); n > 0 && tag[n-1] == '/' {
		tag, x.empty = tag[:n-1], true
	}
	x.kind, x.name, x.attrs = '<', tag, nil
	for i, c := range tag {
		if isBlank(c) {
			x.name, x.attrs = tag[:i], tag[i+1:]
			break
		}
	}
	if len(x.name) == 0 {
		return errTag
	}
	return nil
}

// tagEnd gives where the tag at pos ends, from pos.
func (x *xmlScanner) tagEnd() (int, bool) {
	quote := byte(0)
	for i := 1; ; i++ {
		if x.pos+i >= x.end && (i > maxTag || !x.more()) {
			return 0, false
		}
		rest := x.buf[x.pos+i : x.end]
		if quote != 0 {
			n := bytes.IndexByte(rest, quote)
			if n < 0 {
				i += len(rest) - 1
				continue
			}
			i, quote = i+n, 0
			continue
		}
		n := bytes.IndexAny(rest, `>"'`)
		if n < 0 {
			i += len(rest) - 1
			continue
		}
		if i += n; rest[n] == '>' {
			return i, true
		}
		quote = rest[n]
	}
}

// local is the name of the tag in hand without its prefix.
func (x *xmlScanner) local() []byte {
	_, local := splitName(x.name)
	return local
}

func splitName(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i > 0 && i < len(name)-1 {
		return name[:i], name[i+1:]
	}
	return nil, name
}

// resolve replaces references by their characters and line ends by LF. One that
// is not known stays as it stands.
func (x *xmlScanner) resolve(raw []byte) []byte {
	if bytes.IndexByte(raw, '&') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	out := x.fresh[:0]
	for {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			break
		}
		out, raw = append(out, raw[:i]...), raw[i:]
		end := bytes.IndexByte(raw[:min(len(raw), 64)], ';')
		r, known := rune(0), false
		if end > 0 {
			r, known = reference(raw[1:end])
		}
		if !known {
			out, raw = append(out, '&'), raw[1:]
			continue
		}
		out, raw = utf8.AppendRune(out, r), raw[end+1:]
	}
	x.fresh = append(out, raw...)
	return lineEnds(x.fresh)
}

func reference(name []byte) (rune, bool) {
	switch string(name) {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}

// lineEnds makes CR and CR LF one LF, in place.
func lineEnds(b []byte) []byte {
	i := bytes.IndexByte(b, '\r')
	if i < 0 {
		return b
	}
	out := b[:i]
	for ; i < len(b); i++ {
		switch {
		case b[i] != '\r':
			out = append(out, b[i])
		case i+1 >= len(b) || b[i+1] != '\n':
			out = append(out, '\n')
		}
	}
	return out
}
