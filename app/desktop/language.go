package desktop

import (
	"context"
	"reflect"

	"referent/app/sentence"
	"referent/rag"
)

// The use cases speak English. What goes to the page, as the result of a call, as
// an event or as an error, is said in the language of the window here and nowhere
// else.

// SetLanguage says which language the page shows. What the page holds already it
// has to ask for again.
func (w *Window) SetLanguage(language string) error {
	return guardDo(w, func(context.Context) error {
		w.language.Store(&language)
		return nil
	})
}

// shown is the language of the page; empty: it has not said it yet.
func (w *Window) shown() string {
	if language := w.language.Load(); language != nil {
		return *language
	}
	return ""
}

// speaker says sentences in the language of the page.
func (w *Window) speaker() *sentence.Speaker { return sentence.For(w.shown()) }

// speaking is a Platform whose events speak the language of the window.
type speaking struct {
	Platform
	window *Window
}

func (p speaking) Emit(name string, data any) {
	p.Platform.Emit(name, said(p.window.speaker(), data))
}

// formatError is FormatError in the language of the window.
func (w *Window) formatError(err error) any {
	return said(w.speaker(), FormatError(err).(PageError))
}

// sayEvent says the sentences of an event of a turn.
func (w *Window) sayEvent(e rag.Event) rag.Event { return said(w.speaker(), e) }

// sentenceFields are the names of the fields that hold sentences for people,
// whatever type they are of. A code in one of them is no sentence and stays.
var sentenceFields = map[string]bool{
	"Sentence": true, "Sentences": true, "Reason": true, "Note": true, "Notes": true, "Notice": true, "Problem": true, "Message": true, "Hint": true,
	"Detail": true, "Warnings": true, "Vetoes": true, "Failures": true, "Missing": true, "Help": true,
}

// said returns a copy of v in which the sentences are said by s; v itself where s
// speaks English.
func said[T any](s *sentence.Speaker, v T) T {
	if s == nil {
		return v
	}
	out, _ := sayIn(s, reflect.ValueOf(&v).Elem(), false).Interface().(T)
	return out
}

// sayIn copies what it changes and shares the rest: use cases keep what they have
// given away. texts: strings are sentences here.
func sayIn(s *sentence.Speaker, v reflect.Value, texts bool) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		if texts {
			out.SetString(s.Say(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(sayIn(s, v.Elem(), texts))
		}
	case reflect.Interface:
		if _, fault := v.Interface().(error); !fault && !v.IsNil() {
			out.Set(sayIn(s, v.Elem(), texts))
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return out
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(sayIn(s, v.Index(i), texts))
		}
	case reflect.Map:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for each := v.MapRange(); each.Next(); {
			out.SetMapIndex(each.Key(), sayIn(s, each.Value(), texts))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				out.Field(i).Set(sayIn(s, v.Field(i), sentenceFields[f.Name]))
			}
		}
	}
	return out
}
