package app

import (
	"context"

	"referent/rag/turn"
	"referent/storage/chats"
)

// storeKey carries where a turn is to be stored to save.
type storeKey struct{}

// target is the place of a turn: a conversation, or a new one.
type target struct {
	conversation *int64
	stored       *chats.Turn
}

// save stores a turn; the runner calls it once, at its end.
func (a *App) save(ctx context.Context, out *turn.Outcome) error {
	place, ok := ctx.Value(storeKey{}).(*target)
	if !ok {
		return nil
	}
	stored, err := a.saveIn(ctx, place.conversation, turnRow(out.Request.Question, out.Prepared, out.Retrieval, out.Done))
	if err != nil {
		return err
	}
	place.stored = &stored
	out.Done.Conversation, out.Done.Turn = &stored.Conversation, &stored.ID
	return nil
}

// saveIn stores a turn in its conversation, or in a new one together with it. A
// conversation without a title gets one from the question.
func (a *App) saveIn(ctx context.Context, conversation *int64, row chats.Turn) (chats.Turn, error) {
	title := cutTitle(row.Question)
	if conversation == nil {
		stored, err := a.chats.SaveFirstTurn(ctx, chats.Conversation{Title: title}, row)
		if err == nil {
			a.entitle(stored.Conversation, row.Question)
		}
		return stored, err
	}
	row.Conversation = *conversation
	stored, err := a.chats.SaveTurn(ctx, row)
	if err != nil {
		return stored, err
	}
	if c, ok, err := a.chats.Conversation(ctx, *conversation); err == nil && ok && c.Title == "" {
		if err := a.chats.RenameConversation(ctx, c.ID, title); err != nil {
			a.config.Log("the title of a conversation: " + err.Error()) // the turn is safe; the next one tries again
		} else {
			a.entitle(c.ID, row.Question)
		}
	}
	return stored, nil
}

// logRun adds the turn to the run log, whatever became of it.
func (a *App) logRun(out *turn.Outcome, place *target) {
	run := chats.Run{Started: out.Started, Conversation: place.conversation, Engine: out.Prepared.Engine, Status: string(out.Prepared.Status), Reason: string(out.Prepared.Reason)}
	if run.Engine == "" {
		run.Engine = out.Request.Engine
	}
	if place.stored != nil {
		run.Conversation, run.Turn = &place.stored.Conversation, &place.stored.ID
	}
	if out.Failed != nil {
		run.Code = string(out.Failed.Code)
		if out.Failed.Reason != "" {
			run.Reason = string(out.Failed.Reason)
		}
	}
	total := 0.0
	for _, s := range out.Spans {
		run.Spans = append(run.Spans, chats.Span{Name: s.Name, Started: s.Started, DurationMS: s.DurationMS, Attributes: s.Attributes, Status: s.Status})
		total += s.DurationMS
	}
	run.Spans = append(run.Spans, chats.Span{Name: "total", Started: out.Started, DurationMS: total, Status: "ok"})
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if _, err := a.chats.SaveRun(ctx, run); err != nil {
		a.config.Log("run log: " + err.Error())
	}
}
