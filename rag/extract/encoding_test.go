package extract

import (
	"fmt"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"referent/rag"
)

// Sentences of our own in many languages; each has what its encoding is for.
var sentencesIn = map[string]string{
	"de": "Die Mitglieder der Genossenschaft wählen den Aufsichtsrat für drei Jahre. Schlüssel müssen beim Auszug zurückgegeben werden, auch überzählige. Größere Änderungen an der Wohnung benötigen eine Erlaubnis; über Anträge entscheidet der Vorstand spätestens nach sechs Wochen. ",
	"fr": "Les sociétaires élisent le conseil de surveillance pour trois années. Les clés doivent être rendues à la fin du bail, même celles commandées à leurs frais. L’été, le chauffage est arrêté ; où que l’on habite, les réclamations sont adressées au gérant. ",
	"it": "I soci eleggono il collegio sindacale ogni tre anni. Le chiavi devono essere restituite, perché l’appartamento è di proprietà della società. Più di così non si può chiedere: la qualità è già buona e ciò che manca verrà. ",
	"es": "Los socios eligen el consejo cada tres años. ¿Quién devuelve las llaves? El último inquilino, según el artículo décimo. La calefacción funcionará también en otoño, y el señor Núñez atenderá las quejas mañana. ",
	"pl": "Członkowie spółdzielni wybierają radę nadzorczą na trzy lata. Klucze należy zwrócić przy wyprowadzce. Większe zmiany w mieszkaniu wymagają zgody zarządu, który rozpatruje wnioski najpóźniej po sześciu tygodniach. Ogrzewanie działa całą zimę, źródło ciepła jest wspólne. ",
	"cs": "Členové družstva volí dozorčí radu na tři roky. Klíče je třeba při odchodu vrátit. Větší změny v bytě vyžadují souhlas představenstva, které o žádostech rozhoduje nejpozději po šesti týdnech. Účty se předkládají v květnu. ",
	"hu": "A szövetkezet tagjai három évre választják a felügyelőbizottságot. A kulcsokat kiköltözéskor vissza kell adni. A nagyobb átalakításokhoz a vezetőség engedélye szükséges, amely legkésőbb hat héten belül dönt. Fűtés októbertől, hűtés nincs. ",
	"ru": "Члены кооператива избирают наблюдательный совет на три года. Ключи необходимо вернуть при выезде. Крупные изменения в квартире требуют разрешения правления, которое рассматривает заявления не позднее шести недель. ",
	"el": "Τα μέλη του συνεταιρισμού εκλέγουν το εποπτικό συμβούλιο για τρία χρόνια. Τα κλειδιά πρέπει να επιστραφούν. Οι μεγαλύτερες αλλαγές χρειάζονται άδεια, και για τις αιτήσεις αποφασίζει το διοικητικό συμβούλιο. ",
	"tr": "Kooperatif üyeleri denetim kurulunu üç yıl için seçer. Anahtarlar çıkışta geri verilmelidir. Dairede büyük değişiklikler için yönetimin izni gerekir; başvurular en geç altı hafta içinde karara bağlanır. Isıtma kışın çalışır, şikâyetler kapıcıya iletilir. ",
	"he": "חברי הקואופרטיב בוחרים את ועדת הביקורת לשלוש שנים. יש להחזיר את המפתחות בעת העזיבה. שינויים גדולים בדירה דורשים אישור של ההנהלה, שמחליטה על בקשות תוך שישה שבועות. ",
	"ar": "ينتخب أعضاء الجمعية مجلس الإشراف لمدة ثلاث سنوات. يجب إعادة المفاتيح عند المغادرة. تحتاج التغييرات الكبيرة في الشقة إلى إذن من الإدارة التي تبت في الطلبات خلال ستة أسابيع. ",
	"ja": "組合員は三年ごとに監査役会を選びます。退去するときは鍵を返してください。住宅の大きな変更には理事会の許可が必要で、申請は六週間以内に決定されます。暖房は十月から四月まで動きます。",
	"zh": "合作社的成员每三年选举一次监事会。搬离的时候必须归还所有钥匙。住房的重大改动需要理事会的许可，申请在六周之内决定。供暖时间为十月到四月，有问题请联系管理员。",
	"tw": "合作社的成員每三年選舉一次監事會。搬離的時候必須歸還所有鑰匙。住房的重大改動需要理事會的許可，申請在六週之內決定。供暖時間為十月到四月，有問題請聯絡管理員。",
	"ko": "조합원은 삼 년마다 감사회를 선출합니다. 이사할 때에는 열쇠를 모두 돌려주어야 합니다. 집을 크게 고치려면 이사회의 허가가 필요하며 신청은 육 주 안에 결정됩니다. ",
}

