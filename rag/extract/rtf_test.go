package extract

import (
	"strings"
	"testing"

	"referent/rag"
)

func TestRTFBlocks(t *testing.T) {
	ex := readBytes(t, "a.rtf", []byte(`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset2 Symbol;}}{\colortbl;\red0;}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\*\cs2 Strong;}{\s5 Title;}}{\*\generator Tool 1;}{\info{\title The {\i Plan}}{\author Ada}}
{\header\pard Running head\par}
\pard\s5 House plan\par
\pard\s1 Cellar\par
\pard\plain Kept {\deleted gone}text,{\v hidden} \u8364?5 and \'e4\'f6 \emdash\~{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\line second line{\super\chftn{\footnote\pard Small print.\par}}{\*\atnid A}{\*\annotation\pard Really?}\par
\pard{\listtext\f1\'b7\tab}first point\par
\pard{\listtext 2.\tab}second point\par
\pard Outer{\shp{\*\shpinst{\sp{\sn a}{\sv secret}}{\shptxt\pard In the box\par}}{\shprslt{\pard In the box\par}}}{\*\unknown never}{\pict 0102}{\nonshppict{\pict 00}}\par
\trowd\trhdr\clvmgf\cellx1\cellx2\pard\intbl Room\cell Key\cell\row
\trowd\clvmgf\cellx1\cellx2\pard\intbl East\cell A\par B\cell\row
\trowd\clvmrg\cellx1\cellx2\pard\intbl\cell C\cell\row
\pard after\bin3 }}}\par
\pard\outlinelevel1 Keys\par}trailing`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: House plan
heading: Cellar
paragraph: Kept text, €5 and äö —\u00a0link\nsecond line
list_item: - first point
list_item: 2. second point
paragraph: Outer
paragraph: In the box
table: Room | Key\nEast | A B\nEast | C
paragraph: after
heading: Keys
header_footer: Running head
note: Small print.
note: Really?
`
	want = strings.Replace(want, `\u00a0`, " ", 1)
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Title != "The Plan" || ex.TitleSource != "metadata" {
		t.Errorf("title %q from %s", ex.Title, ex.TitleSource)
	}
	if b := ex.Blocks[7]; b.TableHeader != "Room | Key" || b.Locator.Section != "Cellar" {
		t.Errorf("header %q at %v", b.TableHeader, b.Locator)
	}
	if b := ex.Blocks[9]; b.Level != 2 {
		t.Errorf("level %d, want 2", b.Level)
	}
}

// TestRTFCharacters: the bytes of each code page were looked up in its table.
func TestRTFCharacters(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"western", `\ansicpg1252 \'fc\'df\'80`, "üß€"},
		{"no code page", `\'e9`, "é"},
		{"cyrillic file", `\ansicpg1251 \'cf\'f0\'e8`, "При"},
		{"cyrillic font", `\ansicpg1252{\fonttbl{\f3\fcharset204 A;}}\f3 \'cf\'f0\'e8`, "При"},
		{"greek then western", `{\fonttbl{\f0\fcharset0 A;}{\f3\fcharset161 A;}}\f3\'e1\f0\'e1`, "αá"},
		{"eastern europe", `{\fonttbl{\f3\fcharset238 A;}}\f3 \'b3\'f3d\'9f`, "łódź"},
		{"hebrew, right to left", `{\fonttbl{\f3\fcharset177 A;}}\rtlch\f3 \'f9\'ec\'e5\'ed`, "שלום"},
		{"arabic", `{\fonttbl{\f3\fcharset178 A;}}\f3 \'d3\'e1\'c7\'e3`, "سلام"},
		{"shift-jis", `\ansicpg932 \'93\'fa\'96\'7b`, "日本"},
		{"shift-jis, second byte is a letter", `\ansicpg932 \'83A`, "ア"},
		{"shift-jis, second byte is a backslash", `\ansicpg932 \'83\\`, "ソ"},
		{"raw bytes", "\\ansicpg932 \x93\xfa\x96\x7b", "日本"},
		{"western font in a Japanese file", `\ansicpg932{\fonttbl{\f0\fcharset0 A;}}\f0 \'e9`, "é"},
		{"gbk", `{\fonttbl{\f3\fcharset134 A;}}\f3 \'d6\'d0\'b9\'fa`, "中国"},
		{"big5", `{\fonttbl{\f3\fcharset136 A;}}\f3 \'a4\'a4`, "中"},
		{"korean", `{\fonttbl{\f3\fcharset129 A;}}\f3 \'c7\'d1`, "한"},
		{"code page of a font", `{\fonttbl{\f3\cpg866 A;}}\f3 \'8f\'e0`, "Пр"},
		{"macintosh", `\mac \'8a`, "ä"},
		{"u with one", `\u8364?x`, "€x"},
		{"u with none", `\uc0\u8364 x`, "€x"},
		{"u with two bytes", `\uc2\u26085\'93\'fax`, "日x"},
		{"u with two in a group", `{\uc2\u26085 ab}\u8364?x`, "日€x"},
		{"u is cut off by a group", `\uc3\u8364 {x}`, "€x"},
		{"u negative", `\u-3?`, "\uFFFD"},
		{"pair", `\u-10179?\u-8704?x`, "😀x"},
		{"half a pair", `\u-10179?x`, "x"},
		{"upr", `{\upr{\'e9old}{\*\ud{\u26085?}}}x`, "日x"},
		{"signs", `\lquote a\rquote  \endash \bullet`, "‘a’ –•"},
		{"escapes", `a\{b\}c\\d`, `a{b}c\d`},
		{"hyphens", `re\-co\_op`, "reco-op"},
		{"symbol font", `{\fonttbl{\f3\fcharset2 A;}}\f3 \'b7\'41`, "•"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ex := readBytes(t, "a.rtf", []byte(`{\rtf1\ansi `+c.in+`\par}`))
			expectStatus(t, ex, rag.FileIndexed)
			if ex.Text != c.want {
				t.Errorf("got %q, want %q", ex.Text, c.want)
			}
		})
	}
}

