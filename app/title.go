package app

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"referent/inference"
	"referent/rag/answer"
)

const (
	// titleLength bounds a title that is made from a question, in code points.
	titleLength = 80
	// shortQuestion is a title as it is, in code points.
	shortQuestion = 48
	titleTime     = time.Minute
)

// cutTitle makes a title of a question: one line, cut at a word.
func cutTitle(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	r := []rune(s)
	if len(r) <= titleLength {
		return s
	}
	cut := string(r[:titleLength])
	if i := strings.LastIndexByte(cut, ' '); i > titleLength/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// titles is the one title that is being written, which a question ends.
type titles struct {
	mu   sync.Mutex
	stop context.CancelFunc
}

// begin ends the title before and returns the context of a new one.
func (t *titles) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, titleTime)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop != nil {
		t.stop()
	}
	t.stop = cancel
	return ctx, cancel
}

// end makes way for a question.
func (t *titles) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
}

// entitle gives a conversation that began with a long question a shorter title,
// in the background and only in a window: the question is the title until then,
// and stays it where no answer model is loaded or its title is no good. A title
// that the person has given is left alone.
func (a *App) entitle(conversation int64, question string) {
	given := cutTitle(question)
	if !a.config.Window || a.ctx.Err() != nil || utf8.RuneCountInString(given) <= shortQuestion {
		return
	}
	model, err := a.host.Generator(inference.RoleAnswer)
	if err != nil {
		return
	}
	ctx, cancel := a.titles.begin(a.ctx)
	a.wait.Go(func() {
		defer cancel()
		title, ok := answer.Title(ctx, model, question)
		if !ok {
			return
		}
		changed, err := a.chats.ReplaceTitle(ctx, conversation, given, title)
		if err != nil {
			a.config.Log("the title of a conversation: " + err.Error())
		}
		if changed {
			a.changed()
		}
	})
}
