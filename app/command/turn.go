package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"referent/app"
	"referent/app/setting"
	"referent/rag"
)

// turnFlags are the flags of ask, chat, search and prepare.
type turnFlags struct {
	engine, retriever, mode, collection, pathUnder string
	types, tags                                    []string
	k                                              int
	alpha                                          float64
	conversation                                   int64
	history, onFailure                             string
	generationHistory                              int
	set                                            []string
	noStore                                        bool
}

// engineNames lists the values of chat.engine.
func engineNames() string {
	s, _ := setting.Lookup("chat.engine")
	return strings.Join(s.Options, ", ")
}

func (f *turnFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.engine, "engine", "", "chat engine: "+engineNames())
	fs.Float64Var(&f.alpha, "alpha", 0, "weight of the question in blend, 0 to 1")
	fs.StringVar(&f.retriever, "retriever", "", "bm25, dense, hybrid or reranked")
	fs.StringVar(&f.mode, "mode", "", "generate, strict or quote")
	fs.StringVar(&f.collection, "collection", "", "search this collection only")
	fs.StringVar(&f.pathUnder, "path-under", "", "search below this folder only")
	fs.StringSliceVar(&f.types, "type", nil, "search these kinds of file only, for example pdf")
	fs.StringArrayVar(&f.tags, "tag", nil, "search files with this tag only; with several, those that bear all of them")
	fs.IntVar(&f.k, "k", 0, "number of passages")
	fs.Int64Var(&f.conversation, "conversation", 0, "go on with this conversation")
	fs.StringVar(&f.history, "history", "", "earlier messages, one JSON object a line; nothing is stored")
	fs.IntVar(&f.generationHistory, "generation-history", 0, "earlier messages that the answer model sees")
	fs.StringVar(&f.onFailure, "on-condense-failure", "", "expand, verbatim or stop")
	fs.StringArrayVar(&f.set, "set", nil, "KEY=VALUE: a setting for this turn only")
	fs.BoolVar(&f.noStore, "no-store", false, "store nothing")
}

// request builds the use case's request. Values are judged by the settings
// table, so that a flag, a setting and the environment accept the same.
func (f *turnFlags) request(cmd *cobra.Command, question string) (app.AskRequest, error) {
	r := app.AskRequest{Question: question, Engine: f.engine, Retriever: f.retriever, Mode: f.mode, NoStore: f.noStore, Set: map[string]string{}}
	r.Scope.PathUnder, r.Scope.Types = f.pathUnder, f.types
	if f.collection != "" {
		r.Scope.Collections = []string{f.collection}
	}
	for _, tag := range f.tags {
		filter, err := rag.NewFilter("tag", "eq", []string{tag}, rag.OwnerUser)
		if err != nil {
			return r, err
		}
		r.Filters = append(r.Filters, filter)
	}
	for _, pair := range f.set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return r, wrongUsage("--set takes KEY=VALUE, not %q.", pair)
		}
		r.Set[strings.TrimSpace(key)] = value
	}
	changed := cmd.Flags().Changed
	if changed("k") {
		r.Set["retrieve.k"] = strconv.Itoa(f.k)
	}
	if changed("alpha") {
		r.Set["blend.alpha"] = strconv.FormatFloat(f.alpha, 'g', -1, 64)
	}
	if changed("generation-history") {
		r.Set["chat.history"] = strconv.Itoa(f.generationHistory)
	}
	if changed("on-condense-failure") {
		r.Set["condense.on_failure"] = f.onFailure
	}
	if changed("conversation") {
		r.Conversation = &f.conversation
	}
	if f.history != "" {
		if r.Conversation != nil {
			return r, wrongUsage("--history and --conversation exclude each other.")
		}
		h, err := readHistory(f.history)
		if err != nil {
			return r, err
		}
		r.History, r.GivenHistory, r.NoStore = h, true, true
	}
	return r, nil
}

// readHistory reads one message a line.
func readHistory(path string) ([]rag.Message, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fileProblem(path, err)
	}
	defer func() { _ = file.Close() }()
	var out []rag.Message
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var m rag.Message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil || m.Role == "" {
			return nil, wrongUsage(`Line %d of %s is not a message. A line reads {"role":"user","text":"…"}.`, n, path)
		}
		out = append(out, m)
	}
	if err := lines.Err(); err != nil {
		return nil, fileProblem(path, err)
	}
	return out, nil
}

// fileProblem says why a file that the person named cannot be used.
func fileProblem(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrongUsage("There is no file %s. Check the name.", path)
	case errors.Is(err, fs.ErrPermission):
		return wrongUsage("The system refused to open %s. Check its permissions.", path)
	}
	return fmt.Errorf("%s could not be read: %w", path, err)
}

// question joins the words of the command line.
func question(args []string) (string, error) {
	q := strings.Join(args, " ")
	if strings.TrimSpace(q) == "" {
		return "", wrongUsage("The question is empty.")
	}
	return q, nil
}
