//go:build window

package desktop

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// inspector reads the page of the shipped window through WebKit's remote
// inspector, which only the devtools build has.
type inspector struct {
	t      testing.TB
	conn   *websocket.Conn
	target string
	next   int
}

var socketPath = regexp.MustCompile(`socket/\d+/\d+/WebPage`)

// inspect connects to the page of the window whose inspector listens on port.
func inspect(t testing.TB, port int) *inspector {
	t.Helper()
	var path string
	waitFor(t, "the inspector to list the page", func() bool {
		r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/", port))
		if err != nil {
			return false
		}
		defer func() { _ = r.Body.Close() }()
		body, _ := io.ReadAll(r.Body)
		path = socketPath.FindString(string(body))
		return path != ""
	})
	conn, err := websocket.Dial(fmt.Sprintf("ws://127.0.0.1:%d/%s", port, path), "", "http://127.0.0.1/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	i := &inspector{t: t, conn: conn}
	waitFor(t, "the page", func() bool {
		var m struct {
			Method string
			Params struct {
				TargetInfo struct{ TargetID, Type string }
			}
		}
		i.receive(&m)
		if m.Method == "Target.targetCreated" && m.Params.TargetInfo.Type == "page" {
			i.target = m.Params.TargetInfo.TargetID
		}
		return i.target != ""
	})
	return i
}

func (i *inspector) receive(v any) {
	i.t.Helper()
	if err := i.conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		i.t.Fatal(err)
	}
	var raw []byte
	if err := websocket.Message.Receive(i.conn, &raw); err != nil {
		i.t.Fatalf("the inspector is gone: %v", err)
	}
	_ = json.Unmarshal(raw, v)
}

// call sends one command to the page and returns its result.
func (i *inspector) call(method string, params map[string]any) json.RawMessage {
	i.t.Helper()
	i.next++
	inner, _ := json.Marshal(map[string]any{"id": i.next, "method": method, "params": params})
	outer := map[string]any{"id": 1000 + i.next, "method": "Target.sendMessageToTarget", "params": map[string]any{"targetId": i.target, "message": string(inner)}}
	if err := websocket.JSON.Send(i.conn, outer); err != nil {
		i.t.Fatal(err)
	}
	for {
		var m struct {
			Method string
			Params struct{ Message string }
		}
		i.receive(&m)
		if m.Method != "Target.dispatchMessageFromTarget" {
			continue
		}
		var reply struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		_ = json.Unmarshal([]byte(m.Params.Message), &reply)
		if reply.ID != i.next {
			continue
		}
		if reply.Error != nil {
			i.t.Fatalf("%s: %s", method, reply.Error.Message)
		}
		return reply.Result
	}
}

// evaluate runs a script in the page and returns its value.
func (i *inspector) evaluate(script string) any {
	i.t.Helper()
	var r struct {
		Result struct {
			Value       any
			Description string
		}
		WasThrown bool
	}
	if err := json.Unmarshal(i.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}), &r); err != nil {
		i.t.Fatal(err)
	}
	if r.WasThrown {
		i.t.Fatalf("%s: %s", script, r.Result.Description)
	}
	return r.Result.Value
}

// settle runs an asynchronous script and returns how its promise ended: its
// value, or the rejection.
func (i *inspector) settle(script string) (value any, rejected bool) {
	i.t.Helper()
	i.evaluate(`window.__settled = null; (async () => (` + script + `))().then((v) => { window.__settled = { v: v ?? null }; }, (e) => { window.__settled = { e: e?.code ?? String(e) }; }); 0`)
	var out map[string]any
	waitFor(i.t, script, func() bool {
		out, _ = i.evaluate(`window.__settled`).(map[string]any)
		return out != nil
	})
	if e, ok := out["e"]; ok {
		return e, true
	}
	return out["v"], false
}
