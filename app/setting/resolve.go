package setting

import (
	"maps"
	"os"
	"strconv"
	"strings"
	"time"
)

// Source says where a value came from.
type Source string

// The closed list of sources. FromInvalid: a stored or environment value did
// not validate and the next source was taken.
const (
	FromDefault      Source = "default"
	FromStored       Source = "stored"
	FromEnvironment  Source = "environment"
	FromConversation Source = "conversation"
	FromRequest      Source = "request"
	FromInvalid      Source = "invalid"
)

// Resolved is one setting with its value in force.
type Resolved struct {
	Setting
	Value       string
	Source      Source
	Environment string // name of the variable, when Source is FromEnvironment
	Stored      string // the stored value, also when another source beats it
	Notice      string // a sentence; empty when there is nothing to say
}

// Values is a resolved table. It is immutable; With returns a changed copy.
type Values struct {
	rows map[string]Resolved
}

// EnvName returns the environment variable of a key: chat.engine is
// REFERENT_CHAT_ENGINE.
func EnvName(key string) string {
	return "REFERENT_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// Resolve builds the values from what is stored and the environment (env nil:
// the process's own). Values that do not validate are passed over with a notice.
func Resolve(stored map[string]string, env func(string) (string, bool)) Values {
	if env == nil {
		env = os.LookupEnv
	}
	v := Values{rows: make(map[string]Resolved, len(Table))}
	for _, s := range Table {
		r := Resolved{Setting: s, Value: s.Default, Source: FromDefault}
		if raw, ok := stored[s.Key]; ok {
			r.Stored = raw
			if canonical, err := s.validate(raw); err == nil {
				r.Value, r.Source = canonical, FromStored
			} else {
				r.Source, r.Notice = FromInvalid, "The stored value "+strconv.Quote(raw)+" is not allowed and was ignored."
			}
		}
		if raw, ok := env(EnvName(s.Key)); ok && raw != "" {
			name := EnvName(s.Key)
			if canonical, err := s.validate(strings.TrimSpace(raw)); err == nil {
				r.Value, r.Source, r.Environment = canonical, FromEnvironment, name
				r.Notice = "Set by the environment variable " + name + "."
				if r.Stored != "" {
					r.Notice += " The stored value, " + r.Stored + ", is kept."
				}
			} else {
				r.Source, r.Notice = FromInvalid, "The environment variable "+name+" has a value that is not allowed and was ignored."
			}
		}
		if r.Notice == "" && s.Warn != nil {
			r.Notice = s.Warn(r.Value)
		}
		v.rows[s.Key] = r
	}
	return v
}

// With returns the values with a change of a conversation or request on top.
// The change is validated as a whole.
func (v Values) With(change map[string]string, source Source) (Values, error) {
	canonical, err := ValidateAll(change)
	if err != nil {
		return v, err
	}
	out := Values{rows: maps.Clone(v.rows)}
	for key, value := range canonical {
		r := out.rows[key]
		r.Value, r.Source, r.Notice = value, source, ""
		if r.Warn != nil {
			r.Notice = r.Warn(value)
		}
		out.rows[key] = r
	}
	return out, nil
}

// List returns every setting in table order.
func (v Values) List() []Resolved {
	out := make([]Resolved, 0, len(Table))
	for _, s := range Table {
		out = append(out, v.rows[s.Key])
	}
	return out
}

// Get returns one resolved setting.
func (v Values) Get(key string) (Resolved, bool) {
	r, ok := v.rows[key]
	return r, ok
}

// Text returns a value as text. The typed getters below return the zero value
// for "auto"; a key that the table lacks is a programming error and panics.
func (v Values) Text(key string) string {
	r, ok := v.rows[key]
	if !ok {
		panic("setting: no key " + key)
	}
	return r.Value
}

// IsAuto tells whether the program decides.
func (v Values) IsAuto(key string) bool { return v.Text(key) == Auto }

// Bool returns a truth value.
func (v Values) Bool(key string) bool { return v.Text(key) == "true" }

// Int returns a whole number, or fallback for "auto".
func (v Values) Int(key string, fallback int) int {
	n, err := strconv.Atoi(v.Text(key))
	if err != nil {
		return fallback
	}
	return n
}

// Float returns a number.
func (v Values) Float(key string) float64 {
	f, _ := strconv.ParseFloat(v.Text(key), 64) // validated when it was resolved
	return f
}

// Duration returns a time span, or fallback for "auto".
func (v Values) Duration(key string, fallback time.Duration) time.Duration {
	d, err := time.ParseDuration(v.Text(key))
	if err != nil {
		return fallback
	}
	return d
}

// Notices returns the sentences about stored or environment values that were ignored.
func (v Values) Notices() []string {
	var out []string
	for _, r := range v.List() {
		if r.Source == FromInvalid {
			out = append(out, r.Key+": "+r.Notice)
		}
	}
	return out
}
