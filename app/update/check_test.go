package update

import (
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"referent/inference/outbound"
)

// publisher is a local server with a key of its own.
type publisher struct {
	manifest, signature string
	status              int
	asked               []string
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.asked = append(p.asked, r.URL.Path)
	if p.status != 0 {
		w.WriteHeader(p.status)
		return
	}
	body := p.manifest
	if strings.HasSuffix(r.URL.Path, ".sig") {
		body = p.signature
	}
	_, _ = w.Write([]byte(body))
}

// keys makes a pair from a seed, so that a test is the same each time.
func keys(seed byte) (private ed25519.PrivateKey, public string) {
	private = ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), ed25519.SeedSize)))
	return private, base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey))
}

func sign(private ed25519.PrivateKey, text string) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(text))) + "\n"
}

func TestCheck_ReadsASignedManifest(t *testing.T) {
	private, public := keys('a')
	other, _ := keys('b')
	const text = `{"version":"0.10.0","date":"2026-12-01","notes":"Faster.","files":[{"name":"referent_0.10.0-1_amd64.deb","bytes":7}]}`
	for _, test := range []struct {
		name, installed string
		p               publisher
		newer           bool
		refusal         string
	}{
		{"a newer one", "0.9.1", publisher{manifest: text, signature: sign(private, text)}, true, ""},
		{"the same", "0.10.0", publisher{manifest: text, signature: sign(private, text)}, false, ""},
		{"an older one", "1.0.0", publisher{manifest: text, signature: sign(private, text)}, false, ""},
		{"another's signature", "0.9.1", publisher{manifest: text, signature: sign(other, text)}, false, "not signed"},
		{"one changed byte", "0.9.1", publisher{manifest: strings.Replace(text, "0.10.0", "0.11.0", 1), signature: sign(private, text)}, false, "not signed"},
		{"no signature", "0.9.1", publisher{manifest: text}, false, "not signed"},
		{"signed rubbish", "0.9.1", publisher{manifest: "rubbish", signature: sign(private, "rubbish")}, false, "cannot be read"},
		{"no version", "0.9.1", publisher{manifest: "{}", signature: sign(private, "{}")}, false, "names no version"},
		{"a missing page", "0.9.1", publisher{status: 404}, false, "status 404"},
		{"an endless answer", "0.9.1", publisher{manifest: strings.Repeat("x", maxManifest+1)}, false, "did not arrive whole"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(&test.p)
			defer server.Close()
			client := outbound.New(nil).Client("update")
			defer client.CloseIdleConnections()
			got, err := Check(t.Context(), client, server.URL+"/latest.json", public, test.installed)
			if test.refusal != "" {
				if err == nil || !strings.Contains(err.Error(), test.refusal) || got.Latest.Version != "" {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil || got.Newer != test.newer || got.Latest.Version != "0.10.0" || got.Latest.Files[0].Bytes != 7 {
				t.Errorf("%+v, %v", got, err)
			}
			if strings.Join(test.p.asked, " ") != "/latest.json /latest.json.sig" {
				t.Errorf("asked for %q", test.p.asked)
			}
		})
	}
}

func TestCheck_AsksNobodyForABadAddressOrKey(t *testing.T) {
	_, public := keys('a')
	dialer := outbound.New(nil)
	for _, test := range []struct{ address, key, want string }{
		{"http://example.org/latest.json", public, "https"},
		{"file:///etc/passwd", public, "https"},
		{"://", public, "https"},
		{"https://example.org/latest.json", "c2hvcnQ=", "Ed25519"},
		{"https://example.org/latest.json", "", "Ed25519"},
	} {
		if _, err := Check(t.Context(), dialer.Client("update"), test.address, test.key, "0.1.0"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.address, err)
		}
	}
	if c := dialer.Counts(); c != (outbound.Counts{}) {
		t.Errorf("connections: %+v", c)
	}
	if _, err := Check(t.Context(), dialer.Client("update"), "https://example.org/latest.json", public, "0.1.0"); err == nil || dialer.Counts().Denied != 1 {
		t.Errorf("without permission: %v, %+v", err, dialer.Counts())
	}
}
