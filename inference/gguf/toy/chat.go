package toy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"referent/inference/gguf"
)

// ChatML is the template of Chat unless it has one of its own.
const ChatML = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`

// Size of the model: rows of 256 can be quantised to any K type.
const (
	chatWidth  = 256
	chatHeads  = 4
	chatGroups = 2
	chatInner  = 256
)

// Kind says what a chat model remembers of the tokens before.
type Kind string

// The kinds, by the architecture that is written.
const (
	Full    Kind = ""       // llama: every layer sees every token
	Sliding Kind = "gemma3" // five of six layers see the last Window tokens only
	Hybrid  Kind = "lfm2"   // every other layer carries a state from token to token instead
)

// Window is what the layers of a Sliding model see, in tokens.
const Window = 64

// Chat is a model that writes a chosen text. The zero value of a field is its
// default.
type Chat struct {
	// Text is what it writes; Cut decides the tokens. Pieces, if set, is the
	// text cut by the caller: one token each. A piece of the form <0xE2> is a
	// single byte. A piece may occur once only, because a token knows its
	// successor but not its place.
	Text   string
	Pieces []string
	// Loop makes it begin again instead of ending its turn.
	Loop     bool
	Kind     Kind
	Layers   int    // 4; a Sliding model has 6
	Context  int    // tokens, 4096
	Template string // ChatML
	Seed     uint64 // of the layers' noise
}

// The vocabulary begins with these; the bytes follow, then the pieces.
var chatSpecials = []string{"<unk>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"}

const (
	chatUnknown = 0
	chatBOS     = 1
	chatEnd     = 3
	firstByte   = 4
	firstPiece  = firstByte + 256
)

// Write writes the model to path and returns its SHA-256 in lower-case hex.
// It fails if the text cannot be cut into different pieces.
func (c Chat) Write(path string) (hash string, err error) {
	w, err := c.build()
	if err != nil {
		return "", err
	}
	return w.WriteFile(path)
}

func (c Chat) build() (*gguf.Writer, error) {
	if c.Pieces == nil {
		pieces, err := Cut(c.Text)
		if err != nil {
			return nil, err
		}
		c.Pieces = pieces
	}
	if c.Layers == 0 {
		c.Layers = 4
		if c.Kind == Sliding {
			c.Layers = 6
		}
	}
	if c.Context == 0 {
		c.Context = 4096
	}
	if c.Template == "" {
		c.Template = ChatML
	}
	tokens, kinds, chain, err := chatVocabulary(c.Pieces)
	if err != nil {
		return nil, err
	}
	w := &gguf.Writer{}
	c.setKeys(w, tokens, kinds)
	c.addTensors(w, len(tokens), chain)
	return w, nil
}

// chatVocabulary returns the tokens, their types and the ids of the chain.
func chatVocabulary(pieces []string) (tokens []string, kinds []int32, chain []int, err error) {
	if len(pieces) == 0 {
		return nil, nil, nil, fmt.Errorf("toy: a chat model needs something to say")
	}
	for i, s := range chatSpecials {
		tokens = append(tokens, s)
		kinds = append(kinds, 3) // control
		if i == chatUnknown {
			kinds[i] = 2
		}
	}
	for b := range 256 {
		tokens = append(tokens, fmt.Sprintf("<0x%02X>", b))
		kinds = append(kinds, 6) // byte
	}
	for _, p := range pieces {
		text := strings.ReplaceAll(p, " ", "\u2581")
		id := slices.Index(tokens, text)
		if id < 0 {
			id = len(tokens)
			tokens = append(tokens, text)
			kinds = append(kinds, 1) // normal
		} else if id < firstByte || id >= firstPiece {
			return nil, nil, nil, fmt.Errorf("toy: the piece %q occurs twice or is a control token", p)
		}
		if slices.Contains(chain, id) {
			return nil, nil, nil, fmt.Errorf("toy: the byte %s occurs twice", p)
		}
		chain = append(chain, id)
	}
	// Without it a space in a prompt would be the bytes of its mark.
	if !slices.Contains(tokens, "\u2581") {
		tokens = append(tokens, "\u2581")
		kinds = append(kinds, 1)
	}
	return tokens, kinds, chain, nil
}

func (c Chat) setKeys(w *gguf.Writer, tokens []string, kinds []int32) {
	arch := string(c.Kind)
	if c.Kind == Full {
		arch = "llama"
	}
	w.Set("general.architecture", arch)
	w.Set("general.type", "model")
	w.Set("general.name", "toy chat")
	w.Set("general.file_type", uint32(1))
	w.Set("general.quantization_version", uint32(2))
	w.Set(arch+".block_count", uint32(c.Layers))
	w.Set(arch+".context_length", uint32(c.Context))
	w.Set(arch+".embedding_length", uint32(chatWidth))
	w.Set(arch+".feed_forward_length", uint32(chatInner))
	w.Set(arch+".attention.head_count", uint32(chatHeads))
	w.Set(arch+".attention.layer_norm_rms_epsilon", float32(1e-5))
	w.Set(arch+".rope.dimension_count", uint32(chatWidth/chatHeads))
	w.Set(arch+".rope.freq_base", float32(10000))
	w.Set(arch+".vocab_size", uint32(len(tokens)))
	switch c.Kind {
	case Sliding:
		w.Set(arch+".attention.key_length", uint32(chatWidth/chatHeads))
		w.Set(arch+".attention.value_length", uint32(chatWidth/chatHeads))
		w.Set(arch+".attention.sliding_window", uint32(Window))
	case Hybrid:
		w.Set(arch+".shortconv.l_cache", uint32(convolved))
	}
	if c.Kind == Hybrid {
		groups := make([]uint32, c.Layers)
		for i := range groups {
			if !c.carries(i) {
				groups[i] = chatGroups
			}
		}
		w.Set(arch+".attention.head_count_kv", groups)
	} else {
		w.Set(arch+".attention.head_count_kv", uint32(chatGroups))
	}
	w.Set("tokenizer.ggml.model", "llama")
	w.Set("tokenizer.ggml.pre", "default")
	w.Set("tokenizer.ggml.tokens", tokens)
	w.Set("tokenizer.ggml.scores", make([]float32, len(tokens)))
	w.Set("tokenizer.ggml.token_type", kinds)
	w.Set("tokenizer.ggml.bos_token_id", uint32(chatBOS))
	w.Set("tokenizer.ggml.eos_token_id", uint32(chatEnd))
	w.Set("tokenizer.ggml.unknown_token_id", uint32(chatUnknown))
	w.Set("tokenizer.ggml.add_bos_token", false)
	w.Set("tokenizer.ggml.add_eos_token", false)
	w.Set("tokenizer.ggml.add_space_prefix", false)
	w.Set("tokenizer.chat_template", c.Template)
}

func (c Chat) addTensors(w *gguf.Writer, vocabulary int, chain []int) {
	embedding, output := chainWeights(vocabulary, chain, c.Loop)
	addMatrix(w, "token_embd.weight", embedding)
	r := source(c.Seed + 1)
	for i := range c.Layers {
		c.addLayer(w, r, i)
	}
	norm := "output_norm.weight"
	if c.Kind == Hybrid {
		norm = "token_embd_norm.weight"
	}
	addFloats(w, norm, ones(chatWidth))
	addMatrix(w, "output.weight", output)
}

// chainWeights builds the two matrices of the chain. Every token outside the
// chain carries a common direction, start, which the first piece's output row
// answers: the chain begins after any prompt. Inside the chain a token's
// embedding is the output row of its successor. Rows have the length that the
// final norm produces; an output row of 2/√width gives the right token a logit
// near 30 and the others less than a third of it.
func chainWeights(vocabulary int, chain []int, loop bool) (embedding, output matrix) {
	r := source(7)
	length := math.Sqrt(chatWidth)
	start := make([]float32, chatWidth)
	for i := range start {
		start[i] = float32(r.NormFloat64())
	}
	scaleTo(start, 1)
	embedding = gauss(r, vocabulary, chatWidth, 1)
	for id := range vocabulary {
		row := embedding.row(id)
		removeFrom(row, start)
		if !slices.Contains(chain, id) {
			scaleTo(row, 0.5)
			add(row, start, 1)
		}
		scaleTo(row, length)
	}
	output = gauss(r, vocabulary, chatWidth, 0.005)
	answer := func(id int, to []float32) {
		row := output.row(id)
		add(row, to, 1)
		scaleTo(row, 2)
	}
	// A loop returns to the first piece from two sides: after a prompt and
	// after the last piece.
	first := slices.Clone(start)
	if loop {
		add(first, embedding.row(chain[len(chain)-1]), float32(1/length))
	}
	answer(chain[0], first)
	for i, id := range chain[:len(chain)-1] {
		answer(chain[i+1], embedding.row(id))
	}
	if !loop {
		answer(chatEnd, embedding.row(chain[len(chain)-1]))
	}
	return embedding, output
}
