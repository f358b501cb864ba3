package app

import (
	"context"
	"encoding/json"
	"strconv"

	"referent/app/setting"
	"referent/rag"
	"referent/storage/chats"
)

// ConversationOptions are what a person chose for one conversation. A zero
// field leaves the stored setting in force, and the whole library searched.
type ConversationOptions struct {
	Engine  string    `json:"engine"`
	Mode    string    `json:"mode"`
	History *int      `json:"history"` // messages that the answer model sees
	Scope   rag.Scope `json:"scope"`
}

// change is the part of the options that the table of settings knows.
func (o ConversationOptions) change() map[string]string {
	c := map[string]string{}
	if o.Engine != "" {
		c["chat.engine"] = o.Engine
	}
	if o.Mode != "" {
		c["chat.mode"] = o.Mode
	}
	if o.History != nil {
		c["chat.history"] = strconv.Itoa(*o.History)
	}
	return c
}

// SetConversationOptions implements UseCases. The options are judged as a whole
// by the table of settings.
func (a *App) SetConversationOptions(ctx context.Context, id int64, o ConversationOptions) error {
	if _, err := setting.ValidateAll(o.change()); err != nil {
		return err
	}
	if a.isDeleted(id) {
		return storageError(chats.ErrUnknownConversation)
	}
	c := chats.Conversation{ID: id, Engine: o.Engine, Mode: o.Mode, GenerationHistory: o.History}
	if !wholeLibrary(o.Scope) {
		c.Scope = column(o.Scope)
	}
	return storageError(a.chats.SetConversationOptions(ctx, c))
}

// conversationOptions reads what is stored.
func conversationOptions(c chats.Conversation) ConversationOptions {
	o := ConversationOptions{Engine: c.Engine, Mode: c.Mode, History: c.GenerationHistory}
	read(c.Scope, &o.Scope)
	return o
}

// withOptions puts a conversation's options on top of the settings. One that no
// longer validates is passed over with a sentence.
func withOptions(v setting.Values, o ConversationOptions) (setting.Values, []string) {
	var notes []string
	change := o.change()
	for key, value := range change {
		if _, err := setting.Validate(key, value); err != nil {
			delete(change, key)
			notes = append(notes, "The value "+strconv.Quote(value)+" of "+key+" in this conversation is not allowed and was ignored.")
		}
	}
	v, _ = v.With(change, setting.FromConversation) // every value was judged
	return v, notes
}

// wholeLibrary tells whether a scope narrows nothing.
func wholeLibrary(s rag.Scope) bool {
	return len(s.Collections)+len(s.Types)+len(s.Documents) == 0 && s.PathUnder == ""
}

// BranchConversation implements UseCases.
func (a *App) BranchConversation(ctx context.Context, id int64, ordinal int) (Conversation, error) {
	c, ok, err := a.chats.Conversation(ctx, id)
	if err == nil && (!ok || a.isDeleted(id)) {
		err = chats.ErrUnknownConversation
	}
	if err != nil {
		return Conversation{}, storageError(err)
	}
	branch, err := a.chats.BranchConversation(ctx, id, ordinal, c.Title)
	return conversation(branch), storageError(err)
}

// MarshalJSON writes the lists of the scope as lists, also where they are empty.
func (o ConversationOptions) MarshalJSON() ([]byte, error) {
	type plain ConversationOptions // without this method
	o.Scope.Collections = append([]string{}, o.Scope.Collections...)
	o.Scope.Types = append([]string{}, o.Scope.Types...)
	o.Scope.Documents = append([]int64{}, o.Scope.Documents...)
	return json.Marshal(plain(o))
}
