package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"referent/inference/process"
)

const (
	maxPictures     = 50      // pages of one file whose words are recognised
	maxTSV          = 8 << 20 // of one picture
	minLine         = 50.0    // mean confidence of a line, 0 to 100; the noise of photographs lies below
	languagesAtMost = 3
)

// recogniser runs the Tesseract program, one picture at a time.
type recogniser struct {
	program   string
	languages string // as its option -l takes them
	turns     bool   // it can tell how a page is turned
	limit     time.Duration
}

// preferredLanguages are taken where they are installed.
var preferredLanguages = []string{"eng", "ita", "deu"}

// recognisers holds what was found out about each program.
var recognisers = struct {
	sync.Mutex
	byProgram map[string]*recogniser
}{byProgram: map[string]*recogniser{}}

// recogniser gives the installed program, or nil and the sentence that tells
// what to do to have pictures read.
func (o Options) recogniser(ctx context.Context) (*recogniser, string) {
	if !o.OCR {
		return nil, "Turn on text recognition in the settings, then try again."
	}
	program, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, "Install the program Tesseract, then try again."
	}
	recognisers.Lock()
	defer recognisers.Unlock()
	if r := recognisers.byProgram[program]; r != nil {
		return r.within(o.PictureTime), ""
	}
	r := &recogniser{program: program, limit: defaultPictureTime}
	out, err := r.run(ctx, nil, "--list-langs")
	if err != nil || !r.choose(string(out)) {
		return nil, "Tesseract has no language. Install one of its language packs, then try again."
	}
	recognisers.byProgram[program] = r
	return r.within(o.PictureTime), ""
}

// within is the same program with a limit for each picture.
func (r recogniser) within(limit time.Duration) *recogniser {
	r.limit = limit
	return &r
}

// choose takes languages from the program's list: a line about the list, then
// one name a line.
func (r *recogniser) choose(list string) bool {
	lines := strings.Fields(strings.ReplaceAll(list[strings.IndexByte(list, '\n')+1:], "\r", ""))
	var names []string
	for _, l := range preferredLanguages {
		if slices.Contains(lines, l) {
			names = append(names, l)
		}
	}
	if len(names) == 0 {
		for _, l := range lines {
			if l != "osd" && l != "equ" && len(names) < languagesAtMost {
				names = append(names, l)
			}
		}
	}
	r.languages, r.turns = strings.Join(names, "+"), slices.Contains(lines, "osd")
	return len(names) > 0
}

// run starts the program without a shell and gives what it prints. It ends with
// ctx, with its own limit, and with this process.
func (r *recogniser) run(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	limit, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	cmd := exec.CommandContext(limit, r.program, args...)
	// More threads than one are slower here, and other work needs the cores.
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	cmd.Stdin = in
	out := &capped{left: maxTSV}
	cmd.Stdout = out
	cmd.WaitDelay = time.Second
	if err := process.StartForeign(cmd); err != nil {
		return nil, err
	}
	err := cmd.Wait()
	if cause := limit.Err(); cause != nil {
		return nil, cause
	}
	return out.buffer.Bytes(), err
}

// capped keeps what fits and refuses the rest, which ends the writer. The
// buffer is a field, since its ReadFrom would know no cap.
type capped struct {
	buffer bytes.Buffer
	left   int
}

func (c *capped) Write(b []byte) (int, error) {
	if c.left -= len(b); c.left < 0 {
		return 0, io.ErrShortBuffer
	}
	return c.buffer.Write(b)
}

// ocrLine is a line of recognised words with its box in pixels, origin at the
// top left.
type ocrLine struct {
	text                     string
	left, top, right, bottom int
	paragraph                int // counts up through the picture
}

// read recognises the words of page number page, from 0, of a picture. The
// bytes must be a picture by their first bytes: anything else the program takes
// for a list of files to open.
func (r *recogniser) read(ctx context.Context, picture []byte, page int) ([]ocrLine, error) {
	mode := "3"
	if r.turns {
		mode = "1"
	}
	out, err := r.run(ctx, bytes.NewReader(picture), "stdin", "stdout", "--psm", mode, "-l", r.languages, "-c", "tessedit_page_number="+strconv.Itoa(page), "tsv")
	if err != nil {
		return nil, fmt.Errorf("run tesseract: %w", err)
	}
	return parseTSV(string(out))
}

var errTSV = errors.New("the output of tesseract is no table")

// parseTSV reads Tesseract's table: level, page, block, paragraph, line, word,
// left, top, width, height, confidence, text. Level 5 is a word.
func parseTSV(table string) ([]ocrLine, error) {
	var lines []ocrLine
	var open struct {
		line           ocrLine
		key, paragraph string
		sum            float64 // confidence by letters
		letters        int
	}
	paragraphs, last := 0, ""
	flush := func() {
		if open.letters > 0 && open.sum/float64(open.letters) >= minLine {
			if open.paragraph != last {
				paragraphs, last = paragraphs+1, open.paragraph
			}
			open.line.paragraph = paragraphs
			lines = append(lines, open.line)
		}
		open.line, open.sum, open.letters = ocrLine{}, 0, 0
	}
	for row := range strings.Lines(table) {
		col := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		if len(col) < 12 || col[0] == "level" {
			continue
		}
		var n [11]float64
		for i := range n {
			v, err := strconv.ParseFloat(col[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errTSV, err)
			}
			n[i] = v
		}
		text := strings.TrimSpace(strings.Join(col[11:], " "))
		if n[0] != 5 || text == "" || n[10] < 0 {
			continue
		}
		if key := strings.Join(col[1:5], " "); key != open.key {
			flush()
			open.key, open.paragraph = key, strings.Join(col[1:4], " ")
		}
		letters := utf8.RuneCountInString(text)
		open.sum += n[10] * float64(letters)
		open.letters += letters
		open.line.grow(text, int(n[6]), int(n[7]), int(n[6]+n[8]), int(n[7]+n[9]))
	}
	flush()
	return lines, nil
}

func (l *ocrLine) grow(text string, left, top, right, bottom int) {
	if l.text == "" {
		*l = ocrLine{text: text, left: left, top: top, right: right, bottom: bottom}
		return
	}
	l.text += " " + text
	l.left, l.top = min(l.left, left), min(l.top, top)
	l.right, l.bottom = max(l.right, right), max(l.bottom, bottom)
}
