package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/remote"
	"referent/rag"
)

// RemoteRequest lets a server play a role. URL "off" ends that. Key, where the
// server wants one, goes to the system's keyring; empty leaves what is there.
type RemoteRequest struct {
	Role  string `json:"role"`
	URL   string `json:"url"`
	Model string `json:"model"` // empty: leave it
	Key   string `json:"key"`
}

// keyringService is the program's name in the system's keyring.
const keyringService = "referent"

// remoteAddress tells a server from a file.
func remoteAddress(path string) bool {
	return strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://")
}

// leaving is the host that texts are sent to; absent for files and for servers on
// this computer.
func leaving(path string) Optional {
	u, err := url.Parse(path)
	if err != nil || !remoteAddress(path) || remote.Loopback(u.Hostname()) {
		return ""
	}
	return Optional(u.Host)
}

// remoteChoice returns the server that plays a role; ok is false where none does.
func remoteChoice(role inference.Role, values setting.Values) (c choice, ok bool, err error) {
	address := values.Text("remote." + string(role) + ".url")
	if address == setting.Off || address == "" {
		return choice{}, false, nil
	}
	if err := checkAddress(address); err != nil {
		return choice{}, true, err
	}
	name := values.Text("remote." + string(role) + ".model")
	e := catalogue.Entry{ID: name, Name: name, Roles: []inference.Role{role}, SHA256: remote.Identity(address, name), Context: values.Int("remote.context", 0)}
	if role == inference.RoleAnswer || role == inference.RoleCondense {
		e.PromptStyle = inference.StyleInstruct
	}
	return choice{entry: e, path: address}, true, nil
}

func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || !remoteAddress(address) || u.RawQuery != "" || u.User != nil:
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("%q is no address of a server.", address), Hint: "It looks like https://host/v1, without a key in it."}
	case u.Scheme == "http" && !remote.Loopback(u.Hostname()) && !private(u.Hostname()):
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: "This address would send your documents over an open connection.", Hint: "Use https:// for servers outside your own network."}
	}
	return nil
}

// private tells whether a host is written as an address of a private network.
func private(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast()) || strings.HasSuffix(host, ".local")
}

// besideServers lets each role live on this computer or on a server.
func (a *App) besideServers(local inference.Host) inference.Host {
	return remote.Beside(local, remote.New(remote.Config{Client: a.dialer.Client("remote"), Key: remoteKey,
		Timeout: func() time.Duration { return a.settings().Duration("remote.timeout", remote.DefaultTimeout) }}))
}

// remoteRoles lists the roles that a change of a setting concerns.
func remoteRoles(key string) []inference.Role {
	rest, ok := strings.CutPrefix(key, "remote.")
	if !ok {
		return nil
	}
	var out []inference.Role
	for _, role := range inference.Roles() {
		if name, _, dotted := strings.Cut(rest, "."); !dotted || name == string(role) {
			out = append(out, role)
		}
	}
	return out
}

// remoteAllowed tells whether the person has set this host as a server: to set it
// is the permission.
func (a *App) remoteAllowed(hostport string) bool {
	values := a.settings()
	for _, role := range inference.Roles() {
		u, err := url.Parse(values.Text("remote." + string(role) + ".url"))
		if err != nil || u.Host == "" {
			continue
		}
		port := u.Port()
		if port == "" {
			port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
		}
		if strings.EqualFold(net.JoinHostPort(u.Hostname(), port), hostport) {
			return true
		}
	}
	return false
}

// remoteKey finds the key of a role's server: in the environment, else in the
// system's keyring. Most servers at home want none.
func remoteKey(role inference.Role) (string, error) {
	if key := os.Getenv(keyVariable(role)); key != "" {
		return key, nil
	}
	key, err := keyring.Get(keyringService, "remote."+string(role))
	if errors.Is(err, keyring.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", nil // without a keyring the server says whether it wants a key
	}
	return key, nil
}

func keyVariable(role inference.Role) string {
	return "REFERENT_REMOTE_" + strings.ToUpper(string(role)) + "_KEY"
}

// SetRemote implements UseCases.
func (a *App) SetRemote(ctx context.Context, req RemoteRequest) error {
	role := inference.Role(req.Role)
	if _, ok := roleKey[role]; !ok {
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("There is no role %q.", req.Role), Hint: "Roles: answer, condense, embed, rerank."}
	}
	change := map[string]string{"remote." + req.Role + ".url": req.URL}
	if req.URL != setting.Off {
		if err := checkAddress(req.URL); err != nil {
			return err
		}
		if req.Model != "" {
			change["remote."+req.Role+".model"] = req.Model
		}
	}
	switch {
	case req.Key != "":
		if err := keyring.Set(keyringService, "remote."+req.Role, req.Key); err != nil {
			return &rag.Error{Code: rag.CodeStorageFailed, Message: "This computer has no keyring that the program can use, so the key was not stored.",
				Hint: "Give the key in the environment variable " + keyVariable(role) + ".", Cause: err}
		}
	case req.URL == setting.Off:
		_ = keyring.Delete(keyringService, "remote."+req.Role) // there may be none, and no keyring
	}
	return a.SetSettings(ctx, change)
}
