package desktop

import (
	"context"

	"referent/app"
)

// conversationsShown bounds the list in the sidebar.
const conversationsShown = 2000

// Conversations lists the conversations, newest first.
func (w *Window) Conversations() ([]app.Conversation, error) {
	return guard(w, func(ctx context.Context) ([]app.Conversation, error) {
		return w.use.Conversations(ctx, conversationsShown)
	})
}

// Conversation returns one conversation with its turns.
func (w *Window) Conversation(id int64) (app.ConversationDetail, error) {
	return guard(w, func(ctx context.Context) (app.ConversationDetail, error) { return w.use.Conversation(ctx, id) })
}

// NewConversation begins a conversation.
func (w *Window) NewConversation() (app.Conversation, error) {
	return guard(w, func(ctx context.Context) (app.Conversation, error) { return w.use.NewConversation(ctx, "") })
}

// RenameConversation changes a title.
func (w *Window) RenameConversation(id int64, title string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.RenameConversation(ctx, id, title) })
}

// DeleteConversation takes a conversation off the list.
func (w *Window) DeleteConversation(id int64) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.DeleteConversation(ctx, id) })
}

// RestoreConversation undoes DeleteConversation.
func (w *Window) RestoreConversation(id int64) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.RestoreConversation(ctx, id) })
}

// SearchConversations finds conversations by the words of their messages.
func (w *Window) SearchConversations(text string) ([]app.ConversationMatch, error) {
	return guard(w, func(ctx context.Context) ([]app.ConversationMatch, error) {
		return w.use.SearchConversations(ctx, text)
	})
}

// SetDraft keeps what is typed; conversation 0 is the one not yet begun.
func (w *Window) SetDraft(conversation int64, text string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetDraft(ctx, conversation, text) })
}

// Draft returns what was typed.
func (w *Window) Draft(conversation int64) (string, error) {
	return guard(w, func(ctx context.Context) (string, error) { return w.use.Draft(ctx, conversation) })
}
