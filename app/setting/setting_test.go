package setting

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/engine"
)

func TestTable_EveryDefaultValidatesAndEveryRowIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Table {
		if seen[s.Key] {
			t.Errorf("%s is declared twice", s.Key)
		}
		seen[s.Key] = true
		if v, err := s.validate(s.Default); err != nil || v != s.Default {
			t.Errorf("%s: default %q resolves to %q, %v", s.Key, s.Default, v, err)
		}
		if s.Label == "" || s.Help == "" || s.Group == "" || s.Scope == "" || !strings.HasSuffix(s.Help, ".") {
			t.Errorf("%s: label, help, group and scope must be filled and help must be a sentence", s.Key)
		}
	}
	for _, key := range []string{"chat.engine", "chat.mode", "chat.history", "condense.enabled", "condense.gate", "condense.on_failure",
		"condense.timeout", "condense.history", "condense.max_chars", "condense.max_tokens", "blend.alpha", "blend.history", "expand.words",
		"retrieve.retriever", "retrieve.k", "retrieve.per_document", "retrieve.fusion", "retrieve.hint_extras", "research.patience",
		"research.max_rounds", "evidence.budget", "evidence.target_seconds", "compress.enabled", "compress.keep_top", "answer.max_tokens",
		"model.gpu_layers", "model.threads", "model.context"} {
		if !seen[key] {
			t.Errorf("%s is part of the headless contract and is missing", key)
		}
	}
}

// The validator knows every engine of the registry and no other.
func TestP01_EveryEngineOfTheRegistryIsAValue(t *testing.T) {
	s, ok := Lookup("chat.engine")
	if !ok {
		t.Fatal("there is no such setting")
	}
	for _, name := range engine.Default().Names() {
		if v, err := s.validate(name); err != nil || v != name {
			t.Errorf("%s: %q, %v", name, v, err)
		}
	}
	if _, err := s.validate("clever"); err == nil || !strings.Contains(err.Error(), "research") {
		t.Errorf("an engine that does not exist: %v", err)
	}
}

func TestTable_EveryWordOfAPersonIsTranslated(t *testing.T) {
	raw, err := os.ReadFile(filepath.FromSlash("../../frontend/src/features/settings/italian.json"))
	if err != nil {
		t.Fatal(err)
	}
	var italian struct {
		Groups, Units map[string]string
		Settings      map[string]struct{ Label, Help string }
	}
	if err := json.Unmarshal(raw, &italian); err != nil {
		t.Fatal(err)
	}
	for _, s := range Table {
		if row := italian.Settings[s.Key]; row.Label == "" || row.Help == "" || italian.Groups[s.Group] == "" || s.Unit != "" && italian.Units[s.Unit] == "" {
			t.Errorf("%s has no Italian label, help, group or unit", s.Key)
		}
		delete(italian.Settings, s.Key)
	}
	for key := range italian.Settings {
		t.Errorf("italian.json holds %s, which is no setting", key)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		key, value, want string
		code             rag.Code
	}{
		{"chat.engine", "expand", "expand", ""},
		{"chat.engine", "Expand", "", rag.CodeInvalidSetting},
		{"condense.enabled", "off", "false", ""},
		{"condense.enabled", "maybe", "", rag.CodeInvalidSetting},
		{"condense.history", "0", "0", ""},
		{"condense.history", "-1", "", rag.CodeInvalidSetting},
		{"condense.history", "21", "", rag.CodeInvalidSetting},
		{"condense.history", "6.5", "", rag.CodeInvalidSetting},
		{"condense.timeout", "1500ms", "1.5s", ""},
		{"condense.timeout", "auto", "auto", ""},
		{"condense.timeout", "0s", "", rag.CodeInvalidSetting},
		{"blend.alpha", "0.70", "0.7", ""},
		{"blend.alpha", "NaN", "", rag.CodeInvalidSetting},
		{"blend.alpha", "1.01", "", rag.CodeInvalidSetting},
		{"model.gpu_layers", "auto", "auto", ""},
		{"chat.history", "auto", "", rag.CodeInvalidSetting},
		{"model.answer", "a\nb", "", rag.CodeInvalidSetting},
		{"chat.engin", "x", "", rag.CodeUnknownSetting},
	} {
		got, err := Validate(c.key, c.value)
		if c.code == "" && (err != nil || got != c.want) {
			t.Errorf("%s=%q: got %q, %v; want %q", c.key, c.value, got, err, c.want)
		}
		if c.code != "" && !errors.Is(err, &rag.Error{Code: c.code}) {
			t.Errorf("%s=%q: got %q, %v; want code %s", c.key, c.value, got, err, c.code)
		}
	}
}

