package setting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"referent/rag"
)

// Validate checks one value and returns its canonical form. The error is a
// *rag.Error with CodeUnknownSetting or CodeInvalidSetting.
func Validate(key, value string) (string, error) {
	s, ok := Lookup(key)
	if !ok {
		return "", &rag.Error{Code: rag.CodeUnknownSetting, Message: fmt.Sprintf("There is no setting %q.", key), Hint: suggestion(key)}
	}
	return s.validate(strings.TrimSpace(value))
}

// ValidateAll checks a change as a whole: either every value is right, or
// nothing is returned but the first error, in the order of the table.
func ValidateAll(change map[string]string) (map[string]string, error) {
	for key := range change {
		if _, ok := Lookup(key); !ok {
			_, err := Validate(key, "")
			return nil, err
		}
	}
	out := make(map[string]string, len(change))
	for _, s := range Table {
		v, ok := change[s.Key]
		if !ok {
			continue
		}
		canonical, err := s.validate(strings.TrimSpace(v))
		if err != nil {
			return nil, err
		}
		out[s.Key] = canonical
	}
	return out, nil
}

func (s Setting) validate(v string) (string, error) {
	bad := func(want string) (string, error) {
		return "", &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("%s cannot be %q.", s.Key, v), Hint: "It takes " + want + "."}
	}
	if s.Auto && v == Auto {
		return v, nil
	}
	switch s.Type {
	case Bool:
		switch strings.ToLower(v) {
		case "true", "on", "yes", "1":
			return "true", nil
		case "false", "off", "no", "0":
			return "false", nil
		}
		return bad("true or false")
	case Enum:
		if slices.Contains(s.Options, v) {
			return v, nil
		}
		return bad("one of " + strings.Join(s.Options, ", "))
	case Int:
		n, err := strconv.Atoi(v)
		if err != nil || float64(n) < s.Min || float64(n) > s.Max {
			return bad("a whole number " + s.rangeText())
		}
		return strconv.Itoa(n), nil
	case Float:
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= s.Min && f <= s.Max) { // also refuses NaN
			return bad("a number " + s.rangeText())
		}
		return strconv.FormatFloat(f, 'g', -1, 64), nil
	case Duration:
		d, err := time.ParseDuration(v)
		if err != nil || d.Seconds() < s.Min || d.Seconds() > s.Max {
			return bad(fmt.Sprintf("a time such as 2s or 500ms, from %gs to %gs%s", s.Min, s.Max, s.autoText()))
		}
		return d.String(), nil
	case String:
		if v == "" || len(v) > 512 || strings.ContainsAny(v, "\x00\n") {
			return bad("a name")
		}
		return v, nil
	}
	return bad("another value")
}

func (s Setting) rangeText() string {
	return fmt.Sprintf("from %g to %g%s", s.Min, s.Max, s.autoText())
}

func (s Setting) autoText() string {
	if s.Auto {
		return ", or auto"
	}
	return ""
}

// suggestion names the settings that share a word with a key that does not exist.
func suggestion(key string) string {
	var near []string
	for _, s := range Table {
		for part := range strings.FieldsFuncSeq(key, func(r rune) bool { return r == '.' || r == '_' || r == '-' }) {
			if len(part) > 2 && strings.Contains(s.Key, strings.ToLower(part)) {
				near = append(near, s.Key)
				break
			}
		}
	}
	if len(near) == 0 {
		return "`referent settings list` shows them all."
	}
	return "Did you mean " + strings.Join(near, ", ") + "?"
}
