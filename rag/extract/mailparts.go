package extract

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/jhillyerd/enmime/v2"

	"referent/rag"
)

// mailContents are the leaves of a message in reading order.
type mailContents struct {
	bodies   []*enmime.Part
	attached []*enmime.Part
	sealed   bool // the content is encrypted
}

// collect walks the parts, whose depth boundedMail bounds. Of alternatives the
// plain text is taken where it says as much as the others; what is attached to
// any of them counts.
func (c *mailContents) collect(p *enmime.Part, attachmentsOnly bool) {
	if p.FirstChild == nil {
		c.leaf(p, attachmentsOnly)
		return
	}
	c.sealed = c.sealed || p.ContentType == "multipart/encrypted"
	var chosen *enmime.Part
	if p.ContentType == "multipart/alternative" {
		chosen = bestAlternative(p)
	}
	for child := p.FirstChild; child != nil; child = child.NextSibling {
		c.collect(child, attachmentsOnly || chosen != nil && child != chosen)
	}
}

func (c *mailContents) leaf(p *enmime.Part, attachmentsOnly bool) {
	body := p.ContentType == "text/plain" || p.ContentType == "text/html" || p.ContentType == ""
	switch {
	case p.ContentType == "application/pgp-signature", strings.HasSuffix(p.ContentType, "pkcs7-signature"), p.ContentType == "application/pgp-encrypted",
		p.ContentType == "text/x-amp-html", strings.HasPrefix(p.ContentType, "multipart/"):
		// Signatures and the like say nothing to people.
	case strings.HasSuffix(p.ContentType, "pkcs7-mime"):
		c.sealed = true
	case body && p.Disposition != "attachment" && p.FileName == "":
		if !attachmentsOnly {
			c.bodies = append(c.bodies, p)
		}
	case strings.HasPrefix(p.ContentType, "image/") && p.Disposition != "attachment" && p.ContentID != "":
		// A picture that the page shows: a logo, mostly.
	default:
		if !c.sealed {
			c.attached = append(c.attached, p)
		}
	}
}

// bestAlternative is the plain text, or, where it is missing or only tells the
// reader to look at the page, the last alternative.
func bestAlternative(p *enmime.Part) *enmime.Part {
	var plain, last *enmime.Part
	page := 0 // characters of the page's text
	for child := p.FirstChild; child != nil; child = child.NextSibling {
		last = child
		if child.ContentType == "text/plain" && plain == nil {
			plain = child
		}
		if found := child.BreadthMatchFirst(func(q *enmime.Part) bool { return q.ContentType == "text/html" }); found != nil {
			page = len(htmlText(string(found.Content)))
		}
	}
	if plain != nil && len(bytes.TrimSpace(plain.Content))*4 >= page {
		return plain
	}
	return last
}

var boundaryParam = regexp.MustCompile(`(?i)\bboundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))`)

// boundedMail refuses messages of more parts, or deeper ones, than any mail
// program writes.
func boundedMail(raw []byte) error {
	known := map[string]bool{}
	for _, m := range boundaryParam.FindAllSubmatch(raw, maxMailNesting+1) {
		known[string(m[1])+string(m[2])] = true
	}
	if len(known) > maxMailNesting {
		return tooLarge("The message is nested deeper than any mail program writes.")
	}
	parts := 0
	for line := range bytes.Lines(raw) {
		rest, dashed := bytes.CutPrefix(line, []byte("--"))
		if !dashed {
			continue
		}
		if rest = bytes.TrimRight(rest, " \t\r\n"); known[string(rest)] {
			if parts++; parts > maxMailParts {
				return tooLarge("The message has more than %d parts.", maxMailParts)
			}
		}
	}
	return nil
}

// attachment reads the n-th attachment.
func (m *mailReader) attachment(p *enmime.Part, n int) error {
	name := attachmentName(p, n)
	m.d.path, m.d.levels = m.d.path[:min(len(m.d.path), 1):min(len(m.d.path), 1)], m.d.levels[:min(len(m.d.levels), 1)]
	return m.read(name, p.Content, 2, func(l rag.Locator) rag.Locator { return m.at(placeIn(name, l)) })
}

// attachmentName is the name under which the part is shown and its kind told.
func attachmentName(p *enmime.Part, n int) string {
	name := oneLine(cleanText(validText([]byte(p.FileName))))
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if name != "" {
		if p.ContentType == "message/rfc822" && !strings.HasSuffix(strings.ToLower(name), ".eml") {
			name += ".eml"
		}
		return name
	}
	ending := map[string]string{"message/rfc822": ".eml", "text/html": ".html", "text/calendar": ".ics", "text/csv": ".csv",
		"application/pdf": ".pdf", "application/json": ".json"}[p.ContentType]
	return strconv.Itoa(n) + ending
}
