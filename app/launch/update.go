package launch

import (
	"context"
	"net"
	"net/url"

	"referent/app/command"
	"referent/app/update"
	"referent/inference/outbound"
)

// UpdateCheck looks for a newer version than the installed one. Naming the
// address is the permission to connect to its host, and to no other.
func UpdateCheck(installed string) command.UpdateCheck {
	return func(ctx context.Context, address, key string) (command.Update, error) {
		return checkUpdate(ctx, address, key, installed)
	}
}

func checkUpdate(ctx context.Context, address, key, installed string) (command.Update, error) {
	allowed := ""
	if u, err := url.Parse(address); err == nil {
		port := u.Port()
		if port == "" {
			port = "443"
		}
		allowed = net.JoinHostPort(u.Hostname(), port)
	}
	dialer := outbound.New(func(_ context.Context, _, at string) bool { return at == allowed })
	client := dialer.Client("update")
	defer client.CloseIdleConnections()
	found, err := update.Check(ctx, client, address, key, installed)
	if err != nil {
		return command.Update{}, err
	}
	out := command.Update{Installed: found.Installed, Latest: found.Latest.Version, Newer: found.Newer, Date: found.Latest.Date, Notes: found.Latest.Notes, Files: []string{}}
	for _, f := range found.Latest.Files {
		out.Files = append(out.Files, f.URL)
	}
	return out, nil
}