// moreSentences are of languages that are not named by the program.
var moreSentences = map[string]string{
	"uk": "Члени кооперативу обирають наглядову раду на три роки. Ключі необхідно повернути під час виїзду. Більші зміни в квартирі потребують дозволу правління, яке розглядає заяви не пізніше ніж за шість тижнів. Опалення працює з жовтня до квітня. ",
	"bg": "Членовете на кооперацията избират надзорен съвет за три години. Ключовете трябва да се върнат при напускане. По-големите промени в жилището изискват разрешение от управата, която решава в срок от шест седмици. ",
	"lt": "Kooperatyvo nariai trejiems metams renka priežiūros tarybą. Išsikraustant raktus būtina grąžinti. Didesniems buto pakeitimams reikia valdybos leidimo, ji dėl prašymų sprendžia ne vėliau kaip per šešias savaites. Šildymas veikia nuo spalio iki balandžio. ",
	"lv": "Kooperatīva biedri ievēlē uzraudzības padomi uz trim gadiem. Izvācoties, atslēgas jāatdod. Lielākām izmaiņām dzīvoklī vajadzīga valdes atļauja, tā par iesniegumiem lemj sešu nedēļu laikā. Apkure darbojas visu ziemu. ",
	"ro": "Membrii cooperativei aleg consiliul de supraveghere pe trei ani. Cheile trebuie înapoiate la plecare. Schimbările mai mari în locuință au nevoie de aprobarea conducerii, care hotărăște în cel mult șase săptămâni. Căldura merge toată iarna. ",
	"th": "สมาชิกสหกรณ์เลือกคณะกรรมการตรวจสอบทุกสามปี ต้องคืนกุญแจทั้งหมดเมื่อย้ายออก การเปลี่ยนแปลงห้องครั้งใหญ่ต้องได้รับอนุญาตจากคณะกรรมการ ซึ่งจะตัดสินคำขอภายในหกสัปดาห์ ",
	"vi": "Các thành viên hợp tác xã bầu ban kiểm soát ba năm một lần. Chìa khóa phải được trả lại khi dọn đi. Những thay đổi lớn trong căn hộ cần có giấy phép của ban quản lý. ",
	"sv": "Föreningens medlemmar väljer en styrelse på tre år. Nycklarna måste lämnas tillbaka vid avflyttning. Större ändringar i lägenheten kräver tillstånd, och ansökningar avgörs inom sex veckor. Värmen är på från oktober. ",
	"da": "Foreningens medlemmer vælger en bestyrelse for tre år. Nøglerne skal afleveres ved fraflytning. Større ændringer i boligen kræver tilladelse, og ansøgninger afgøres inden for seks uger. Varmen er tændt fra oktober. ",
	"pt": "Os sócios elegem o conselho fiscal por três anos. As chaves têm de ser devolvidas à saída. As alterações maiores na habitação precisam de autorização da direção, que decide no máximo em seis semanas. O aquecimento não funciona no verão. ",
	"hr": "Članovi zadruge biraju nadzorni odbor na tri godine. Ključeve treba vratiti pri iseljenju. Veće promjene u stanu traže dopuštenje uprave, koja o zahtjevima odlučuje najkasnije za šest tjedana. Grijanje radi čitavu zimu, žalbe šaljite domaru. ",
}

func sentence(lang string) string {
	if s := sentencesIn[lang]; s != "" {
		return s
	}
	return moreSentences[lang]
}

var western, central, cyrillic, eastAsian = []string{"de", "fr", "it", "es", "pt", "sv", "da"}, []string{"pl", "cs", "hu", "hr"}, []string{"ru", "uk", "bg"}, []string{"zh", "ja", "ko"}

