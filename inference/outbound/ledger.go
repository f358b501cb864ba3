package outbound

import (
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// keptConnections bounds the list; the counts go on.
const keptConnections = 500

// Connection is one entry of the list. Bytes are those on the wire, TLS and
// headers included.
type Connection struct {
	ID       int // counts from 1 since the start
	Purpose  string
	Host     string // host:port as asked for
	Started  time.Time
	Ended    time.Time // zero: still open
	Sent     int64
	Received int64
}

// Counts sums up everything since the start.
type Counts struct {
	Open   int // connections open now
	Total  int // opened ever
	Denied int // not permitted
}

// ledger keeps connections and tells observers about changes of the counts.
type ledger struct {
	mu       sync.Mutex
	counts   Counts
	list     []*conn
	watchers map[int]func(Counts)
	nextID   int
}

// conn counts the bytes of one connection.
type conn struct {
	net.Conn
	ledger         *ledger
	now            func() time.Time
	about          Connection // Ended is guarded by ledger.mu
	sent, received atomic.Int64
	once           sync.Once
}

func (l *ledger) open(inner net.Conn, about Connection, now func() time.Time) net.Conn {
	c := &conn{Conn: inner, ledger: l, now: now, about: about}
	l.change(func() {
		l.counts.Open++
		l.counts.Total++
		c.about.ID = l.counts.Total
		if len(l.list) == keptConnections {
			// The oldest that has ended goes; open ones always stay.
			if i := slices.IndexFunc(l.list, func(c *conn) bool { return !c.about.Ended.IsZero() }); i >= 0 {
				l.list = slices.Delete(l.list, i, i+1)
			}
		}
		l.list = append(l.list, c)
	})
	return c
}

func (l *ledger) deny() { l.change(func() { l.counts.Denied++ }) }

// change alters the ledger and tells the observers what it holds now.
func (l *ledger) change(how func()) {
	l.mu.Lock()
	how()
	counts := l.counts
	watchers := make([]func(Counts), 0, len(l.watchers))
	for _, w := range l.watchers {
		watchers = append(watchers, w)
	}
	l.mu.Unlock()
	for _, w := range watchers {
		w(counts)
	}
}

// Read counts what comes in.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.received.Add(int64(n))
	return n, err
}

// Write counts what goes out.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

// Close ends the connection in the list too.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() {
		c.ledger.change(func() {
			c.about.Ended = c.now()
			c.ledger.counts.Open--
		})
	})
	return err
}

// Counts returns the sums so far.
func (d *Dialer) Counts() Counts {
	d.ledger.mu.Lock()
	defer d.ledger.mu.Unlock()
	return d.ledger.counts
}

// Connections lists the connections, oldest first: all open ones and the last
// that have ended.
func (d *Dialer) Connections() []Connection {
	d.ledger.mu.Lock()
	defer d.ledger.mu.Unlock()
	out := make([]Connection, len(d.ledger.list))
	for i, c := range d.ledger.list {
		out[i] = c.about
		out[i].Sent, out[i].Received = c.sent.Load(), c.received.Load()
	}
	return out
}

// Watch calls fn with the new counts after every change, from the goroutine
// that made it, until stop is called. Two changes at once may arrive in either
// order; Counts is always right.
func (d *Dialer) Watch(fn func(Counts)) (stop func()) {
	l := &d.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watchers == nil {
		l.watchers = map[int]func(Counts){}
	}
	id := l.nextID
	l.nextID++
	l.watchers[id] = fn
	return func() {
		l.mu.Lock()
		delete(l.watchers, id)
		l.mu.Unlock()
	}
}
