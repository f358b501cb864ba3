package extract

import (
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

var encodingCases = []struct {
	lang, name string
	enc        encoding.Encoding
}{
	{"de", "windows-1252", charmap.Windows1252}, {"fr", "windows-1252", charmap.Windows1252}, {"it", "windows-1252", charmap.Windows1252},
	{"es", "windows-1252", charmap.Windows1252}, {"de", "iso-8859-1", charmap.ISO8859_1}, {"de", "iso-8859-15", charmap.ISO8859_15},
	{"de", "macintosh", charmap.Macintosh}, {"fr", "macintosh", charmap.Macintosh}, {"de", "ibm850", charmap.CodePage850},
	{"pl", "windows-1250", charmap.Windows1250}, {"pl", "iso-8859-2", charmap.ISO8859_2}, {"cs", "windows-1250", charmap.Windows1250},
	{"cs", "iso-8859-2", charmap.ISO8859_2}, {"hu", "windows-1250", charmap.Windows1250},
	{"ru", "windows-1251", charmap.Windows1251}, {"ru", "koi8-r", charmap.KOI8R}, {"ru", "ibm866", charmap.CodePage866}, {"ru", "iso-8859-5", charmap.ISO8859_5},
	{"el", "windows-1253", charmap.Windows1253}, {"tr", "windows-1254", charmap.Windows1254}, {"he", "windows-1255", charmap.Windows1255},
	{"ar", "windows-1256", charmap.Windows1256}, {"ja", "shift_jis", japanese.ShiftJIS}, {"ja", "euc-jp", japanese.EUCJP}, {"ja", "iso-2022-jp", japanese.ISO2022JP},
	{"zh", "gb18030", simplifiedchinese.GB18030}, {"zh", "gbk", simplifiedchinese.GBK}, {"zh", "hz-gb-2312", simplifiedchinese.HZGB2312},
	{"tw", "big5", traditionalchinese.Big5}, {"ko", "euc-kr", korean.EUCKR},
	{"ru", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, {"de", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	{"zh", "utf-16le with mark", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}, {"de", "utf-8", unicode.UTF8}, {"ja", "utf-8 with mark", unicode.UTF8BOM},
}

// TestR111_EncodingsDecodeToTheExactText reads every encoding at three lengths.
// Fifty bytes are too few for some pairs that differ in a handful of letters.
func TestR111_EncodingsDecodeToTheExactText(t *testing.T) {
	right, all := 0, 0
	for _, c := range encodingCases {
		for _, size := range []int{50, 500, 5000} {
			text := cutAt(strings.Repeat(sentencesIn[c.lang], 5000/len(sentencesIn[c.lang])+1), size)
			enc, err := encoding.ReplaceUnsupported(c.enc.NewEncoder()).Bytes([]byte(plainQuotes(text, c.name)))
			if err != nil {
				t.Fatal(err)
			}
			got, name, err := decode(enc, "")
			all++
			switch want := plainQuotes(text, c.name); {
			case err == nil && strings.TrimPrefix(got, "\ufeff") == want:
				right++
			case size >= 500:
				t.Errorf("%s %s, %d bytes: read as %s: %.60q", c.lang, c.name, size, name, got)
			default:
				t.Logf("%s %s, %d bytes: read as %s: %.60q", c.lang, c.name, size, name, got)
			}
		}
	}
	if right*100 < all*95 {
		t.Errorf("%d of %d exact, want 95 %%", right, all)
	}
}

// plainQuotes takes out what an encoding does not have.
func plainQuotes(s, name string) string {
	if strings.HasPrefix(name, "iso-8859") || strings.HasPrefix(name, "ibm") {
		s = strings.NewReplacer("’", "'", "€", "EUR").Replace(s)
	}
	return s
}

func cutAt(s string, n int) string {
	n = min(n, len(s))
	for n > 0 && !utf8.ValidString(s[:n]) {
		n--
	}
	return s[:n]
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
