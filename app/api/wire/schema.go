package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Schema is the part of JSON Schema (draft 2020-12) that the description uses.
// Lengths count code points.
type Schema struct {
	Ref                  string             `json:"$ref"`
	Type                 kinds              `json:"type"`
	Description          string             `json:"description"`
	Properties           map[string]*Schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties *additional        `json:"additionalProperties"`
	MaxProperties        *int               `json:"maxProperties"`
	Items                *Schema            `json:"items"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	MinLength            *int               `json:"minLength"`
	MaxLength            *int               `json:"maxLength"`
	Minimum              *float64           `json:"minimum"`
	Maximum              *float64           `json:"maximum"`
	Enum                 []any              `json:"enum"`
	Const                any                `json:"const"`
	AnyOf                []*Schema          `json:"anyOf"`
}

// UnmarshalJSON refuses keywords that the check would pass over.
func (s *Schema) UnmarshalJSON(raw []byte) error {
	type plain Schema // without this method
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode((*plain)(s))
}

// kinds is one name of a type or several; none: every type.
type kinds []string

// UnmarshalJSON reads both forms.
func (k *kinds) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*k = kinds{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(k))
}

func (k kinds) has(name string) bool { return slices.Contains(k, name) }

// additional says what other fields may hold. Schema nil: anything, or nothing
// where Allowed is false.
type additional struct {
	Allowed bool
	Schema  *Schema
}

// UnmarshalJSON reads true, false or a schema.
func (a *additional) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &a.Allowed) == nil {
		return nil
	}
	a.Allowed, a.Schema = true, &Schema{}
	return json.Unmarshal(raw, a.Schema)
}

// Resolve follows a reference to a named schema.
func (d *Document) Resolve(s *Schema) *Schema {
	for s != nil && s.Ref != "" {
		s = d.schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	return s
}

// Check tells whether a value of Decode is what the schema describes. name is
// what people call the value; empty: the body as a whole. The sentence of a
// failure names the field and what it takes.
func (d *Document) Check(s *Schema, name string, v any) *Failure {
	if s = d.Resolve(s); s == nil {
		return Invalid("%s cannot be described.", subject(name))
	}
	if len(s.AnyOf) > 0 {
		return d.checkAny(s, name, v)
	}
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(k string) bool { return isKind(k, v) }) {
		return Invalid("%s must be %s, not %s.", subject(name), kindWords(s.Type), kindOf(v))
	}
	if s.Const != nil && v != s.Const || len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		return Invalid("%s cannot be %s. %s", subject(name), quote(v), choices("It takes", constants(s)))
	}
	switch v := v.(type) {
	case string:
		return checkText(s, name, v)
	case json.Number:
		return checkNumber(s, name, v)
	case []any:
		return d.checkArray(s, name, v)
	case map[string]any:
		return d.checkObject(s, name, v)
	}
	return nil
}

// checkAny takes the first alternative that fits; the failure is that of the
// first one of the value's type, which says most.
func (d *Document) checkAny(s *Schema, name string, v any) *Failure {
	var first, near *Failure
	for _, one := range s.AnyOf {
		f := d.Check(one, name, v)
		if f == nil {
			return nil
		}
		if first == nil {
			first = f
		}
		r := d.Resolve(one)
		if near == nil && r != nil && slices.ContainsFunc(r.Type, func(k string) bool { return isKind(k, v) }) {
			near = f
		}
	}
	if near != nil {
		return near
	}
	return first
}

func checkText(s *Schema, name, v string) *Failure {
	if !utf8.ValidString(v) {
		return Invalid("%s is not UTF-8.", subject(name))
	}
	n := utf8.RuneCountInString(v)
	if s.MinLength != nil && n < *s.MinLength {
		return Invalid("%s is empty.", subject(name))
	}
	if s.MaxLength != nil && n > *s.MaxLength {
		return Invalid("%s has %d characters. It takes at most %d.", subject(name), n, *s.MaxLength)
	}
	return nil
}

func checkNumber(s *Schema, name string, v json.Number) *Failure {
	f, err := v.Float64()
	if err != nil || s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum {
		return Invalid("%s cannot be %s.%s", subject(name), clip(v.String()), bounds(s))
	}
	return nil
}

func bounds(s *Schema) string {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(" It takes %g to %g.", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(" It takes %g or more.", *s.Minimum)
	}
	return ""
}

func (d *Document) checkArray(s *Schema, name string, v []any) *Failure {
	if s.MinItems != nil && len(v) < *s.MinItems {
		return Invalid("%s is empty.", subject(name))
	}
	if s.MaxItems != nil && len(v) > *s.MaxItems {
		return Invalid("%s has %d entries. It takes at most %d.", subject(name), len(v), *s.MaxItems)
	}
	if s.Items == nil {
		return nil
	}
	for i, item := range v {
		if f := d.Check(s.Items, name+"["+strconv.Itoa(i)+"]", item); f != nil {
			return f
		}
	}
	return nil
}

func (d *Document) checkObject(s *Schema, name string, v map[string]any) *Failure {
	inside := func(field string) string {
		if name == "" {
			return field
		}
		return name + "." + clip(field)
	}
	if s.MaxProperties != nil && len(v) > *s.MaxProperties {
		return Invalid("%s has %d entries. It takes at most %d.", subject(name), len(v), *s.MaxProperties)
	}
	for _, field := range slices.Sorted(maps.Keys(v)) { // a stable sentence
		known := s.Properties[field]
		if known == nil && s.AdditionalProperties != nil {
			if !s.AdditionalProperties.Allowed {
				return Invalid("There is no field %q. %s", clip(inside(field)), suggestion(field, slices.Sorted(maps.Keys(s.Properties))))
			}
			known = s.AdditionalProperties.Schema
		}
		if known == nil {
			continue
		}
		if f := d.Check(known, inside(field), v[field]); f != nil {
			return f
		}
	}
	for _, field := range s.Required {
		if _, ok := v[field]; !ok {
			return Invalid("%s is missing.", inside(field))
		}
	}
	return nil
}
