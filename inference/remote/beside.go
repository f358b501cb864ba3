package remote

import (
	"context"
	"errors"
	"strings"

	"referent/inference"
)

// Beside joins a host on this computer and one for servers. A role lives in one
// of them: where its last load went.
func Beside(local inference.Host, servers *Host) inference.Host { return &both{local, servers} }

type both struct {
	local   inference.Host
	servers *Host
}

// Load implements inference.Host: an address goes to the servers.
func (b *both) Load(ctx context.Context, spec inference.LoadSpec, progress func(float64)) (inference.ModelInfo, error) {
	to, from := b.local, inference.Host(b.servers)
	if strings.HasPrefix(spec.Path, "http://") || strings.HasPrefix(spec.Path, "https://") {
		to, from = from, to
	}
	info, err := to.Load(ctx, spec, progress)
	if err != nil {
		return info, err
	}
	for _, role := range spec.Roles {
		if err := from.Unload(ctx, role); err != nil {
			return info, err
		}
	}
	return info, nil
}

// Unload implements inference.Host.
func (b *both) Unload(ctx context.Context, role inference.Role) error {
	return errors.Join(b.servers.Unload(ctx, role), b.local.Unload(ctx, role))
}

// holds is the host that has the role.
func (b *both) holds(role inference.Role) inference.Host {
	if _, err := b.servers.of(role); err == nil {
		return b.servers
	}
	return b.local
}

// Generator implements inference.Host.
func (b *both) Generator(role inference.Role) (inference.Generator, error) {
	return b.holds(role).Generator(role)
}

// Embedder implements inference.Host.
func (b *both) Embedder() (inference.Embedder, error) { return b.holds(inference.RoleEmbed).Embedder() }

// Reranker implements inference.Host.
func (b *both) Reranker() (inference.Reranker, error) {
	return b.holds(inference.RoleRerank).Reranker()
}

// Tokenizer implements inference.Host.
func (b *both) Tokenizer(role inference.Role) (inference.Tokenizer, error) {
	return b.holds(role).Tokenizer(role)
}

// Loaded implements inference.Host.
func (b *both) Loaded() []inference.ModelInfo {
	return append(b.local.Loaded(), b.servers.Loaded()...)
}

// Close implements inference.Host.
func (b *both) Close() error { return errors.Join(b.servers.Close(), b.local.Close()) }
