package command

import (
	"context"
	"strings"
	"testing"

	"referent/inference"
)

func TestExit_WrongUsageIsOneSentenceAndTwo(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	nowhere := d.dir + "/nowhere"
	bad := d.write("bad.jsonl", `{"role":"user","text":"Hello"}`+"\nno json\n")
	for _, c := range []struct {
		args string
		says string
		open bool // the data folder has to be opened to know
	}{
		{"ask", "takes a question in quotes", false},
		{"ask ' '", "The question is empty.", false},
		{"ask Q --colour", "Unknown flag: --colour.", false},
		{"ask Q --k many", `--k takes a whole number, not "many".`, false},
		{"ask Q --alpha much", `--alpha takes a number, not "much".`, false},
		{"ask Q --engine", "--engine", false},
		{"ask Q --engine clever", "simple, expand, condense_context, blend", true},
		{"ask Q --retriever google", "bm25", true},
		{"ask Q --mode poem", "generate, strict, quote", true},
		{"ask Q --on-condense-failure shout", "expand, verbatim, stop", true},
		{"ask Q --k 0", "from 1 to 50", true},
		{"ask Q --alpha 1.5", "from 0 to 1", true},
		{"ask Q --generation-history -1", "from 0 to 12", true},
		{"ask Q --set retrieve.depth=3", "retrieve.k", true},
		{"ask Q --set retrieve.k", "KEY=VALUE", false},
		{"ask Q --collection Wine", "Wine", true},
		{"ask Q --conversation 99", "no such conversation", true},
		{"ask Q --conversation 1 --history " + bad, "exclude each other", false},
		{"ask Q --history " + nowhere, "There is no file", false},
		{"ask Q --history " + bad, "Line 2", false},
		{"ask Q --add " + nowhere, "There is no file", false},
		{"chat --history " + nowhere, "There is no file", false},
		{"search", "takes a search text", false},
		{"prepare Q --engine clever", "simple, expand", true},
		{"add", "takes one or more", false},
		{"add " + nowhere, "There is no file", false},
		{"remove " + nowhere, "not in the library", true},
		{"extract " + nowhere, "There is no file", false},
		{"extract " + d.docs, "is a folder", false},
		{"sync retry " + nowhere, "not in the library", true},
		{"settings", "list, profile, reset, set", false},
		{"settings get chat.colour", "There is no setting", false},
		{"settings set retrieve.k many", "from 1 to 50", false},
		{"settings set retrieve.depth 3", "There is no setting", false},
		{"settings reset nothing", "There is no setting", false},
		{"settings put", `has no "put"`, false},
		{"collections label " + nowhere + " secret", "public, restricted", true},
		{"collections label " + nowhere + " restricted", "not in the library", true},
		{"collections class " + nowhere + " gospel", "fact, snapshot, transient, unknown", true},
		{"collections rename Wine Beer", "There is no collection", true},
		{"collections delete Wine", "There is no collection", true},
		{"collections pin x", "not a number", true},
		{"conversations show x", "not a number", false},
		{"conversations branch x 1", "not a number", false},
		{"conversations export x", "not a number", false},
		{"conversations export 1 --format pdf", "md or json", false},
		{"conversations show 99", "no such conversation", true},
		{"conversations delete 99", "no such conversation", true},
		{"runs show 99", "no run 99", true},
		{"models load", "a role and the name", false},
		{"aks Q", "Did you mean `referent ask`", false},
		{"frobnicate", "There is no command", false},
		{"--frob", "Unknown flag", false},
	} {
		t.Run(c.args, func(t *testing.T) {
			d.t, d.opens = t, 0
			o := d.run(words(c.args)...)
			// A turn that has begun may have said what it searches.
			if o.code != exitUsage || !sentence(o.stderr) || !strings.Contains(o.stderr, c.says) || o.stdout != "" && !c.open {
				t.Errorf("code %d, stderr %q, stdout %q; want 2 and %q", o.code, o.stderr, o.stdout, c.says)
			}
			if (d.opens > 0) != c.open {
				t.Errorf("the data folder was opened %d times", d.opens)
			}
		})
	}
}

// words splits a command line; single quotes hold a word together.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}

func TestExit_RefusedFailedStoppedAndInterrupted(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	history := d.write("history.jsonl", `{"role":"user","text":"How long is the Harlow Bridge?"}`+"\n\n"+`{"role":"assistant","text":"320 metres [1]."}`+"\n")

	if o := d.run("ask", howLong); o.code != exitDone {
		t.Errorf("answered: %d %s", o.code, o.stderr)
	}
	if o := d.run("ask", "Who is the pope?", "--quiet"); o.code != exitRefused || o.stdout != "The documents do not answer this question.\n" || o.stderr != "" {
		t.Errorf("refused: %+v", o)
	}
	d.fails = true
	o := d.run("ask", "When was it opened?", "--engine", "condense_context", "--history", history, "--on-condense-failure", "stop")
	if o.code != exitCondense || !strings.Contains(o.stderr, "could not be rewritten") || strings.Contains(o.stdout, "1932") {
		t.Errorf("stopped: %+v", o)
	}
	if o := d.run("prepare", "When was it opened?", "--engine", "condense_context", "--history", history, "--on-condense-failure", "stop", "--json"); o.code != exitDone ||
		!strings.Contains(o.stdout, `"status":"failed_stopped"`) {
		t.Errorf("prepare only tells: %+v", o)
	}
	if o := d.run("search", "When was it opened?", "--engine", "condense_context", "--history", history, "--on-condense-failure", "stop"); o.code != exitCondense {
		t.Errorf("a search under stop: %+v", o)
	}
	d.fails = false
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := d.runIn(ctx, "ask", howLong); o.code != exitInterrupted || o.stderr != "Stopped. Nothing was stored.\n" {
		t.Errorf("interrupted: %+v", o)
	}
	if err := d.host.Unload(t.Context(), inference.RoleRerank); err != nil {
		t.Fatal(err)
	}
	if o := d.run("search", howLong, "--retriever", "reranked"); o.code != exitFailed || !sentence(o.stderr) {
		t.Errorf("without a reranker: %+v", o)
	}
	if o := d.run("doctor"); o.code != exitFailed || !strings.Contains(o.stdout, "FAIL") || !sentence(o.stderr) {
		t.Errorf("a doctor without models: %+v", o)
	}
}

func TestExit_HelpAndVersionAreResults(t *testing.T) {
	d := newDesk(t)
	if out := d.ok("--version"); !strings.Contains(out, "1.2.3") {
		t.Errorf("%q", out)
	}
	for _, line := range []string{"--help", "ask --help", "settings --help", "collections label --help", ""} {
		if out := d.ok(words(line)...); !strings.Contains(out, "Usage:") {
			t.Errorf("%s: %q", line, out)
		}
	}
	if d.opens > 0 {
		t.Error("help opened the data folder")
	}
}
