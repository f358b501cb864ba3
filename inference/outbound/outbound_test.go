package outbound

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// asked records the questions and gives one answer.
type asked struct {
	mu     sync.Mutex
	answer bool
	seen   []string
}

func (a *asked) ask(_ context.Context, purpose, address string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, purpose+" "+address)
	return a.answer
}

func TestNothingLeavesWithoutPermission(t *testing.T) {
	no := &asked{}
	for _, c := range []struct {
		name string
		d    *Dialer
	}{{"nobody to ask", New(nil)}, {"a no", New(no.ask)}} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.d.DialContext(t.Context(), "download", "tcp", "example.org:443"); !errors.Is(err, ErrDenied) {
				t.Errorf("got %v, want ErrDenied", err)
			}
			if _, err := c.d.Client("update").Get("http://example.org/latest"); !errors.Is(err, ErrDenied) {
				t.Errorf("got %v, want ErrDenied", err)
			}
			if _, err := c.d.Client("remote").Get("https://[2001:db8::1]/v1"); !errors.Is(err, ErrDenied) {
				t.Errorf("got %v, want ErrDenied", err)
			}
			if got, want := c.d.Counts(), (Counts{Denied: 3}); got != want {
				t.Errorf("counted %+v, want %+v", got, want)
			}
			if n := len(c.d.Connections()); n != 0 {
				t.Errorf("%d connections are listed", n)
			}
		})
	}
	want := []string{"download example.org:443", "update example.org:80", "remote [2001:db8::1]:443"}
	if !slices.Equal(no.seen, want) {
		t.Errorf("asked %q, want %q", no.seen, want)
	}
}

func TestLoopbackIsNotOutbound(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	defer server.Close()
	d := New(nil)
	client := d.Client("remote")
	defer client.CloseIdleConnections()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{server.URL, "http://localhost:" + port} {
		res, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if string(body) != "here" {
			t.Errorf("%s answered %q", address, body)
		}
	}
	if got := d.Counts(); got != (Counts{}) {
		t.Errorf("loopback was counted: %+v", got)
	}
}

func TestLoopbackNames(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true, "localhost": true, "LOCALHOST.": true,
		"0.0.0.0": false, "10.0.0.1": false, "localhost.example.org": false, "127.0.0.1.example.org": false, "": false,
	} {
		if got := loopback(host); got != want {
			t.Errorf("loopback(%q) = %v, want %v", host, got, want)
		}
	}
}

// TestAProxyOnThisMachineIsOutbound also follows one permitted connection
// through the list: a server on loopback stands in for the proxy.
func TestAProxyOnThisMachineIsOutbound(t *testing.T) {
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	served := make(chan error, 1)
	go func() {
		c, err := proxy.Accept()
		if err != nil {
			served <- err
			return
		}
		defer c.Close()
		question := make([]byte, 4)
		if _, err = io.ReadFull(c, question); err == nil {
			_, err = io.WriteString(c, "answer")
		}
		served <- err
	}()
	yes := &asked{answer: true}
	d := New(yes.ask)
	clock := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	d.now = func() time.Time { clock = clock.Add(time.Second); return clock }
	var changes []Counts
	stop := d.Watch(func(c Counts) { changes = append(changes, c) })

	ctx := context.WithValue(t.Context(), targetKey{}, "models.example.org:443")
	c, err := d.DialContext(ctx, "download", "tcp", proxy.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "what"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil || string(answer) != "answer" {
		t.Fatalf("got %q, %v", answer, err)
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	open := d.Connections()
	_ = c.Close()
	_ = c.Close() // twice counts once

	if !slices.Equal(yes.seen, []string{"download models.example.org:443"}) {
		t.Errorf("asked %q", yes.seen)
	}
	start := time.Date(2026, 5, 1, 12, 0, 1, 0, time.UTC)
	want := Connection{ID: 1, Purpose: "download", Host: "models.example.org:443", Started: start, Sent: 4, Received: 6}
	if len(open) != 1 || open[0] != want {
		t.Errorf("open: %+v, want %+v", open, want)
	}
	want.Ended = start.Add(time.Second)
	if got := d.Connections(); len(got) != 1 || got[0] != want {
		t.Errorf("ended: %+v, want %+v", got, want)
	}
	stop()
	d.ledger.deny()
	if !slices.Equal(changes, []Counts{{Open: 1, Total: 1}, {Open: 0, Total: 1}}) {
		t.Errorf("observed %+v", changes)
	}
}

func TestOnlyTCP(t *testing.T) {
	d := New(func(context.Context, string, string) bool { t.Error("asked"); return true })
	for _, network := range []string{"udp", "unix", "ip4:icmp"} {
		if _, err := d.DialContext(t.Context(), "download", network, "example.org:53"); err == nil {
			t.Errorf("%s was allowed", network)
		}
	}
	if _, err := d.DialContext(t.Context(), "download", "tcp", "no port"); err == nil {
		t.Error("an address without a port was allowed")
	}
}

func TestLocalhostMustBeThisMachine(t *testing.T) {
	if err := onlyLoopback(t.Context(), "tcp", "192.0.2.1:80", nil); !errors.Is(err, errNotLoopback) {
		t.Errorf("got %v, want a refusal", err)
	}
	if err := onlyLoopback(t.Context(), "tcp", "[::1]:80", nil); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestTheListIsBoundedAndKeepsOpenOnes(t *testing.T) {
	d := New(nil)
	inner, other := net.Pipe()
	defer other.Close()
	first := d.ledger.open(inner, Connection{Host: "first:1"}, time.Now)
	for range keptConnections + 20 {
		a, b := net.Pipe()
		c := d.ledger.open(a, Connection{Host: "later:1"}, time.Now)
		_, _ = c.Close(), b.Close()
	}
	list := d.Connections()
	if len(list) != keptConnections || !strings.HasPrefix(list[0].Host, "first") {
		t.Errorf("%d are listed, the first is %q", len(list), list[0].Host)
	}
	_ = first.Close()
	if got, want := d.Counts(), (Counts{Total: keptConnections + 21}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}
