package app

import (
	"context"
	"slices"

	"referent/inference/outbound"
)

// Connection is one connection to another computer.
type Connection struct {
	Purpose  string   `json:"purpose"`
	Host     string   `json:"host"`    // host:port as it was asked for
	Started  string   `json:"started"` // RFC 3339
	Ended    Optional `json:"ended"`   // RFC 3339; absent: still open
	Sent     int64    `json:"sent"`    // bytes on the wire
	Received int64    `json:"received"`
}

// Connections implements UseCases. Everything that leaves the computer goes
// through the one dialer. What it opened since the start comes first, then what
// earlier starts have noted.
func (a *App) Connections(context.Context) ([]Connection, error) {
	known := a.dialer.Connections()
	slices.Reverse(known)
	out := make([]Connection, 0, len(known)+len(a.outlog.earlier))
	for _, c := range known {
		out = append(out, connection(c))
	}
	return append(out, a.outlog.earlier...), nil
}

func connection(c outbound.Connection) Connection {
	return Connection{Purpose: c.Purpose, Host: c.Host, Started: stamp(c.Started), Ended: Optional(stamp(c.Ended)), Sent: c.Sent, Received: c.Received}
}
