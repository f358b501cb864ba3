package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"referent/app"
	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// shapes are the Go values behind the schemas that are written as a whole. A
// value in which every field is set must have exactly the fields of its schema,
// so that a field that is added to either side fails here.
var shapes = map[string]any{
	"Ask": public.Ask{}, "Message": rag.Message{}, "Scope": rag.Scope{}, "Filter": public.Filter{}, "AppliedFilter": rag.Filter{},
	"Answer": answer{}, "Found": public.Found{}, "Hit": rag.Hit{}, "Trace": rag.Trace{}, "Leg": rag.Leg{}, "Locator": rag.Locator{}, "Rect": rag.Rect{},
	"Citation": rag.Citation{}, "Source": rag.Source{}, "Issue": rag.Issue{}, "AnswerCheck": rag.AnswerCheck{}, "Usage": rag.Usage{}, "Latency": rag.Latency{},
	"Document": public.Document{}, "Documents": public.Documents{}, "DocumentText": public.Text{}, "Passage": public.Passage{}, "Tags": public.Tags{},
	"Add": app.AddRequest{}, "Added": app.AddResult{}, "Problem": app.Problem{},
	"Collection": public.Collection{}, "Collections": collections{}, "Conversation": public.Conversation{}, "Conversations": conversations{},
	"Turn": public.Turn{}, "ConversationTurns": public.ConversationTurns{}, "Role": public.Role{}, "InstalledModel": public.InstalledModel{}, "Models": public.Models{},
	"EvaluationRequest": public.EvaluationRequest{}, "EvaluationRun": public.EvaluationRun{}, "EvaluationRuns": public.EvaluationRuns{},
	"EvaluationFigure": public.EvaluationFigure{}, "EvaluationResult": public.EvaluationResult{},
	"Status": public.Status{}, "Health": health{}, "Call": app.Call{}, "Calls": calls{}, "PreparedStep": rag.Step{},
}

// openaiShape are the schemas that the test of package openai holds.
var openaiShape = regexp.MustCompile("^(OpenAI|Chat|Embedding|Rerank|ModelName)")

// events are the schemas of what rag.MarshalEvent writes.
var events = map[string]rag.Event{"Step": rag.Step{}, "Prepared": rag.Prepared{}, "Retrieval": rag.Retrieval{}, "Reasoning": rag.Reasoning{}, "Token": rag.Token{},
	"Stats": rag.Stats{}, "Done": rag.Done{}, "Failed": rag.Failed{}, "Note": note{}}

// filled returns a value in which every exported field holds something.
func filled(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	if t == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes([]byte(`{"a":1}`))
		return v
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && t.Field(i).Type.Kind() != reflect.Interface {
				v.Field(i).Set(filled(t.Field(i).Type))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem()))
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(t.Elem())))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(filled(t.Key()), filled(t.Elem()))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(2)
	case reflect.Uint32:
		v.SetUint(2)
	}
	return v
}

func TestContract_EveryFieldOfEveryStructIsDescribedAndBack(t *testing.T) {
	checked := map[string]bool{}
	for name, value := range shapes {
		raw, err := json.Marshal(filledLike(value))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sameFields(t, name, raw)
		checked[name] = true
	}
	for name, e := range events {
		raw, err := rag.MarshalEvent(filledLike(e).(rag.Event))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sameFields(t, name, raw)
		checked[name] = true
	}
	refused, err := json.Marshal((&wire.Failure{Code: "x", Reason: "y", Message: "z"}).Body())
	if err != nil {
		t.Fatal(err)
	}
	sameFields(t, "Error", refused)
	checked["Error"] = true
	for _, name := range wire.Described.Schemas() {
		if !checked[name] && !openaiShape.MatchString(name) {
			t.Errorf("the schema %s is behind no struct", name)
		}
	}
}

func filledLike(v any) any { return filled(reflect.TypeOf(v)).Interface() }

func sameFields(t *testing.T, name string, raw []byte) {
	t.Helper()
	s := wire.Described.Schema(name)
	if s == nil {
		t.Errorf("there is no schema %s", name)
		return
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Errorf("%s: %v: %s", name, err, raw)
		return
	}
	got, want := slices.Sorted(maps.Keys(object)), slices.Sorted(maps.Keys(s.Properties))
	if !slices.Equal(got, want) {
		t.Errorf("%s: the program writes %v,\nthe description has %v", name, got, want)
	}
}
