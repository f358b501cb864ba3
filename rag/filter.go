package rag

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// FilterOwner says who set a filter, and so how hard it is.
type FilterOwner string

// A user's filter is hard, a guess is a hint, a restriction is absolute.
const (
	OwnerUser        FilterOwner = "user"
	OwnerGuess       FilterOwner = "guess"
	OwnerRestriction FilterOwner = "restriction"
)

// Filter narrows a search. Values has one value, except for in and nin (one or
// more) and between (two). A document without the field does not match.
type Filter struct {
	Field  string      `json:"field"`
	Op     string      `json:"op"`
	Values []string    `json:"value"`
	Owner  FilterOwner `json:"owner"`
}

var (
	filterFields = []string{"collection", "folder", "type", "date", "language", "class", "label", "tag", "document"}
	filterOps    = []string{"eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "between"}
)

// NewFilter checks a filter when it is made, so that a malformed one never
// reaches a search. The error is an *Error with CodeInvalidFilter.
func NewFilter(field, op string, values []string, owner FilterOwner) (Filter, error) {
	bad := func(format string, args ...any) (Filter, error) {
		return Filter{}, &Error{Code: CodeInvalidFilter, Message: fmt.Sprintf(format, args...)}
	}
	if !slices.Contains(filterFields, field) {
		return bad("There is no filter field %q. Fields: %s.", field, strings.Join(filterFields, ", "))
	}
	if !slices.Contains(filterOps, op) {
		return bad("There is no filter operator %q. Operators: %s.", op, strings.Join(filterOps, ", "))
	}
	want, ok := map[string]int{"in": -1, "nin": -1, "between": 2}[op]
	if !ok {
		want = 1
	}
	if want == -1 && len(values) == 0 || want >= 0 && len(values) != want {
		return bad("The filter %s %s has %d values.", field, op, len(values))
	}
	if slices.Contains(values, "") {
		return bad("The filter %s %s has an empty value.", field, op)
	}
	if field == "date" {
		for _, v := range values {
			if !isDate(v) {
				return Filter{}, &Error{Code: CodeInvalidFilter, Message: fmt.Sprintf("%q is no date.", v), Hint: "Write it as 2024-03-01, 2024-03 or 2024."}
			}
		}
		if n := min(len(values[0]), len(values[len(values)-1])); op == "between" && values[0][:n] > values[1][:n] {
			return bad("The filter date between ends before it begins.")
		}
	}
	return Filter{Field: field, Op: op, Values: slices.Clone(values), Owner: owner}, nil
}

// isDate tells whether a value is a day, a month or a year that exists, or a
// time of a day.
func isDate(v string) bool {
	return slices.ContainsFunc([]string{"2006", "2006-01", time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05"}, func(form string) bool {
		_, err := time.Parse(form, v)
		return err == nil && len(v) == len(form)
	})
}

// Scope is where a question looks. Scope is never dropped, whoever set it. The
// zero Scope is the whole library.
type Scope struct {
	Collections []string `json:"collections"` // names
	PathUnder   string   `json:"path_under"`  // a folder or file
	Types       []string `json:"types"`       // kinds: pdf, markdown, …
	Documents   []int64  `json:"documents"`
}