func TestRTFEncodingByHand(t *testing.T) {
	ex := readBytes(t, "a.rtf", []byte(`{\rtf1\ansi\ansicpg1252 \'cf\'f0\par}`), Options{Encoding: "windows-1251"})
	if ex.Text != "Пр" || ex.Encoding != "windows-1251" {
		t.Errorf("%q in %s", ex.Text, ex.Encoding)
	}
}

func TestRTFDamage(t *testing.T) {
	for _, c := range []struct {
		in     string
		status rag.FileStatus
		text   string
	}{
		{`{\rtf1 before\par after`, rag.FilePartlyIndexed, "after"},
		{`{\rtf1 before\par \trowd\intbl one\cell tw`, rag.FilePartlyIndexed, "one | tw"},
		{`{\rtf1 {\footnote note`, rag.FilePartlyIndexed, "note"},
		{`{\rtf1 text\bin99999999 abc`, rag.FilePartlyIndexed, "text"},
		{`{\rtf1`, rag.FileDamaged, ""},
		{`{\rtf1 {\pict 00`, rag.FileDamaged, ""},
		{`{\rtf1 }}}}`, rag.FileIndexed, ""},
		{`{\rtf1 x\'zz\'4}`, rag.FileIndexed, "x"},
		{`{\rtf1` + strings.Repeat("{", 100_000) + "deep" + strings.Repeat("}", 100_000) + "}", rag.FileIndexed, "deep"},
		{`{\rtf1` + strings.Repeat(`{\footnote `, 20_000) + "deep", rag.FilePartlyIndexed, "deep"},
		{`{\rtf1` + strings.Repeat("word ", 250_000) + "}", rag.FileIndexed, "word"},
		{`{\rtf1` + strings.Repeat(`\trowd\cellx1\intbl `, 20_000) + `x\cell\row}`, rag.FileIndexed, "x"},
	} {
		t.Run(c.in[:min(len(c.in), 40)], func(t *testing.T) {
			ex := readBytes(t, "a.rtf", []byte(c.in))
			expectStatus(t, ex, c.status)
			expectText(t, ex, c.text)
		})
	}
}

func FuzzRTF(f *testing.F) {
	f.Add(`\ansicpg932\'93\'fa{\footnote x\par}\u8364?\trowd\cellx1\intbl a\cell\row`)
	f.Add(`{\upr{a}{\*\ud{\shp{\*\shpinst{\shptxt b}}}}}{\stylesheet{\s1 heading 1;}}\s1 c\par`)
	f.Add(`}{\listtext 1}\bin3 ab{{{`)
	f.Fuzz(func(t *testing.T, body string) {
		expectNoPanic(t, readBytes(t, "a.rtf", []byte(`{\rtf1\ansi `+body), Options{MaxChars: 100_000}))
	})
}
