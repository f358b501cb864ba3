package retrieve

// interleave takes one candidate of each list in turn, so that both sides of a
// comparison are in the result. A chunk that several lists hold stands at its
// first place, with the best of what was said of it.
func interleave(lists [][]candidate) []candidate {
	at := map[int64]int{}
	var out []candidate
	for i := 0; ; i++ {
		more := false
		for _, list := range lists {
			if i >= len(list) {
				continue
			}
			more = true
			c := list[i]
			k, seen := at[c.chunk]
			if !seen {
				at[c.chunk] = len(out)
				out = append(out, c)
				continue
			}
			out[k].cosine = max(out[k].cosine, c.cosine)
			out[k].share = max(out[k].share, c.share)
			out[k].beyond = max(out[k].beyond, c.beyond)
			out[k].phrase = out[k].phrase || c.phrase
		}
		if !more {
			return out
		}
	}
}
