package extract

import (
	"strings"
	"unicode/utf8"
)

// frequentHan are the most frequent characters of Chinese (simplified and
// traditional) and Japanese running text. In a wrong decoding of two-byte text
// the characters come out nearly evenly spread over 20,000, so few of them are
// these.
const frequentHan = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运" +
	"這個們來為國說時會對過發後裡現當沒動還進樣從實軍無與長機應戰體見產將兩間問並關點業題話" +
	"東電車語書読売新聞社員学校会議年度月日本人大小中国出入手事者同自前後言行来見思気何私彼今年間先生場所方法用意味部屋食飲買物店駅道路町市県府都内外上下左右取引開始終了際権利義務条項第号規則申請必要届"

func commonHan(r rune) bool {
	if r < 0x4e00 || r > 0x9fff {
		return false
	}
	var b [utf8.UTFMax]byte
	n := utf8.EncodeRune(b[:], r)
	return strings.Contains(frequentHan, string(b[:n]))
}
