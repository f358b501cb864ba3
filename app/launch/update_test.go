package launch

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"referent/app/command"
)

// version is the installed one.
const version = "0.1.0"

func TestUpdate_TheCommandReadsALocalServer(t *testing.T) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	key := base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey))
	body := []byte(`{"version":"99.0.0","date":"2030-01-02","notes":"Reads faster.","files":[{"name":"a.deb","url":"https://example.org/a.deb"}]}`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".sig") {
			_, _ = w.Write([]byte(base64.StdEncoding.EncodeToString(ed25519.Sign(private, body))))
			return
		}
		_, _ = w.Write(body)
	}))
	defer server.Close()
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--from", server.URL + "/v.json", "--key", key}, 0, "Referent 99.0.0 is there since 2030-01-02; " + version + " is installed. Reads faster.\nhttps://example.org/a.deb\n"},
		{[]string{"--from", server.URL + "/v.json"}, 2, "needs --from and --key"},
		{[]string{"--from", "http://example.org/v.json", "--key", key}, 1, "must begin with https://"},
	} {
		var out, complaint bytes.Buffer
		code := command.Run(context.Background(), append([]string{"update", "check"}, test.args...), command.Env{Stdout: &out, Stderr: &complaint, Version: version, Update: UpdateCheck(version)})
		if all := out.String() + complaint.String(); (code != 0) != (test.code != 0) || !strings.Contains(all, test.want) {
			t.Errorf("%q: code %d, %q", test.args, code, all)
		}
	}
}
