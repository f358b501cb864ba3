package language

import (
	"fmt"
	"strings"
	"testing"
)

func TestDesignations(t *testing.T) {
	for _, c := range []struct{ code, text, want string }{
		{"en", "The Mill House stands in Quay Street.", "hous←mill mill→hous street←quay quay→street"},
		{"en", "Mill House. Quay House", "hous←mill mill→hous hous←quay quay→hous"},
		{"en", "the Bank of England and Mr Smith", "bank→england"},
		{"en", "World War II", "war←world world→war ii←war war→ii"},
		{"en", "flats 9, 11 to 13 and 15", "flat#9 flat#11 flat#12 flat#13 flat#15"},
		{"en", "Section 4.2 costs 1.5 or 10:30 or 12%", "section#4.2"},
		{"en", "rooms B-204 to B-206", "b-204 b-205 b-206"},
		{"it", "la Casa del Mulino, appartamento n. 12", "cas→mulin appart#12"},
		{"de", "§§ 7 bis 9", "§#7 §#8 §#9"},
		{"de", "Haus am Kai und Öl-Preis der Stadt", "haus→kai"},
		{"zh", "磨坊之家的管理员。", ""},
	} {
		var got []string
		for _, d := range For(c.code).Designations(c.text) {
			sign := map[Form]string{HeadLast: "%s←%s", HeadFirst: "%s→%s", Numbered: "%s#%s", Coded: "%s-%s"}[d.Form]
			if sign != "" {
				got = append(got, fmt.Sprintf(sign, d.Head, d.Own))
			}
		}
		if !same(got, strings.Fields(c.want)) {
			t.Errorf("%s %q: %q, want %q", c.code, c.text, got, c.want)
		}
	}
}

// same compares in any order.
func same(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	count := map[string]int{}
	for i := range got {
		count[got[i]]++
		count[want[i]]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
