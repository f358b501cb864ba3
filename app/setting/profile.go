package setting

import (
	"fmt"
	"strings"

	"referent/rag"
)

// Profile is a set of values that belong together. All profiles set the same
// keys, so that going from one to another leaves nothing behind; balanced is the
// defaults.
type Profile struct {
	Name   string
	Help   string // a sentence for people
	Values map[string]string
}

// Profiles lists them, the most cautious first.
func Profiles() []Profile {
	balanced := map[string]string{}
	for _, key := range []string{"chat.engine", "chat.mode", "chat.history", "condense.on_failure", "retrieve.k", "evidence.budget", "evidence.target_seconds", "answer.max_tokens"} {
		s, _ := Lookup(key)
		balanced[key] = s.Default
	}
	with := func(change map[string]string) map[string]string {
		out := map[string]string{}
		for key, value := range balanced {
			out[key] = value
			if v, ok := change[key]; ok {
				out[key] = v
			}
		}
		return out
	}
	return []Profile{
		{"careful", "Answers are shown after their check, only your words are searched, and the answer model sees no earlier messages.",
			with(map[string]string{"chat.engine": "simple", "chat.mode": string(rag.ModeStrict), "chat.history": "0", "condense.on_failure": string(rag.PolicyStop)})},
		{"balanced", "The defaults.", balanced},
		{"fast", "Fewer passages and shorter answers, searched by your words, for a slow computer.",
			with(map[string]string{"chat.engine": "simple", "chat.history": "0", "retrieve.k": "5", "evidence.budget": "1200", "evidence.target_seconds": "2", "answer.max_tokens": "256"})},
	}
}

// FindProfile finds a profile by its name. The error is a *rag.Error with
// CodeInvalidSetting.
func FindProfile(name string) (Profile, error) {
	var names []string
	for _, p := range Profiles() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("There is no profile %q.", name), Hint: "Profiles: " + strings.Join(names, ", ") + "."}
}
