package extract

import (
	"io"
	"strings"

	"referent/rag"
)

// rtfDests are the destinations that are known by name.
var rtfDests = map[string]rtfDest{
	"fonttbl": rtfFonts, "stylesheet": rtfStyleSheet, "info": rtfHold, "upr": rtfHold, "listtext": rtfMarker, "pntext": rtfMarker,
	// Shapes and fields hold text deeper inside.
	"shpinst": rtfBody, "shptxt": rtfBody, "do": rtfBody, "dptxbxtext": rtfBody, "fldrslt": rtfBody, "result": rtfBody, "nesttableprops": rtfBody,
	"footnote": rtfBody, "annotation": rtfBody,
}

// rtfSkipped are destinations without text of the document, or with a second
// copy of it.
var rtfSkipped = func() map[string]bool {
	skipped := map[string]bool{}
	for _, w := range strings.Fields(`colortbl pict objdata objclass objname fldinst listtable listoverridetable revtbl rsidtbl generator xe tc tcn rxe txe
		bkmkstart bkmkend ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn atnid atnauthor atntime atndate atnref atnparent atrfstart atrfend atnicn
		nonshppict nonesttables shprslt sp themedata colorschememapping datastore latentstyles filetbl template private datafield formfield
		mmathPr xmlnstbl wgrffmtfilter pntxta pntxtb pn pgptbl falt panose fontemb userprops docvar picprop background nextfile
		author operator subject keywords doccomm company manager category hlinkbase comment`) {
		skipped[w] = true
	}
	return skipped
}()

// rtfSigns are the control words that stand for a character.
var rtfSigns = map[string]string{
	"tab": " ", "emspace": " ", "enspace": " ", "qmspace": " ", "emdash": "—", "endash": "–", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "line": "\n", "lbr": "\n", "softline": "\n", "zwj": "\u200d", "zwnj": "\u200c",
}

// word does what a control word says.
func (r *rtfReader) word(name string, value int, given bool) error {
	r.words++
	if name == "bin" {
		_, err := io.CopyN(io.Discard, r.in, int64(max(value, 0)))
		return err
	}
	if name == "u" {
		if r.state.dest != rtfSkip {
			r.unicode(value)
		}
		return nil
	}
	r.flush()
	r.high = 0
	starred := r.star
	r.star = false
	if sign, ok := rtfSigns[name]; ok {
		if sign == " " || sign == "\n" { // white space repeats no \u
			r.skip = 0
		}
		r.write(sign)
		return nil
	}
	r.skip = 0
	if r.state.dest == rtfSkip || r.destination(name, starred) {
		return nil
	}
	if r.property(name, value, !given || value != 0) {
		return nil
	}
	r.structure(name)
	return nil
}

// write takes a character that a control word stands for.
func (r *rtfReader) write(s string) {
	if r.skip > 0 {
		r.skip--
		return
	}
	r.flush()
	r.put(s)
}

// destination switches where the group's text goes.
func (r *rtfReader) destination(name string, starred bool) bool {
	s := &r.state
	switch name {
	case "title":
		if s.dest == rtfHold {
			s.dest = rtfTitle
			return true
		}
	case "ud":
		s.dest = s.outer
		return true
	case "upr":
		s.outer = s.dest
	case "footnote":
		r.push(rag.BlockNote, "footnote")
	case "annotation":
		r.push(rag.BlockNote, "comment")
	case "header", "headerl", "headerr", "headerf":
		r.push(rag.BlockHeaderFooter, "header")
		return true
	case "footer", "footerl", "footerr", "footerf":
		r.push(rag.BlockHeaderFooter, "footer")
		return true
	case "shptxt", "dptxbxtext":
		r.push(rag.BlockParagraph, "")
	}
	if dest, ok := rtfDests[name]; ok {
		if dest != rtfBody {
			s.dest = dest
		}
		return true
	}
	if rtfSkipped[name] || starred {
		s.dest = rtfSkip
		return true
	}
	return false
}

// property changes the state of the group. on is false for a word that ends in
// a 0.
func (r *rtfReader) property(name string, value int, on bool) bool {
	s := &r.state
	switch name {
	case "ansicpg":
		if codePages[value] != nil {
			r.ansi = value
		}
	case "mac":
		r.ansi = 10000
	case "pc":
		r.ansi = 437
	case "pca":
		r.ansi = 850
	case "deff":
		r.deffont, s.font = value, value
	case "f":
		r.font, s.font = value, value
	case "fcharset":
		r.charset(value)
	case "cpg":
		if s.dest == rtfFonts && codePages[value] != nil {
			r.fonts[r.font] = value
		}
	case "uc":
		s.unicode = min(max(value, 0), 100)
	case "plain":
		s.font, s.hidden, s.deleted = r.deffont, false, false
	case "v":
		s.hidden = on
	case "deleted":
		s.deleted = on
	case "pard":
		s.inTable, s.style, s.outline = false, 0, 0
	case "intbl":
		s.inTable = on
	case "s":
		s.style, r.style = value, value
	case "outlinelevel":
		s.outline = outlineLevel(itoa(value))
		r.level = s.outline
	default:
		return false
	}
	return true
}

func (r *rtfReader) charset(value int) {
	if r.state.dest != rtfFonts || len(r.fonts) > maxRTFTable {
		return
	}
	switch page, ok := charsetPages[value]; {
	case ok:
		r.fonts[r.font] = page
	case value == 0 || value == 1:
		r.fonts[r.font] = value
	}
}

// maxRTFTable bounds the fonts and styles that are kept.
const maxRTFTable = 10_000

// endStyle takes in a style of the style sheet.
func (r *rtfReader) endStyle() {
	name := strings.TrimSuffix(strings.TrimSpace(r.name.String()), ";")
	r.name.Reset()
	if name == "" || len(r.styles) > maxRTFTable {
		return
	}
	var s wordStyle
	s.named(name)
	if s.level == 0 && !s.title {
		s.level = r.level
	}
	r.styles[r.style] = s
	r.style, r.level = 0, 0
}
