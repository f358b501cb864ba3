package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/zalando/go-keyring"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// elsewhere is a server that plays roles for a program and keeps all that it was
// sent.
type elsewhere struct {
	*httptest.Server
	mu   sync.Mutex
	seen strings.Builder
	keys []string
	fail int // status of every reply; 0: it answers
}

func newElsewhere(t *testing.T) *elsewhere {
	e := &elsewhere{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		e.seen.Write(body)
		e.keys = append(e.keys, r.Header.Get("Authorization"))
		status := e.fail
		e.mu.Unlock()
		if status != 0 {
			w.WriteHeader(status)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/embeddings") {
			var req struct {
				Input []string `json:"input"`
			}
			_ = json.Unmarshal(body, &req)
			var data []string
			for i, text := range req.Input { // two axes: about bridges, about anything else
				v := "[0.1,1]"
				if strings.Contains(strings.ToLower(text), "bridge") {
					v = "[1,0.1]"
				}
				data = append(data, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v))
			}
			_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
			return
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"delta\":{\"content\":\"The Harlow Bridge is 320 metres long [1].\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *elsewhere) sent() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.seen.String()
}

func TestRemote_AnswersFromAServerAndNeverSendsRestrictedText(t *testing.T) {
	keyring.MockInit()
	s, e := newStory(t, fake.Config{}), newElsewhere(t)
	s.AddFolder(map[string]string{"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long.\n", "secret.md": "# Harlow Bridge secret\n\nThe Harlow Bridge alarm code is k7741.\n"})
	if err := s.app.SetLabel(t.Context(), s.docs+"/secret.md", "restricted"); err != nil {
		t.Fatal(err)
	}
	if err := s.app.SetRemote(t.Context(), app.RemoteRequest{Role: "answer", URL: e.URL + "/v1", Model: "big", Key: "sk-1"}); err != nil {
		t.Fatal(err)
	}
	before, err := s.app.Models(t.Context())
	if err != nil || before.Roles[0].State != "none" || before.Roles[0].Name != "big" || e.sent() != "" {
		t.Errorf("set and not yet asked: %+v, %v; sent %q", before.Roles[0], err, e.sent())
	}
	s.Ask("How long is the Harlow Bridge, and what is its alarm code?")
	if s.err != nil {
		t.Fatal(s.err)
	}
	sent := e.sent()
	if !strings.Contains(sent, "320 metres") || !strings.Contains(sent, `"model":"big"`) {
		t.Errorf("the server got %q", sent)
	}
	if strings.Contains(sent, "k7741") {
		t.Error("a restricted text left this computer")
	}
	for _, k := range e.keys {
		if k != "Bearer sk-1" {
			t.Errorf("the key is %q", k)
		}
	}
	for _, c := range s.models.Calls() {
		if c.Kind == "generate" && c.Role == "answer" {
			t.Error("the model on this computer was asked too")
		}
	}
	if err := s.app.SetRemote(t.Context(), app.RemoteRequest{Role: "answer", URL: "off"}); err != nil {
		t.Fatal(err)
	}
	after := e.sent()
	s.Ask("Who opened the bridge?")
	if strings.Contains(strings.TrimPrefix(e.sent(), after), "messages") {
		t.Error("the server was asked after it was switched off")
	}
}

// A search model on a server embeds what is not restricted, and the index is its
// own.
func TestRemote_EmbedsOnAServer(t *testing.T) {
	keyring.MockInit()
	s, e := newStory(t, fake.Config{}), newElsewhere(t)
	if err := s.app.SetRemote(t.Context(), app.RemoteRequest{Role: "embed", URL: e.URL + "/v1", Model: "vectors"}); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	secret := t.TempDir()
	if err := os.WriteFile(filepath.Join(secret, "secret.md"), []byte("# Alarm\n\nThe alarm code is k7741.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Add(app.AddRequest{Paths: []string{secret}, Restricted: true})
	s.AddFolder(map[string]string{"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long.\n", "boiler.md": "# Boiler\n\nThe boiler pressure must be 1.5 bar.\n"})
	found, err := s.app.Search(t.Context(), app.AskRequest{Question: "Which bridge?", Retriever: "dense"})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Title != "Harlow Bridge" {
		t.Errorf("%+v, %v", found.Hits, err)
	}
	if sent := e.sent(); !strings.Contains(sent, "320 metres") || !strings.Contains(sent, "1.5 bar") || strings.Contains(sent, "k7741") {
		t.Errorf("the server got %q", sent)
	}
}

// What a failed rewrite by a server shows, word for word of the closed list.
func TestRemote_AFailedRewriteHasItsReason(t *testing.T) {
	for _, c := range []struct {
		status int
		reason rag.Reason
	}{{http.StatusUnauthorized, rag.ReasonHTTPError}, {http.StatusNotImplemented, rag.ReasonHTTPError}} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			keyring.MockInit()
			s, e := newStory(t, fake.Config{}), newElsewhere(t)
			e.fail = c.status
			s.AddFolder(map[string]string{"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long. It was opened in 1932.\n"})
			if err := s.app.SetRemote(t.Context(), app.RemoteRequest{Role: "condense", URL: e.URL + "/v1"}); err != nil {
				t.Fatal(err)
			}
			p, err := s.app.Prepare(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: "condense_context", GivenHistory: true,
				History: []rag.Message{{Role: "user", Text: "How long is the Harlow Bridge?"}, {Role: "assistant", Text: "320 metres [1]."}}})
			if err != nil || p.Status != rag.StatusFailedVerbatim || p.Reason != c.reason {
				t.Errorf("%s, %s: %q, %v", p.Status, p.Reason, p.Detail, err)
			}
		})
	}
}

func TestRemote_StatusAndDoctorSayThatTextsLeave(t *testing.T) {
	keyring.MockInit()
	s := newStory(t, fake.Config{})
	if err := s.app.SetRemote(t.Context(), app.RemoteRequest{Role: "answer", URL: "https://models.example/v1", Model: "big"}); err != nil {
		t.Fatal(err)
	}
	status, err := s.app.Status(t.Context())
	if err != nil || status.Answer.Remote != "models.example" || status.Embed.Remote != "" || status.Condense.Remote != "models.example" {
		t.Errorf("%+v, %v", status, err)
	}
	d, err := s.app.Doctor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range d.Findings {
		all.WriteString(f.Topic + ": " + f.Sentence + "\n")
	}
	for _, want := range []string{"answer: big on the server https://models.example/v1: texts leave this computer.", "GB are free for models", "model files of your own"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not in\n%s", want, all.String())
		}
	}
}
