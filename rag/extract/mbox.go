package extract

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

// readMailbox reads an mbox file message by message; the locator is the
// message's number in the file.
func readMailbox(ctx context.Context, src *source, opts Options, d *document) error {
	d.setTitle(fileTitle(src.path), "file_name")
	m := newMailReader(ctx, opts, d)
	messages, failed, large := 0, 0, 0
	err := eachMessage(src.File, maxMailBytes, func(n int, raw []byte, cut bool) error {
		messages++
		if cut {
			large++
			return ctx.Err()
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			return ctx.Err()
		}
		err := m.message(raw, strconv.Itoa(n))
		if cause := ctx.Err(); cause != nil {
			return cause
		}
		if err != nil {
			failed++
		}
		if d.full {
			return io.EOF
		}
		return nil
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if messages > 0 && failed == messages {
		return damaged("None of the messages in this mailbox can be read. Export it again from the mail program.", nil)
	}
	if failed > 0 {
		d.partly = append(d.partly, fmt.Sprintf("Messages that could not be read: %d.", failed))
	}
	if large > 0 {
		d.partly = append(d.partly, fmt.Sprintf("Messages that were left out because they have more than %s: %d.", bytesText(maxMailBytes), large))
	}
	m.tell()
	return nil
}

// beginsMailbox tells an mbox file from a message by its first line.
func beginsMailbox(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	return beginsMessage(line, rest)
}

var (
	headerLine = regexp.MustCompile(`^[!-9;-~]+:`)
	clockTime  = regexp.MustCompile(`\d{1,2}:\d{2}`)
)

// beginsMessage tells the line that separates messages from a sentence that
// begins with "From": a header follows it, or it holds a time.
func beginsMessage(line, next []byte) bool {
	return bytes.HasPrefix(line, []byte("From ")) && (headerLine.Match(next) || clockTime.Match(line))
}

// lookAhead is how much of the line behind a separator is looked at.
const lookAhead = 200

// eachMessage splits a mailbox and gives every message, numbered from 1,
// without its separator line and with the quoting of mboxrd undone: a line of
// any number of ">" before "From " loses one. A message of more than limit
// bytes is given as cut, with nothing. raw is valid until each returns; an
// error of each ends the reading and is returned.
func eachMessage(r io.Reader, limit int, each func(n int, raw []byte, cut bool) error) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var raw bytes.Buffer
	n, cut := 0, false
	give := func() error {
		if n == 0 {
			return nil
		}
		return each(n, raw.Bytes(), cut)
	}
	start, blank := true, true // at the start of a line; the line before was blank
	for {
		piece, err := br.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return err
		}
		if start && blank && bytes.HasPrefix(piece, []byte("From ")) {
			line := bytes.Clone(piece) // looking ahead moves the buffer
			next, _ := br.Peek(lookAhead)
			if beginsMessage(line, next) {
				if err := give(); err != nil {
					return err
				}
				n++
				raw.Reset()
				cut, blank, start = false, false, !errors.Is(err, bufio.ErrBufferFull)
				if errors.Is(err, io.EOF) {
					return give()
				}
				continue
			}
			piece = line
		}
		if start {
			piece = unquoteFrom(piece)
			blank = len(bytes.TrimRight(piece, "\r\n")) == 0
		}
		switch {
		case n == 0: // before the first message
		case raw.Len()+len(piece) > limit:
			raw.Reset()
			cut = true
		case !cut:
			raw.Write(piece)
		}
		if errors.Is(err, io.EOF) {
			return give()
		}
		start = !errors.Is(err, bufio.ErrBufferFull)
	}
}

func unquoteFrom(line []byte) []byte {
	if rest := bytes.TrimLeft(line, ">"); len(rest) < len(line) && bytes.HasPrefix(rest, []byte("From ")) {
		return line[1:]
	}
	return line
}
