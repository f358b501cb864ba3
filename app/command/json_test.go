package command

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lists of JSON fields anew")

// open fields hold names that are data, or only those members that are set.
var openFields = []string{"locator", "stages_ms", "arguments"}

// fields lists the paths of all members of a JSON value, such as
// "hits[].trace.bm25".
func fields(v any, path string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			into[at] = true
			if !slices.Contains(openFields, name) {
				fields(member, at, into)
			}
		}
	case []any:
		for _, member := range v {
			fields(member, path+"[]", into)
		}
	}
}

// jsonLines reads one object a line; events are told apart by their name.
func jsonLines(t *testing.T, text string) map[string]bool {
	t.Helper()
	into := map[string]bool{}
	for line := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("not an object: %q", line)
		}
		prefix := ""
		if name, ok := v["event"].(string); ok {
			prefix = name + ":"
		}
		one := map[string]bool{}
		fields(v, "", one)
		for name := range one {
			into[prefix+name] = true
		}
	}
	return into
}

// expectFields compares with a recorded list. Other programs read these names:
// one that goes or changes breaks them.
func expectFields(t *testing.T, name, text string) {
	t.Helper()
	got := slices.Sorted(maps.Keys(jsonLines(t, text)))
	path := filepath.Join("..", "..", "testdata", "snapshots", "json", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(raw))
	for _, f := range want {
		if !slices.Contains(got, f) {
			t.Errorf("%s: the field %s is gone; fields are never renamed or removed", name, f)
		}
	}
	for _, f := range got {
		if !slices.Contains(want, f) {
			t.Errorf("%s: the field %s is new; record it with -update", name, f)
		}
	}
}

func TestJSON_TheFieldsOfEveryCommand(t *testing.T) {
	d := newDesk(t)
	d.write("docs/copy.md", town["bridge.md"])
	d.write("docs/half.docx", "PK\x03\x04 no archive")
	history := d.write("history.jsonl", `{"role":"user","text":"How long is the Harlow Bridge?"}`+"\n")
	d.ok("collections", "create", "Empty")
	for _, c := range []struct{ name, line string }{
		{"status", "add " + d.docs + " --collection Town"},
		{"status", "sync"},
		{"status", "status"},
		{"collections", "collections list"},
		{"prepare", "prepare 'When was it opened?' --engine blend --alpha 0.5 --history " + history},
		{"search", "search 'How long is the Harlow Bridge?' --retriever reranked"},
		{"ask", "ask 'How long is the Harlow Bridge?'"},
		{"extract", "extract " + d.docs + "/bridge.md"},
		{"settings", "settings list"},
		{"settings", "settings get retrieve.k"},
		{"conversations", "conversations list"},
		{"conversations-search", "conversations search Harlow"},
		{"conversation", "conversations show 1"},
		{"runs", "runs list"},
		{"runs", "runs show 1"},
		{"models", "models list"},
	} {
		t.Run(c.line, func(t *testing.T) {
			d.t = t
			expectFields(t, c.name, d.ok(append(words(c.line), "--json")...))
		})
	}
	d.t, d.says = t, "The Harlow Bridge is 999 metres long [1]."
	expectFields(t, "ask-flagged", d.ok("ask", howLong, "--json"))
	o := d.run("doctor", "--json")
	expectFields(t, "doctor", o.stdout)
	d.fails = true
	o = d.run("ask", "When was it opened?", "--engine", "condense_context", "--history", history, "--on-condense-failure", "stop", "--json")
	if o.code != exitCondense || !sentence(o.stderr) {
		t.Errorf("%+v", o)
	}
	expectFields(t, "ask-stopped", o.stdout)
}

