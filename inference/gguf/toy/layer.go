package toy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"referent/inference/gguf"
)

// convolved is how many tokens the state of a Hybrid layer spans.
const convolved = 3

// carries says whether a layer of a Hybrid model carries a state instead of
// looking back.
func (c Chat) carries(layer int) bool { return c.Kind == Hybrid && layer%2 == 0 }

// addLayer adds one random layer. Input projections keep the size of what they
// read; the two projections back into the stream are quiet, so that the token
// keeps the word.
func (c Chat) addLayer(w *gguf.Writer, r *rand.Rand, i int) {
	blk := fmt.Sprintf("blk.%d.", i)
	loud, quiet := 1/math.Sqrt(chatWidth), 0.1/math.Sqrt(chatWidth)
	head := chatWidth / chatHeads
	addFloats(w, blk+"attn_norm.weight", ones(chatWidth))
	if c.carries(i) {
		addMatrix(w, blk+"shortconv.in_proj.weight", gauss(r, 3*chatWidth, chatWidth, loud))
		addMatrix(w, blk+"shortconv.out_proj.weight", gauss(r, chatWidth, chatWidth, quiet))
		addFloats(w, blk+"shortconv.conv.weight", gauss(r, chatWidth, convolved, 1).v, convolved)
	} else {
		addMatrix(w, blk+"attn_q.weight", gauss(r, chatWidth, chatWidth, loud))
		addMatrix(w, blk+"attn_k.weight", gauss(r, head*chatGroups, chatWidth, loud))
		addMatrix(w, blk+"attn_v.weight", gauss(r, head*chatGroups, chatWidth, loud))
		addMatrix(w, blk+"attn_output.weight", gauss(r, chatWidth, chatWidth, quiet))
		if c.Kind != Full {
			addFloats(w, blk+"attn_q_norm.weight", ones(head))
			addFloats(w, blk+"attn_k_norm.weight", ones(head))
		}
	}
	if c.Kind == Sliding {
		addFloats(w, blk+"post_attention_norm.weight", ones(chatWidth))
		addFloats(w, blk+"post_ffw_norm.weight", ones(chatWidth))
	}
	addFloats(w, blk+"ffn_norm.weight", ones(chatWidth))
	addMatrix(w, blk+"ffn_gate.weight", gauss(r, chatInner, chatWidth, loud))
	addMatrix(w, blk+"ffn_up.weight", gauss(r, chatInner, chatWidth, loud))
	addMatrix(w, blk+"ffn_down.weight", gauss(r, chatWidth, chatInner, quiet))
}
