package setting

import (
	"net"
	"strings"

	"referent/rag/engine"
)

// Type is the kind of value that a setting takes.
type Type string

// The closed list of types. A duration is written as Go writes it ("2s").
const (
	Bool     Type = "bool"
	Int      Type = "int"
	Float    Type = "float"
	Enum     Type = "enum"
	String   Type = "string"
	Duration Type = "duration"
)

// Scope says when a change takes effect.
type Scope string

// The closed list of scopes.
const (
	NextQuestion Scope = "next_question"
	Now          Scope = "now"
	Reindex      Scope = "reindex"
)

// Auto is the word for "the program decides", where Setting.Auto allows it.
const Auto = "auto"

// Off is the value of an address that is not used.
const Off = "off"

// Setting is one row of the table. Min and Max bound numbers, both included;
// for durations they are seconds.
type Setting struct {
	Key     string
	Type    Type
	Default string
	Options []string // of an enum
	Min     float64
	Max     float64
	Auto    bool   // the word "auto" is a value too
	Unit    string // shown behind a number
	Group   string // heading in the panel
	Label   string
	Help    string // one or two sentences for people
	Scope   Scope
	Warn    func(value string) string // a sentence about a legal but doubtful value; nil: never
}

// Table holds every setting in the order in which people see it.
var Table = []Setting{
	{Key: "chat.engine", Type: Enum, Default: "expand", Options: engine.Default().Names(), Group: "Questions", Label: "Chat engine",
		Help: "Decides what is searched when a question follows another. simple searches your words only; the others use the conversation. research lets the answer model search in several rounds.", Scope: NextQuestion},
	{Key: "chat.mode", Type: Enum, Default: Auto, Options: []string{Auto, "generate", "strict", "quote"}, Group: "Questions", Label: "Answer mode",
		Help: "generate streams an answer, strict shows it after its check, quote shows the best sentences without a model. auto takes what suits the answer model.", Scope: NextQuestion},
	{Key: "chat.history", Type: Int, Default: "0", Min: 0, Max: 12, Unit: "messages", Group: "Questions", Label: "History for the answer",
		Help: "How many earlier messages the answer model sees. They are never evidence. 0 sends none.", Scope: NextQuestion},
	{Key: "condense.enabled", Type: Bool, Default: "true", Group: "Rewriting", Label: "Rewrite follow-up questions",
		Help: "The main switch. Off, every engine searches your words.", Scope: NextQuestion},
	{Key: "condense.on_failure", Type: Enum, Default: "verbatim", Options: []string{"expand", "verbatim", "stop"}, Group: "Rewriting", Label: "When a rewrite fails",
		Help: "expand adds words from earlier questions, verbatim searches your words, stop gives no answer and asks you.", Scope: NextQuestion},
	{Key: "condense.gate", Type: Bool, Default: "true", Group: "Rewriting", Label: "Rewrite only when needed",
		Help: "A question that stands on its own is not rewritten.", Scope: NextQuestion},
	{Key: "condense.history", Type: Int, Default: "6", Min: 0, Max: 20, Unit: "messages", Group: "Rewriting", Label: "History for the rewrite",
		Help: "How many earlier messages the rewrite sees. 0 turns rewriting off.", Scope: NextQuestion},
	{Key: "condense.timeout", Type: Duration, Default: Auto, Auto: true, Min: 0.1, Max: 600, Group: "Rewriting", Label: "Time limit of a rewrite",
		Help: "auto is at least 2 s, and three times what this computer should need.", Scope: NextQuestion},
	{Key: "condense.max_chars", Type: Int, Default: "512", Min: 32, Max: 4096, Unit: "characters", Group: "Rewriting", Label: "Longest rewrite",
		Help: "A longer rewrite counts as failed.", Scope: NextQuestion},
	{Key: "condense.max_tokens", Type: Int, Default: "512", Min: 16, Max: 4096, Unit: "tokens", Group: "Rewriting", Label: "Token limit of a rewrite",
		Help: "Covers the thinking of a model that thinks first.", Scope: NextQuestion},
	{Key: "expand.words", Type: Int, Default: "3", Min: 1, Max: 6, Unit: "words", Group: "Rewriting", Label: "Words that expand adds",
		Help: "The rarest words of earlier questions.", Scope: NextQuestion},
	{Key: "blend.alpha", Type: Float, Default: "0.7", Min: 0, Max: 1, Group: "Rewriting", Label: "Weight of the question in blend",
		Help: "1 searches the question only, 0 the conversation only.", Scope: NextQuestion, Warn: warnAlpha},
	{Key: "blend.history", Type: Enum, Default: "both", Options: []string{"question", "answer", "both", "none"}, Group: "Rewriting", Label: "What blend mixes in",
		Help: "The last question, the last answer, or both.", Scope: NextQuestion},
	{Key: "retrieve.retriever", Type: Enum, Default: "hybrid", Options: []string{"bm25", "dense", "hybrid", "reranked"}, Group: "Search", Label: "Retriever",
		Help: "bm25 finds words, dense finds meaning, hybrid does both, reranked lets a model judge the best of them.", Scope: NextQuestion},
	{Key: "retrieve.k", Type: Int, Default: "8", Min: 1, Max: 50, Unit: "passages", Group: "Search", Label: "Passages",
		Help: "How many passages a question may use.", Scope: NextQuestion},
	{Key: "retrieve.per_document", Type: Int, Default: "5", Min: 1, Max: 50, Unit: "passages", Group: "Search", Label: "Passages from one document",
		Help: "Keeps one long document from taking every place.", Scope: NextQuestion},
	{Key: "retrieve.fusion", Type: Enum, Default: "rrf", Options: []string{"rrf", "convex"}, Group: "Search", Label: "Fusion",
		Help: "How the two searches of hybrid are joined: by rank (rrf) or by score (convex).", Scope: NextQuestion},
	{Key: "retrieve.hint_extras", Type: Int, Default: "3", Min: 0, Max: 5, Unit: "passages", Group: "Search", Label: "Extras beside a guessed filter",
		Help: "Passages that a guessed filter would have hidden, added below the others.", Scope: NextQuestion},
	{Key: "research.patience", Type: Int, Default: "3", Min: 1, Max: 10, Unit: "rounds", Group: "Search", Label: "Patience of research",
		Help: "Rounds without a new passage before research stops.", Scope: NextQuestion},
	{Key: "research.max_rounds", Type: Int, Default: "24", Min: 1, Max: 100, Unit: "rounds", Group: "Search", Label: "Longest research",
		Help: "Research ends with its best answer after so many rounds.", Scope: NextQuestion},
	{Key: "evidence.budget", Type: Int, Default: "3000", Min: 100, Max: 100000, Unit: "tokens", Group: "Evidence", Label: "Evidence budget",
		Help: "The most text of documents that the answer model reads.", Scope: NextQuestion},
	{Key: "evidence.target_seconds", Type: Float, Default: "4", Min: 0.5, Max: 120, Unit: "s", Group: "Evidence", Label: "Time to the first word",
		Help: "The evidence is cut to what this computer reads in that time, but never below the two best passages.", Scope: NextQuestion},
	{Key: "compress.enabled", Type: Bool, Default: "false", Group: "Evidence", Label: "Shorten notes and logs",
		Help: "Notes are given as a headline and temporary files as a line, so that more passages fit.", Scope: NextQuestion},
	{Key: "compress.keep_top", Type: Int, Default: "8", Min: 0, Max: 10, Unit: "passages", Group: "Evidence", Label: "Never shorten the best",
		Help: "So many of the best passages stay as they are, as far as they fit; what does not fit is shortened.", Scope: NextQuestion},
	{Key: "answer.max_tokens", Type: Int, Default: "512", Min: 16, Max: 8192, Unit: "tokens", Group: "Evidence", Label: "Longest answer",
		Help: "The answer ends there.", Scope: NextQuestion},
	{Key: "ingest.ocr", Type: Bool, Default: "true", Group: "Reading", Label: "Read pictures and scans",
		Help: "Recognises the words of pictures and scanned pages with the program Tesseract, if it is installed. A change counts for files read from now on.", Scope: Now},
	{Key: "ingest.archives", Type: Bool, Default: "false", Group: "Reading", Label: "Read ZIP archives",
		Help: "Reads the files in a ZIP archive as parts of one document. A change counts for files read from now on.", Scope: Now},
	{Key: "ingest.spare_battery", Type: Bool, Default: "true", Group: "Reading", Label: "Read slowly on battery",
		Help: "While the computer runs on battery, new files are read and searched by meaning more slowly. A command that waits for them does not slow down.", Scope: Now},
	{Key: "model.gpu_layers", Type: Int, Default: Auto, Auto: true, Min: 0, Max: 999, Unit: "layers", Group: "Models", Label: "GPU layers",
		Help: "How many layers of the answer model run on the GPU. auto takes as many as fit; 0 uses the processor only.", Scope: Now},
	{Key: "model.condense_layers", Type: Int, Default: Auto, Auto: true, Min: 0, Max: 999, Unit: "layers", Group: "Models", Label: "GPU layers of the rewrite model",
		Help: "For a rewrite model of its own. auto takes as many as fit, and none where the answer model has none.", Scope: Now},
	{Key: "model.embed_layers", Type: Int, Default: Auto, Auto: true, Min: 0, Max: 999, Unit: "layers", Group: "Models", Label: "GPU layers of the search model",
		Help: "auto takes as many as fit, and none where the answer model has none.", Scope: Now},
	{Key: "model.rerank_layers", Type: Int, Default: Auto, Auto: true, Min: 0, Max: 999, Unit: "layers", Group: "Models", Label: "GPU layers of the judging model",
		Help: "auto takes as many as fit, and none where the answer model has none.", Scope: Now},
	{Key: "model.threads", Type: Int, Default: Auto, Auto: true, Min: 1, Max: 256, Unit: "threads", Group: "Models", Label: "Processor threads",
		Help: "More threads than free cores make a model hundreds of times slower.", Scope: Now},
	{Key: "model.context", Type: Int, Default: "8192", Min: 1024, Max: 131072, Unit: "tokens", Group: "Models", Label: "Context",
		Help: "How much text the answer model can hold at once.", Scope: Now},
	{Key: "model.runtime", Type: Enum, Default: Auto, Options: []string{Auto, "cuda", "metal", "vulkan", "cpu"}, Group: "Models", Label: "Libraries",
		Help: "What models run on. auto takes the fastest that works on this computer; one that does not work is not kept.", Scope: Now},
	{Key: "model.idle", Type: Duration, Default: "30m0s", Min: 60, Max: 604800, Group: "Models", Label: "Unload after",
		Help: "A model that nobody has used for so long gives its memory back, and is loaded again when it is needed.", Scope: Now},
	{Key: "model.answer", Type: String, Default: Auto, Auto: true, Group: "Models", Label: "Answer model",
		Help: "The name of a model from the list, or auto for the starter model.", Scope: Now},
	{Key: "model.condense", Type: String, Default: Auto, Auto: true, Group: "Models", Label: "Rewrite model",
		Help: "auto shares the answer model.", Scope: Now},
	{Key: "model.embed", Type: String, Default: Auto, Auto: true, Group: "Models", Label: "Search model",
		Help: "Turns text into vectors. The old index serves after a change until you have a new one built beside it.", Scope: Reindex},
	{Key: "api.enabled", Type: Bool, Default: "false", Group: "Other programs", Label: "Let other programs ask",
		Help: "Programs on this computer that know the token may ask your public documents. Nothing can be reached from outside.", Scope: Now},
	{Key: "api.address", Type: String, Default: "127.0.0.1:7337", Group: "Other programs", Label: "Where they ask",
		Help: "127.0.0.1, [::1] or localhost with a port, or unix for a socket in the data folder.", Scope: Now, Warn: warnAddress},
	{Key: "model.rerank", Type: String, Default: Auto, Auto: true, Group: "Models", Label: "Judging model",
		Help: "Judges the best passages for the retriever reranked. auto takes the one that is installed.", Scope: Now},
	{Key: "remote.answer.url", Type: String, Default: Off, Group: "Other computers", Label: "Answers: server",
		Help: "The address of an OpenAI-compatible server that plays the answer model, such as https://host/v1. Questions and passages are sent to it. off keeps the work on this computer.", Scope: Now},
	{Key: "remote.answer.model", Type: String, Default: "default", Group: "Other computers", Label: "Answers: model there",
		Help: "The name that the server gives the model.", Scope: Now},
	{Key: "remote.condense.url", Type: String, Default: Off, Group: "Other computers", Label: "Rewriting: server",
		Help: "The address of an OpenAI-compatible server that plays the model that rewrites questions, such as https://host/v1. Questions and earlier messages are sent to it. off keeps the work on this computer.", Scope: Now},
	{Key: "remote.condense.model", Type: String, Default: "default", Group: "Other computers", Label: "Rewriting: model there",
		Help: "The name that the server gives the model.", Scope: Now},
	{Key: "remote.embed.url", Type: String, Default: Off, Group: "Other computers", Label: "Search model: server",
		Help: "The address of an OpenAI-compatible server that plays the search model, such as https://host/v1. Questions and the text of all documents that are not restricted are sent to it. off keeps the work on this computer.", Scope: Reindex},
	{Key: "remote.embed.model", Type: String, Default: "default", Group: "Other computers", Label: "Search model: model there",
		Help: "The name that the server gives the model.", Scope: Reindex},
	{Key: "remote.rerank.url", Type: String, Default: Off, Group: "Other computers", Label: "Judging: server",
		Help: "The address of an OpenAI-compatible server that plays the model that judges passages, such as https://host/v1. Questions and passages are sent to it. off keeps the work on this computer.", Scope: Now},
	{Key: "remote.rerank.model", Type: String, Default: "default", Group: "Other computers", Label: "Judging: model there",
		Help: "The name that the server gives the model.", Scope: Now},
	{Key: "remote.timeout", Type: Duration, Default: "1m0s", Min: 1, Max: 3600, Group: "Other computers", Label: "Time limit of a server",
		Help: "How long a server may be silent. A rewrite keeps its own shorter limit.", Scope: Now},
	{Key: "remote.context", Type: Int, Default: "8192", Min: 512, Max: 1048576, Unit: "tokens", Group: "Other computers", Label: "Context of a server",
		Help: "How much text a model of a server can hold at once.", Scope: Now},
	{Key: "window.theme", Type: Enum, Default: "system", Options: []string{"system", "light", "dark"}, Group: "Window", Label: "Appearance",
		Help: "system follows the desktop.", Scope: Now},
	{Key: "window.language", Type: Enum, Default: "system", Options: []string{"system", "en", "it"}, Group: "Window", Label: "Language",
		Help: "The language of the window. Answers follow your question.", Scope: Now},
	{Key: "window.zoom", Type: Int, Default: "100", Min: 80, Max: 200, Unit: "%", Group: "Window", Label: "Zoom",
		Help: "How large everything in the window is. Ctrl + and Ctrl - change it, Ctrl 0 goes back.", Scope: Now},
}

// warnAddress tells of an address that the server will refuse.
func warnAddress(v string) string {
	host, _, err := net.SplitHostPort(v)
	ip := net.ParseIP(host)
	if v == "unix" || err == nil && (strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()) {
		return ""
	}
	return "This is not an address of this computer alone, so nothing listens there."
}

func warnAlpha(v string) string {
	if v == "0" || v == "0.0" {
		return "At 0 the question itself does not count in the search by meaning."
	}
	return ""
}

// Lookup finds a setting by its key.
func Lookup(key string) (Setting, bool) {
	for _, s := range Table {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}