// The members that the contract of the headless command names, word for word.
func TestJSON_TheContract(t *testing.T) {
	for name, promised := range map[string]string{
		"prepare": `prepared:event prepared:engine prepared:status prepared:reason prepared:original_query prepared:search_query prepared:search_queries
			prepared:rerank_query prepared:latency_ms prepared:history_messages_used prepared:alpha prepared:model_calls prepared:added_words prepared:filters prepared:warnings`,
		"search": `rank n chunk content_hash document path title heading locator text score trace trace.bm25 trace.bm25.rank trace.bm25.score trace.dense trace.fused
			trace.rerank owner class pinned packing duplicate_of rendered strategy rendered_tokens`,
		"ask": `prepared:engine retrieval:hits retrieval:budget_tokens retrieval:packed_tokens retrieval:floor retrieval:restricted_count token:text
			done:conversation done:turn done:answer done:citations done:citations[].n done:citations[].chunk done:citations[].start done:citations[].end
			done:citations[].answer_start done:citations[].answer_end done:sources done:answer_check done:answer_check.status done:answer_check.issues
			done:usage.prompt_tokens done:usage.cached_tokens done:usage.completion_tokens done:latency_ms.prepare done:latency_ms.retrieve done:latency_ms.rerank
			done:latency_ms.pack done:latency_ms.generate done:latency_ms.check done:latency_ms.total done:tokens_per_second done:seed done:threads`,
		"ask-stopped": `error:code error:reason error:message error:hint`,
		"extract":     `status reason kind title pages language encoding text heading locator offset`,
		"status": `folders folders[].path folders[].state folders[].indexed folders[].waiting folders[].failed folders[].ignored folders[].last_checked
			files files[].path files[].status files[].reason files[].chunks files[].vectors files[].class files[].updated`,
	} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "snapshots", "json", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		recorded := strings.Fields(string(raw))
		for _, f := range strings.Fields(promised) {
			if !slices.Contains(recorded, f) {
				t.Errorf("%s: the contract promises %s", name, f)
			}
		}
	}
}

// Absent values are null and lists are never null, so that a reader needs no
// second case.
func TestJSON_AbsentIsNullAndListsAreLists(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	for _, c := range []struct{ line, has string }{
		{"prepare Q", `"search_query":null`}, {"prepare Q", `"reason":null`}, {"prepare Q", `"added_words":[]`}, {"prepare Q", `"filters":[]`}, {"prepare Q", `"warnings":[]`},
		{"prepare Q", `"alpha":null`}, {"prepare Q", `"search_queries":["Q"]`},
		{"search bridge --retriever bm25", `"dense":null`}, {"search bridge", `"n":null`}, {"search bridge", `"packing":null`}, {"search bridge", `"duplicate_of":null`},
		{"ask bridge --no-store", `"conversation":null`}, {"ask bridge --no-store --mode quote", `"seed":null`},
		{"ask 'Who is the pope?' --no-store", `"citations":[]`}, {"ask 'Who is the pope?' --no-store", `"sources":[]`}, {"ask 'Who is the pope?' --no-store", `"issues":[]`},
		{"ask 'Who is the pope?' --no-store", `"hits":[`},
		{"extract " + d.docs + "/boiler.md", `"pages":null`}, {"extract " + d.docs + "/boiler.md", `"reason":null`},
		{"status", `"reason":null`}, {"runs list", ``},
	} {
		if o := d.run(append(words(c.line), "--json")...); !strings.Contains(o.stdout, c.has) {
			t.Errorf("%s: no %s in %s", c.line, c.has, o.stdout)
		}
	}
}

// The last line of `ask --json` is done or error, and both exit codes and
// events agree.
func TestJSON_TheStreamEndsOnce(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	for line, want := range map[string]string{"ask bridge": "done", "ask 'Who is the pope?'": "done", "ask Q --engine clever": "error"} {
		o := d.run(append(words(line), "--json")...)
		lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
		ends := 0
		for _, l := range lines {
			if strings.HasPrefix(l, `{"event":"done"`) || strings.HasPrefix(l, `{"event":"error"`) {
				ends++
			}
		}
		if last := lines[len(lines)-1]; ends != 1 || !strings.HasPrefix(last, `{"event":"`+want+`"`) {
			t.Errorf("%s: %d ends, the last line is %s", line, ends, last)
		}
	}
}
