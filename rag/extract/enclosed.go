package extract

import (
	"context"
	"fmt"
	"strconv"

	"referent/rag"
)

// maxNesting is how deep files may lie in each other: an attachment of a
// message that is attached to a message has depth 2.
const maxNesting = 4

// maxUnreadReasons is how many enclosed files are told one by one with their
// reason.
const maxUnreadReasons = 3

// enclosure adds files that lie within the file to its document.
type enclosure struct {
	ctx    context.Context
	opts   Options
	d      *document
	what   string   // "attachment" or "file", for sentences
	unread []string // a sentence for each that was not read
}

// read reads an enclosed file like one of its own and puts its blocks below a
// heading with its name. Its faults are told and cost nothing else; the error
// is the context's.
func (e *enclosure) read(name string, content []byte, level int, at func(rag.Locator) rag.Locator) error {
	opts := e.opts
	opts.Password, opts.Encoding, opts.Progress = "", "", nil
	opts.MaxChars = max(e.d.maxChars-e.d.runes, 1)
	if opts.nested++; opts.nested > maxNesting {
		e.refuse(name, "It lies in too many others.")
		return nil
	}
	_, sub, err := readSource(e.ctx, inMemory(name, content), opts)
	if cause := e.ctx.Err(); cause != nil {
		return cause
	}
	if err != nil {
		e.refuse(name, asProblem(err).reason)
		return nil
	}
	for _, s := range sub.partly {
		if s != fullReason {
			e.unread = append(e.unread, "Of the "+e.what+" “"+name+"”: "+s)
		}
	}
	if len(sub.blocks)+len(sub.tail) > 0 {
		e.d.heading(level, name, at(rag.Locator{}))
	}
	e.d.adopt(sub, level, at)
	if sub.full { // it had all the room that was left
		e.d.fill()
	}
	return nil
}

func (e *enclosure) refuse(name, reason string) {
	e.unread = append(e.unread, "The "+e.what+" “"+name+"” was not read: "+reason)
}

// tell says what was left out.
func (e *enclosure) tell() {
	if n := len(e.unread); n > maxUnreadReasons {
		e.d.partly = append(e.d.partly, fmt.Sprintf("Of %d enclosed files nothing or only a part was read.", n))
		return
	}
	e.d.partly = append(e.d.partly, e.unread...)
}

// placeIn is the place inside an enclosed file, in signs that every language
// reads: a page, a slide, a sheet, a heading, or the file within it.
func placeIn(name string, l rag.Locator) string {
	switch {
	case l.Page > 0:
		return name + ", p. " + strconv.Itoa(l.Page)
	case l.Slide > 0:
		return name + ", " + strconv.Itoa(l.Slide)
	case l.Sheet != "":
		return name + ", " + l.Sheet
	case l.Part != "":
		return name + ", " + l.Part
	case l.Section != "":
		return name + ", " + l.Section
	}
	return name
}
