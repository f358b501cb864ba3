package extract

import (
	"strings"
	"unicode"
)

// language names the language of a text by ISO 639-1: by script where a script
// has one language of weight, else by stop words. Empty where the text is too
// short or mixed to tell. The first 20,000 characters decide.
func language(text string) string {
	counts := map[script]int{}
	letters, seen := 0, 0
	for _, r := range text {
		if seen++; seen > 20_000 {
			break
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			continue
		}
		letters++
		counts[scriptOf(r)]++
	}
	if letters == 0 {
		return ""
	}
	share := func(s script) float64 { return float64(counts[s]) / float64(letters) }
	switch {
	case share(scriptKana) > 0.05:
		return "ja"
	case share(scriptHan) > 0.3:
		return "zh"
	case share(scriptHangul) > 0.3:
		return "ko"
	case share(scriptThai) > 0.4:
		return "th"
	case share(scriptDevanagari) > 0.4:
		return "hi"
	case share(scriptGreek) > 0.4:
		return "el"
	case share(scriptHebrew) > 0.4:
		return "he"
	case share(scriptArabic) > 0.4:
		if strings.ContainsAny(text, "پچگژ") && strings.Contains(text, "ی") {
			return "fa"
		}
		return "ar"
	case share(scriptCyrillic) > 0.4:
		return bySigns(text, "ru", []letterSign{{"uk", "іїєґ"}, {"sr", "ђјљњћџ"}})
	case share(scriptLatin) > 0.5:
		if lang := byStopWords(text); lang != "" {
			return lang
		}
		return bySigns(text, "", []letterSign{{"tr", "ğıİ"}, {"pl", "ąęłśźż"}, {"hu", "őű"}, {"cs", "ěřů"}})
	}
	return ""
}

type letterSign struct{ lang, letters string }

// bySigns tells languages of one alphabet apart by letters that only they have;
// one in 150 letters is enough.
func bySigns(text, otherwise string, signs []letterSign) string {
	sample := text[:min(len(text), 40_000)]
	for _, s := range signs {
		n := 0
		for _, r := range sample {
			if strings.ContainsRune(s.letters, unicode.ToLower(r)) {
				n++
			}
		}
		if n*300 > len(sample) {
			return s.lang
		}
	}
	return otherwise
}

// stopWords are the commonest function words of each language; a word of
// several languages counts for each.
var stopWords = map[string]string{
	"en": "the of and to in is that it was for on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than been its who now my over did down only way may",
	"it": "il lo la i gli le di del della dei delle degli e è che in un una uno per con non si da dal dalla al alla sono come anche più ma se o ha nel nella questo questa essere sul sulla tra ai alle dai dalle ed entro ogni deve può viene",
	"de": "der die das und ist in den von zu mit dem des ein eine einer eines einem einen nicht für auf im sich als auch es an werden aus er hat dass sie nach wird bei um am sind noch wie einem über so zum war haben nur oder aber vor zur bis mehr durch man kann wenn",
	"fr": "le la les de des du un une et est en que qui dans pour pas sur au aux par avec ce cette il elle ne se sont plus ou son sa ses comme mais nous vous leur être été ont fait même tout ces",
	"es": "el la los las de del un una y es en que por con para no se su sus al lo como más pero este esta son o fue ha entre cuando muy sin sobre ser también todo desde están nos ya hay",
	"pt": "o a os as de do da dos das um uma e é em que por com para não se no na nos nas ao mais como mas foi ser ou sua seu são pela pelo também até isso ele ela entre quando muito já",
	"nl": "de het een en van in is dat op te zijn voor met die niet aan er om ook als maar bij door naar uit over dan nog wordt werd kan hij ze was heeft deze worden of tot meer",
	"sv": "och att det i en som är på av för med den till inte har de om ett men var jag från vi så kan han när eller man ska hade sig under efter vid också",
	"da": "og i at det er en til på af for med den de som der et ikke har var han jeg om vi men fra kan så eller ved også efter blev skal når hun",
	"no": "og i det er på som en til av for med at den de ikke har var et om han jeg fra vi men så kan eller ved også etter ble skal når hun seg",
	"pl": "i w na z do nie się że jest to o jak za od po co ale by był dla tego przez tak są przy oraz może lub tym jego które który czy także będzie już",
	"cs": "a se v na je že to s z do o i k ve pro za by jako po od ale byl jsou které který jeho také jsem nebo při až není však tak bude",
	"ro": "și în de la a cu pe că nu un o este din mai pentru care sau au fi ca dar prin se sunt fost după această lui al ale fie",
	"hu": "a az és hogy nem is egy ez meg de van volt csak el már mint még azt ha vagy kell lehet ki be amely minden után aki között",
	"fi": "ja on ei että se hän oli olla mutta ovat kuin myös joka sen tai kun niin jos mitä ole ne minä voi tämä sitä sekä mukaan",
	"tr": "ve bir bu da de için ile olarak çok daha gibi olan var ne ya en o kadar sonra olduğu ancak her değil ise ama göre veya tarafından",
}

// byStopWords counts stop words of each language; the winner must hold a tenth
// of all words and a margin over the next.
func byStopWords(text string) string {
	counts := map[string]int{}
	words := 0
	for _, w := range strings.FieldsFunc(text[:min(len(text), 40_000)], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	}) {
		words++
		for _, lang := range stopWordIndex[strings.ToLower(w)] {
			counts[lang]++
		}
	}
	best, second := "", 0
	for lang, n := range counts {
		switch {
		case best == "" || n > counts[best] || n == counts[best] && lang < best:
			if best != "" {
				second = max(second, counts[best])
			}
			best = lang
		default:
			second = max(second, n)
		}
	}
	n := counts[best]
	if best == "" || n < 3 || n*10 < words || n*10 < second*11 {
		return ""
	}
	return best
}

// stopWordIndex maps a word to its languages.
var stopWordIndex = func() map[string][]string {
	index := map[string][]string{}
	for lang, words := range stopWords {
		seen := map[string]bool{}
		for _, w := range strings.Fields(words) {
			if !seen[w] {
				seen[w] = true
				index[w] = append(index[w], lang)
			}
		}
	}
	return index
}()
