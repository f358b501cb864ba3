package analyze

import (
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// pairs emits a run of signs as overlapping pairs. A run of one sign is a term
// of its own. Han signs and Hangul syllables are also indexed one by one, so
// that a question of a single sign finds them inside longer runs.
func pairs(run string, sc script, emit emitter) {
	var at []int // begin of each sign, and the end
	if sc == scriptUnsegmented {
		for g := graphemes.FromString(run); g.Next(); {
			at = append(at, g.Start())
		}
	} else {
		for i := range run {
			at = append(at, i)
		}
	}
	at = append(at, len(run))
	n := len(at) - 1
	stop := stopSigns(run, sc)
	if n == 1 {
		emit(unit{kind: Gram, surface: run, exact: [2]string{run}, stop: stop != nil && stop[0]})
		return
	}
	for i := 0; i+1 <= n; i++ {
		sign := run[at[i]:at[i+1]]
		if sc == scriptHangul || sc == scriptIdeograph && isHan(firstRune(sign)) {
			emit(unit{kind: Gram, surface: sign, exact: [2]string{sign}, aux: true, single: true})
		}
		if i+2 <= n {
			pair := run[at[i]:at[i+2]]
			emit(unit{kind: Gram, surface: pair, exact: [2]string{pair}, stop: stop != nil && (stop[at[i]] || stop[at[i+1]])})
		}
	}
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
