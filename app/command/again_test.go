package command

import (
	"strings"
	"testing"

	"referent/rag"
)

func TestText_AskAgainBranchAndOptions(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("ask", howLong)
	d.ok("ask", "When was it opened?", "--conversation", "1", "--engine", "condense_context")
	if out := d.ok("conversations", "show", "1"); !strings.Contains(out, "When was it opened?  turn 2") {
		t.Errorf("%s", out)
	}
	if out := d.ok("ask", "--again", "2", "--same-evidence"); !strings.Contains(out, "Searched for: When was Harlow Bridge opened?") || !strings.Contains(out, "1932") {
		t.Errorf("%s", out)
	}
	if out := d.ok("ask", "--again", "2", "--search-for", "opened by the mayor"); !strings.Contains(out, "Searched for: opened by the mayor (the text you edited)") {
		t.Errorf("%s", out)
	}
	if out := d.ok("ask", "--again", "1", "--own-words", "--engine", "condense_context"); !strings.Contains(out, "Searched your words, as you chose.") {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "branch", "1", "1", "--json"); !strings.Contains(out, `"turns":1`) {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "set", "2", "--engine", "expand", "--generation-history", "4", "--path-under", d.docs); out != "engine: expand, mode: as set, history: 4, searched: "+d.docs+"\n" {
		t.Errorf("%q", out)
	}
	if out := d.ok("ask", "When was it opened?", "--conversation", "2"); !strings.Contains(out, "(expand, added ") {
		t.Errorf("%s", out)
	}
	if out := d.ok("conversations", "set", "2", "--reset"); out != "engine: as set, mode: as set, history: as set, searched: the whole library\n" {
		t.Errorf("%q", out)
	}
	for line, want := range map[string]string{
		"ask":                     "a question in quotes",
		"ask --same-evidence 'x'": "--again",
		"ask --again 1 --same-evidence --own-words": "searches nothing",
		"ask --again 1 --own-words --search-for x":  "exclude each other",
		"ask --again 99":                      "There is no such turn.",
		"conversations set 9 --engine expand": "There is no such conversation.",
		"conversations set 1 --engine oracle": "chat.engine",
		"conversations branch 1 9":            "There is no such conversation.",
		"settings profile reckless":           "Profiles: careful, balanced, fast.",
		"settings profile careful fast":       "one profile",
	} {
		if o := d.run(words(line)...); o.code == exitDone || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestText_Profiles(t *testing.T) {
	d := newDesk(t)
	if out := d.ok("settings", "profile"); !strings.Contains(out, "careful") || !strings.Contains(out, "condense.on_failure = stop") {
		t.Errorf("%s", out)
	}
	if out := d.ok("settings", "profile", "--json"); strings.Count(out, "\n") != 3 || !strings.Contains(out, `{"name":"careful","help":`) {
		t.Errorf("%s", out)
	}
	d.ok("settings", "profile", "careful")
	if out := d.ok("settings", "get", "condense.on_failure"); out != string(rag.PolicyStop)+"\n" {
		t.Errorf("%q", out)
	}
	d.ok("settings", "profile", "balanced")
	if out := d.ok("settings", "get", "condense.on_failure"); out != string(rag.PolicyVerbatim)+"\n" {
		t.Errorf("%q", out)
	}
}

func TestText_NotesGoToStderr(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("settings", "set", "retrieve.retriever", "reranked")
	if err := d.host.Unload(t.Context(), "rerank"); err != nil {
		t.Fatal(err)
	}
	o := d.run("ask", howLong)
	if o.code != exitDone || !strings.Contains(o.stderr, "hybrid is used instead") || strings.Contains(o.stdout, "hybrid is used") {
		t.Errorf("%+v", o)
	}
}
