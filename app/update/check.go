package update

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"referent/rag"
)

// maxManifest bounds what is read of a server, in bytes.
const maxManifest = 1 << 20

// Manifest is what a publisher signs.
type Manifest struct {
	Version string `json:"version"` // three numbers with dots
	Date    string `json:"date"`    // YYYY-MM-DD
	Notes   string `json:"notes"`   // one or two sentences
	Files   []File `json:"files"`
}

// File is a package of a version. SHA256 is lower-case hex.
type File struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Result is what a check found.
type Result struct {
	Installed string   `json:"installed"`
	Newer     bool     `json:"newer"`
	Latest    Manifest `json:"latest"`
}

// Check reads the manifest at an address, which must be https or on this
// machine, and compares it with the installed version. client opens the
// connections; key is the publisher's public key in base64. Errors are
// *rag.Error, or the context's.
func Check(ctx context.Context, client *http.Client, address, key, installed string) (Result, error) {
	public, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return Result{}, refuse("The publisher's key is not an Ed25519 key in base64.", "Copy it again from where the program was published.", err)
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && (at.Scheme != "http" || !onThisMachine(at.Hostname())) {
		return Result{}, refuse("This address is not used for updates.", "It must begin with https://.", err)
	}
	body, err := get(ctx, client, address)
	if err != nil {
		return Result{}, err
	}
	at.Path += ".sig"
	signature, err := get(ctx, client, at.String())
	if err != nil {
		return Result{}, err
	}
	sig, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(signature)))
	if err != nil || !ed25519.Verify(public, body, sig) {
		return Result{}, refuse("What the server sent is not signed by the publisher, so it is not used.", "Check the address. If it is right, tell the publisher.", err)
	}
	out := Result{Installed: installed}
	if err := json.Unmarshal(body, &out.Latest); err != nil {
		return Result{}, refuse("The list of versions cannot be read.", "Tell the publisher.", err)
	}
	latest, ok := numbers(out.Latest.Version)
	if !ok {
		return Result{}, refuse("The list of versions names no version.", "Tell the publisher.", nil)
	}
	now, ok := numbers(installed)
	out.Newer = !ok || after(latest, now)
	return out, nil
}

func onThisMachine(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

func get(ctx context.Context, client *http.Client, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, refuse("This address is not used for updates.", "It must begin with https://.", err)
	}
	res, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, refuse("The server did not answer.", "Try again later, and check the address and the network.", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, refuse(fmt.Sprintf("The server answered with status %d.", res.StatusCode), "Check the address.", nil)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxManifest+1))
	if err == nil && len(body) > maxManifest {
		err = errors.New("the answer is too long")
	}
	if err != nil {
		return nil, refuse("The answer of the server did not arrive whole.", "Try again.", err)
	}
	return body, nil
}

// numbers reads a version of three numbers.
func numbers(version string) (out [3]int, ok bool) {
	parts := strings.Split(version, ".")
	if len(parts) != len(out) {
		return out, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return out, false
		}
		out[i] = n
	}
	return out, true
}

func after(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

func refuse(message, hint string, cause error) error {
	return &rag.Error{Code: rag.CodeNotAvailable, Message: message, Hint: hint, Cause: cause}
}