var encodingCases = []struct {
	name  string
	enc   encoding.Encoding
	langs []string
}{
	{"utf-8", unicode.UTF8, []string{"de", "pl", "ru", "th", "ja"}},
	{"utf-8 with mark", unicode.UTF8BOM, eastAsian},
	{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), append([]string{"de", "ru", "ar"}, eastAsian...)},
	{"utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), append([]string{"de", "ru", "ar"}, eastAsian...)},
	{"utf-16le with mark", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), eastAsian},
	{"utf-16be with mark", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), eastAsian},
	{"utf-32le with mark", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), []string{"de", "zh"}},
	{"utf-32be with mark", utf32.UTF32(utf32.BigEndian, utf32.UseBOM), []string{"de", "zh"}},
	{"windows-1252", charmap.Windows1252, western},
	{"iso-8859-1", charmap.ISO8859_1, western},
	{"iso-8859-15", charmap.ISO8859_15, western},
	{"macintosh", charmap.Macintosh, western},
	{"ibm850", charmap.CodePage850, western},
	{"ibm437", charmap.CodePage437, []string{"de", "fr", "it", "es"}},
	{"windows-1250", charmap.Windows1250, central},
	{"iso-8859-2", charmap.ISO8859_2, central},
	{"ibm852", charmap.CodePage852, central},
	{"iso-8859-16", charmap.ISO8859_16, []string{"ro"}},
	{"windows-1251", charmap.Windows1251, cyrillic},
	{"koi8-r", charmap.KOI8R, []string{"ru", "bg"}},
	{"koi8-u", charmap.KOI8U, []string{"uk"}},
	{"ibm866", charmap.CodePage866, []string{"ru", "bg"}},
	{"iso-8859-5", charmap.ISO8859_5, cyrillic},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic, cyrillic},
	{"windows-1253", charmap.Windows1253, []string{"el"}},
	{"iso-8859-7", charmap.ISO8859_7, []string{"el"}},
	{"windows-1254", charmap.Windows1254, []string{"tr"}},
	{"iso-8859-9", charmap.ISO8859_9, []string{"tr"}},
	{"windows-1255", charmap.Windows1255, []string{"he"}},
	{"iso-8859-8", charmap.ISO8859_8, []string{"he"}},
	{"windows-1256", charmap.Windows1256, []string{"ar"}},
	{"iso-8859-6", charmap.ISO8859_6, []string{"ar"}},
	{"windows-1257", charmap.Windows1257, []string{"lt", "lv"}},
	{"iso-8859-13", charmap.ISO8859_13, []string{"lt", "lv"}},
	{"windows-874", charmap.Windows874, []string{"th"}},
	{"shift_jis", japanese.ShiftJIS, []string{"ja"}},
	{"euc-jp", japanese.EUCJP, []string{"ja"}},
	{"iso-2022-jp", japanese.ISO2022JP, []string{"ja"}},
	{"gb18030", simplifiedchinese.GB18030, []string{"zh"}},
	{"gbk", simplifiedchinese.GBK, []string{"zh"}},
	{"hz-gb-2312", simplifiedchinese.HZGB2312, []string{"zh"}},
	{"big5", traditionalchinese.Big5, []string{"tw"}},
	{"euc-kr", korean.EUCKR, []string{"ko"}},
}

// alike are fixtures whose bytes are a likely text in another encoding too, so
// that no reader can tell. The user names the encoding of such a file.
var alike = map[string]string{
	"x-mac-cyrillic ru 50": "The only byte that differs from windows-1251 is the first: a capital in one, a dash in the other.",
}

// TestR111_EncodingsDecodeToTheExactText reads every encoding at three lengths
// in bytes, in every language that is written in it.
func TestR111_EncodingsDecodeToTheExactText(t *testing.T) {
	right, all := 0, 0
	for _, c := range encodingCases {
		for _, lang := range c.langs {
			whole := encodable(sentence(lang), c.enc)
			for _, size := range []int{50, 500, 5000} {
				want, raw := beginning(strings.Repeat(whole, 5000/len(whole)+2), c.enc, size)
				got, name, err := decode(raw, "")
				all++
				key := fmt.Sprintf("%s %s %d", c.name, lang, size)
				switch exact := err == nil && strings.TrimPrefix(got, "\ufeff") == want; {
				case exact:
					right++
				case alike[key] == "":
					t.Errorf("%s: read as %s: %.60q", key, name, got)
				}
			}
		}
	}
	if len(encodingCases) < 30 || right*100 < all*95 {
		t.Errorf("%d of %d exact in %d encodings, want 95 %% of 30", right, all, len(encodingCases))
	}
	t.Logf("%d of %d exact in %d encodings", right, all, len(encodingCases))
}

