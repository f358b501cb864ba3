package api

import (
	"context"
	"errors"
	"net"
	"strings"

	"referent/app"
	"referent/rag"
)

// Settings that say whether and where the server listens.
const (
	EnabledKey = "api.enabled"
	AddressKey = "api.address"
)

// Switch runs a server while the settings ask for one. It is used by the window,
// so that a change in the panel acts at once.
type Switch struct {
	config Config
	server *Server
	at     string // where the settings want it; empty: nowhere
}

// NewSwitch makes a switch for a server of this configuration.
func NewSwitch(c Config) *Switch {
	if c.Log == nil {
		c.Log = func(string) {}
	}
	return &Switch{config: c}
}

// Run follows the settings until ctx is done, and then closes the server. It
// returns nil. What cannot be started is logged and tried again when the
// settings change.
func (s *Switch) Run(ctx context.Context) {
	s.follow(ctx)
	err := s.config.Use.Watch(ctx, func(n app.Notice) {
		if n.Status != nil {
			s.follow(ctx)
		}
	})
	if err != nil && ctx.Err() == nil {
		s.config.Log("the API no longer follows the settings: " + err.Error())
		<-ctx.Done()
	}
	s.stop()
}

// follow brings the server in step with the settings.
func (s *Switch) follow(ctx context.Context) {
	all, err := s.config.Use.Settings(ctx)
	if err != nil {
		return // the next notice tries again
	}
	value := map[string]string{}
	for _, row := range all {
		value[row.Key] = row.Value
	}
	want := ""
	if value[EnabledKey] == "true" {
		want = value[AddressKey]
	}
	if want == s.at {
		return
	}
	s.stop()
	s.at = want
	var state app.Serving
	if want != "" {
		var at net.Addr
		if s.server, at, err = start(s.config, want); err != nil {
			s.config.Log("the API was not started: " + err.Error())
			state.Problem = app.Optional(sentence(err))
		} else {
			state.Address = app.Optional(at.String())
		}
	}
	if err := s.config.Use.NoteServing(ctx, state); err != nil && ctx.Err() == nil {
		s.config.Log("the state of the API: " + err.Error())
	}
}

// sentence is an error for people.
func sentence(err error) string {
	var known *rag.Error
	if errors.As(err, &known) {
		return strings.TrimSpace(known.Message + " " + known.Hint)
	}
	return err.Error()
}

func (s *Switch) stop() {
	if s.server == nil {
		return
	}
	if err := s.server.Close(); err != nil {
		s.config.Log("closing the API: " + err.Error())
	}
	s.server = nil
}
