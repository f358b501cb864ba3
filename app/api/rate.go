package api

import (
	"math"
	"sync"
	"time"
)

// rate bounds the calls of each client by a bucket of tokens: burst calls at
// once, then so many a second. Clients are told apart by the names they give
// themselves, so that one which loops by mistake slows only itself; all of them
// together share one larger bucket, which no name gets around.
type rate struct {
	perSecond, burst float64
	now              func() time.Time

	mu      sync.Mutex
	all     bucket
	clients map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// shared is how many clients' worth of calls all clients may make together.
const shared = 4

// clientsKept bounds the table of clients; the one longest silent is dropped.
const clientsKept = 256

func newRate(perSecond, burst float64, now func() time.Time) *rate {
	return &rate{perSecond: perSecond, burst: burst, now: now, clients: map[string]*bucket{}}
}

// take counts a call. ok is false when it is too many; wait is then the number
// of whole seconds after which one more is allowed.
func (r *rate) take(client string) (wait int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	b := r.clients[client]
	if b == nil {
		r.makeRoom()
		b = &bucket{}
		r.clients[client] = b
	}
	b.fill(now, r.perSecond, r.burst)
	r.all.fill(now, shared*r.perSecond, shared*r.burst)
	missing := max((1-b.tokens)/r.perSecond, (1-r.all.tokens)/(shared*r.perSecond))
	if missing > 0 {
		return int(math.Ceil(missing)), false
	}
	b.tokens--
	r.all.tokens--
	return 0, true
}

// fill adds what has come in since the last call; a new bucket is full.
func (b *bucket) fill(now time.Time, perSecond, burst float64) {
	if b.at.IsZero() {
		b.tokens = burst
	} else {
		b.tokens = min(burst, b.tokens+max(0, now.Sub(b.at).Seconds())*perSecond)
	}
	b.at = now
}

func (r *rate) makeRoom() {
	if len(r.clients) < clientsKept {
		return
	}
	oldest := ""
	for name, b := range r.clients {
		if oldest == "" || b.at.Before(r.clients[oldest].at) {
			oldest = name
		}
	}
	delete(r.clients, oldest)
}
