package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"referent/app"
	"referent/app/api/mcp"
	"referent/app/api/openai"
	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// Config says what a server stands on. Use and Dir are needed.
type Config struct {
	Use     app.UseCases
	Dir     string // data folder; its token is asked for
	Version string
	Log     func(string) // one line a fault, without text; nil: dropped
	Limits  public.Limits
	// PerSecond and Burst bound the calls of one client; 0: 50 and 100.
	PerSecond, Burst float64
	Now              func() time.Time // nil: the system's
}

// Server answers other programs on one listener.
type Server struct {
	config Config
	view   *public.View
	rate   *rate
	mcp    *mcp.Server
	http   *http.Server

	ctx    context.Context // of all calls; ends with Close
	cancel context.CancelFunc
	wait   sync.WaitGroup
	failed chan error // gets one when listening ends without Close
}

// headerTime bounds how long a caller may take to send its headers, idleTime
// how long a connection may rest.
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
)

// New makes a server; Serve starts it.
func New(c Config) *Server {
	if c.Log == nil {
		c.Log = func(string) {}
	}
	if c.PerSecond == 0 {
		c.PerSecond, c.Burst = 50, 100
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{config: c, view: public.New(c.Use, c.Limits, c.Log), rate: newRate(c.PerSecond, c.Burst, c.Now), ctx: ctx, cancel: cancel, failed: make(chan error, 1)}
	s.mcp = mcp.New(s.view, c.Version)
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	return s
}

// connections bounds how many callers are connected at once; more wait outside.
const connections = 512

// Serve answers on the listener in the background until Close. It is called once.
func (s *Server) Serve(l net.Listener) {
	s.wait.Go(func() {
		if err := s.http.Serve(netutil.LimitListener(l, connections)); !errors.Is(err, http.ErrServerClosed) {
			s.config.Log("the API ended: " + err.Error())
			s.failed <- err
		}
	})
}

// closeTime is how long running calls get to say that they were stopped.
const closeTime = 3 * time.Second

// Close stops listening, stops the running calls and waits for them. What was
// not complete is not stored.
func (s *Server) Close() error {
	s.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil { // a connection that does not end by itself
		err = s.http.Close()
	}
	s.wait.Wait()
	return err
}

// handler puts the routes behind the guard. Each runs on its own: a fault in
// one costs only its call.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	methods := map[string]map[string]http.HandlerFunc{} // by path, then by method
	for pattern, h := range s.routes() {
		method, path, _ := cut(pattern)
		if methods[path] == nil {
			methods[path] = map[string]http.HandlerFunc{}
		}
		methods[path][method] = h
	}
	for path, byMethod := range methods {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.dispatch(w, r, path, byMethod) })
	}
	mux.HandleFunc("/mcp", s.serveMCP)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		f := s.guard(r, false)
		if f == nil {
			f = notFound()
		}
		f.Write(w, f.Body())
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.wait.Add(1)
		defer s.wait.Done()
		defer s.recover(w)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !cleanPath(r.URL) { // before the mux, which would redirect
			f := s.guard(r, true)
			if f == nil {
				f = notFound()
			}
			f.Write(w, f.Body())
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (s *Server) recover(w http.ResponseWriter) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p) // the server's own way to end a connection
	}
	s.config.Log(fmt.Sprintf("panic in a call of another program: %v\n%s", p, debug.Stack()))
	f := wire.FailureOf(&rag.Error{Code: rag.CodeInternal, Message: "Something went wrong inside the program.", Hint: "`referent doctor` may tell more."})
	f.Write(w, f.Body())
}

// dispatch guards a request and hands it to the route of its method.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, path string, methods map[string]http.HandlerFunc) {
	refuse := func(f *wire.Failure) {
		if openai.Shaped(path) {
			f.Write(w, openai.ErrorBody(f))
			return
		}
		f.Write(w, f.Body())
	}
	operation := wire.Described.Operation(r.Method, path)
	if f := s.guard(r, operation != nil && operation.Open); f != nil {
		refuse(f)
		return
	}
	h, ok := methods[r.Method]
	if !ok {
		allowed := ""
		for m := range methods {
			allowed += ", " + m
		}
		w.Header().Set("Allow", allowed[2:])
		refuse(&wire.Failure{Code: wire.CodeMethodNotAllowed, Message: fmt.Sprintf("%s does not take this method.", path), Hint: "It takes " + allowed[2:] + "."})
		return
	}
	if f := wire.Described.CheckQuery(operation, r.PathValue, r.URL.Query()); f != nil {
		refuse(f)
		return
	}
	h(w, r)
}

func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request) {
	if f := s.guard(r, false); f != nil {
		f.Write(w, f.Body())
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxBody) // the routes have it from wire.Read
	s.mcp.HTTP().ServeHTTP(w, r)
}