func TestValidate_AMisspeltKeyIsAnsweredWithTheNearOnes(t *testing.T) {
	_, err := Validate("engine.chat", "simple")
	if err == nil || !strings.Contains(err.Error(), "chat.engine") {
		t.Errorf("got %v", err)
	}
}

func TestP65_AChangeIsAppliedAsAWholeOrNotAtAll(t *testing.T) {
	base := Resolve(nil, noEnv)
	after, err := base.With(map[string]string{"expand.words": "5", "retrieve.k": "0"}, FromRequest)
	if err == nil {
		t.Fatal("a bad value in the change was accepted")
	}
	if after.Int("expand.words", -1) != 3 {
		t.Errorf("the good half of a refused change was applied")
	}
}

func TestP65_ABadStoredValueIsIgnoredWithANotice(t *testing.T) {
	v := Resolve(map[string]string{"chat.engine": "gone", "expand.words": "4"}, noEnv)
	if v.Text("chat.engine") != "expand" || v.Int("expand.words", -1) != 4 {
		t.Errorf("got engine %s, words %d", v.Text("chat.engine"), v.Int("expand.words", -1))
	}
	if n := v.Notices(); len(n) != 1 || !strings.Contains(n[0], "gone") {
		t.Errorf("notices: %q", n)
	}
}

func TestP65_Precedence_RequestConversationEnvironmentStoredDefault(t *testing.T) {
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"REFERENT_EXPAND_WORDS": "2", "REFERENT_RETRIEVE_K": "nine"}[name]
		return v, ok
	}
	v := Resolve(map[string]string{"expand.words": "4", "retrieve.k": "9"}, env)
	if got := v.Int("expand.words", -1); got != 2 {
		t.Errorf("environment over stored: %d", got)
	}
	if r, _ := v.Get("expand.words"); !strings.Contains(r.Notice, "REFERENT_EXPAND_WORDS") || !strings.Contains(r.Notice, "4") {
		t.Errorf("notice: %q", r.Notice)
	}
	if got := v.Int("retrieve.k", -1); got != 9 {
		t.Errorf("a bad environment value must leave the stored one: %d", got)
	}
	conversation, err := v.With(map[string]string{"expand.words": "5"}, FromConversation)
	if err != nil || conversation.Int("expand.words", -1) != 5 {
		t.Fatalf("conversation: %v", err)
	}
	request, err := conversation.With(map[string]string{"expand.words": "6"}, FromRequest)
	if err != nil || request.Int("expand.words", -1) != 6 || conversation.Int("expand.words", -1) != 5 {
		t.Fatalf("request: %v", err)
	}
}

func TestValues_AutoGivesTheFallback(t *testing.T) {
	v := Resolve(nil, noEnv)
	if d := v.Duration("condense.timeout", 7*time.Second); d != 7*time.Second {
		t.Errorf("timeout %v", d)
	}
	if n := v.Int("model.gpu_layers", -1); n != -1 {
		t.Errorf("layers %d", n)
	}
}

func TestP26_AlphaZeroIsLegalAndWarned(t *testing.T) {
	v, err := Resolve(nil, noEnv).With(map[string]string{"blend.alpha": "0"}, FromRequest)
	if err != nil {
		t.Fatal(err)
	}
	if r, _ := v.Get("blend.alpha"); r.Notice == "" {
		t.Error("no warning at alpha 0")
	}
}

func noEnv(string) (string, bool) { return "", false }