// encodable is s without what an encoding does not have.
func encodable(s string, e encoding.Encoding) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "’", "'") {
		if _, err := e.NewEncoder().String(string(r)); err == nil {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// beginning is the longest beginning of s that takes at most n bytes, and these
// bytes.
func beginning(s string, e encoding.Encoding, n int) (text string, raw []byte) {
	var ends []int
	for i := range s {
		if ends = append(ends, i); len(ends) > n+1 {
			break // a character takes a byte or more
		}
	}
	k := sort.Search(len(ends), func(i int) bool {
		b, err := e.NewEncoder().Bytes([]byte(s[:ends[i]]))
		return err != nil || len(b) > n
	})
	text = s[:ends[max(k-1, 0)]]
	raw, _ = e.NewEncoder().Bytes([]byte(text)) // it was encoded a moment ago
	return text, raw
}

// TestEncodingIsToldFromAllOfAFile: what lies behind a long plain beginning
// decides as well.
func TestEncodingIsToldFromAllOfAFile(t *testing.T) {
	plain := strings.Repeat("Nothing special stands in this line.\n", 5000)
	for _, lang := range []string{"pl", "ru"} {
		name := map[string]string{"pl": "windows-1250", "ru": "koi8-r"}[lang]
		for _, separator := range []string{"\n", " "} { // many lines, and one
			got, found, err := decode([]byte(strings.ReplaceAll(plain, "\n", separator)+encoded(t, name, sentence(lang))), "")
			if err != nil || found != name || !strings.HasSuffix(got, sentence(lang)) {
				t.Errorf("%s: read as %s, %v", name, found, err)
			}
		}
		if _, found, _ := decode([]byte(plain+sentence(lang)+"\xff"), ""); found != "utf-8" {
			t.Errorf("a broken byte in UTF-8 behind plain lines: %s", found)
		}
	}
}

// TestNamesOfEncodings: every name that detection gives can be asked for.
func TestNamesOfEncodings(t *testing.T) {
	names := []string{"hz-gb-2312", "iso-2022-jp", "utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "Latin1", " UTF-8 "}
	for _, c := range candidates {
		names = append(names, c.name)
	}
	for _, name := range names {
		if _, e, err := byName(name); e == nil || err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, _, err := decode([]byte("Gr\x94\xe1e"), "IBM850"); text != "Größe" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	expectStatus(t, readBytes(t, "a.txt", []byte("x"), Options{Encoding: "klingon"}), rag.FileDamaged)
	page := encoded(t, "windows-1252", "<p>Die Größe der Tür wird über den Schlüssel geprüft.")
	expectText(t, readBytes(t, "a.html", []byte(page)), "Größe der Tür wird über")
	dos, err := charmap.CodePage850.NewEncoder().String("<p>Die Größe der Tür wird über den Schlüssel geprüft.")
	if err != nil {
		t.Fatal(err)
	}
	expectText(t, readBytes(t, "b.html", []byte(dos)), "Größe der Tür wird über")
}

func TestR113_SignsOutsideACodePageAreIndexed(t *testing.T) {
	ex := readBytes(t, "a.txt", []byte("© 2026 Linden Street 🏠\x00 rules\x00apply\n"))
	expectStatus(t, ex, rag.FileIndexed)
	expectText(t, ex, "© 2026 Linden Street 🏠 rulesapply")
}

func TestR115_LostCharactersAreTold(t *testing.T) {
	ex := readBytes(t, "a.txt", []byte(strings.Repeat("w\xefrd für ", 12)+strings.Repeat("größer ", 200)))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if !strings.HasPrefix(ex.Reason, "12 characters could not be decoded as utf-8") {
		t.Errorf("reason %q", ex.Reason)
	}
	for name, want := range map[string]string{"windows-1252": "Größe “x”", "shift_jis": "鍵を返してください"} {
		var enc encoding.Encoding = charmap.Windows1252
		if name == "shift_jis" {
			enc = japanese.ShiftJIS
		}
		b, err := enc.NewEncoder().Bytes([]byte(want))
		if err != nil {
			t.Fatal(err)
		}
		ex := readBytes(t, "b.txt", b, Options{Encoding: name})
		if ex.Text != want || ex.Encoding != name {
			t.Errorf("%s: %q as %s", name, ex.Text, ex.Encoding)
		}
	}
}

// FuzzSniff: whatever is found out about bytes can be asked for by its name and
// then gives the same text.
func FuzzSniff(f *testing.F) {
	for _, seed := range []string{"", "gr\xfc\xdfe", "\xff\xfea\x00", "\x1b$B", "~{:OWw~}", "\x00a\x00b\x00c", "D0}0\x020", "\x82\xb1\x82\xf1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text, name, err := decode(b, "")
		if err != nil {
			return
		}
		if again, same, err := decode(b, name); err != nil || again != text || same != name {
			t.Errorf("%q as %s, then %q as %s, %v", text, name, again, same, err)
		}
		if name != "utf-8" && !utf8.ValidString(text) {
			t.Errorf("%s gave %q", name, text)
		}
	})
}
