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

// PinConversation keeps a conversation at the top of the list, or lets it go.
func (w *Window) PinConversation(id int64, pinned bool) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.PinConversation(ctx, id, pinned) })
}

// SetConversationOptions stores what counts for one conversation.
func (w *Window) SetConversationOptions(id int64, options app.ConversationOptions) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetConversationOptions(ctx, id, options) })
}

// BranchConversation copies a conversation up to and with a turn.
func (w *Window) BranchConversation(id int64, ordinal int) (app.Conversation, error) {
	return guard(w, func(ctx context.Context) (app.Conversation, error) {
		return w.use.BranchConversation(ctx, id, ordinal)
	})
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
