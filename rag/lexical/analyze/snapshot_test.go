package analyze

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the snapshots anew")

// samples holds a few sentences in every language with rules of its own.
var samples = map[string]string{
	"en": "The heating pumps' warranty lasts 24 months; it doesn't cover water-damaged motors (see ERR_NGX_502, v1.2.3). Paid $1,234.56 on March 1, 2024 to O'Neill's e-mail.",
	"it": "L'assemblea dell'edificio ha approvato i preventivi: 1.234,56 € per l'impianto di riscaldamento, entro il 1 marzo 2024. Perché gl'inquilini pagano così?",
	"de": "Die Hausverwaltungen prüften die Heizungsanlagen in der Königstraße; größere Schäden kosteten 12.000,50 Euro am 1. März 2024.",
	"fr": "L'immeuble n'a qu'une chaudière : les copropriétaires l'ont réparée le 1er mars 2024 pour 1 234,56 €, d'où l'œuvre naïve.",
	"es": "Las bombas de calefacción tienen una garantía de 24 meses; los dueños pagaron 1.234,56 € el 1 de marzo de 2024.",
	"pt": "As bombas de aquecimento têm garantias de 24 meses; os moradores pagaram 1.234,56 € em 1 de março de 2024.",
	"nl": "De verwarmingspompen hebben vierentwintig maanden garantie; bewoners betaalden op 1 maart 2024 zo'n 1.234,56 euro.",
	"da": "Varmepumperne har garantier i 24 måneder; beboerne betalte 1.234,56 kroner for øllet og smørrebrød.",
	"sv": "Värmepumparna har garantier i 24 månader; boende betalade för åtgärderna på vägarna.",
	"no": "Varmepumpene har garantier i 24 måneder; beboerne betalte for tiltakene på veiene.",
	"fi": "Lämpöpumppujen takuut kestävät kaksikymmentäneljä kuukautta; asukkaat maksoivat korjauksista.",
	"hu": "A hőszivattyúk garanciája huszonnégy hónapig tart; a lakók fizettek a javításokért.",
	"ro": "Pompele de căldură au garanții de 24 de luni; locatarii au plătit reparațiile și știu prețurile.",
	"ru": "Насосы отопления имеют гарантию 24 месяца; жильцы заплатили за ёлку 1 марта 2024 года.",
	"tr": "Isı pompalarının garantisi 24 aydır; İstanbul'daki KİRACILAR onarımları ödedi.",
	"ar": "مضخات التدفئة لها ضمان لمدة عامين؛ دفع السكان تكاليف الإصلاحات.",
	"ga": "Tá bharántaí ar na caidéil teasa ar feadh dhá bhliain; d'íoc na tionóntaí.",
	"ta": "வெப்பக் குழாய்களுக்கு இரண்டு ஆண்டுகள் உத்தரவாதம் உண்டு.",
	"el": "Οι αντλίες θερμότητας έχουν εγγύηση δύο ετών· οι ένοικοι πλήρωσαν.",
	"hi": "हीटिंग पंप की वारंटी चौबीस महीने की है।",
	"he": "למשאבות החימום יש אחריות לשנתיים.",
	"zh": "水泵保修期为24个月，见第3条。iPhone用户请拨打电话。",
	"ja": "暖房ポンプの保証は24か月です。ｶﾞｽは使えません。",
	"ko": "난방 펌프의 보증은 24개월이며 물을 사용합니다.",
	"th": "ปั๊มความร้อนรับประกัน 24 เดือน",
	"lo": "ປໍ້າຄວາມຮ້ອນຮັບປະກັນສອງປີ",
	"km": "ម៉ាស៊ីនបូមកំដៅមានការធានា",
	"my": "အပူပေးစက်အာမခံနှစ်နှစ်",
	// Many languages in one text of none: each run by its script.
	"mul": "The pumps (水泵保修, насосы, ポンプ, 펌프, ปั๊ม, مضخات, αντλίες) of l'edificio: KX-200, 1.234,56 €, 2024-03-01, ERR_NGX_502.",
}

// A difference here is a decision: terms changed, so Version must rise.
func TestSnapshots(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "testdata", "snapshots", "analyze")
	for language, text := range samples {
		t.Run(language, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(text + "\n\n")
			Text(text, language, func(term string, aux bool) {
				if aux {
					b.WriteString("  ")
				}
				b.WriteString(term + "\n")
			})
			file := filepath.Join(folder, language+".txt")
			if *update {
				if err := os.MkdirAll(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("the terms changed:\n%s\nwant:\n%s", b.String(), want)
			}
		})
	}
}
