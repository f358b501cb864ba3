// Package api is the front for other programs on this computer: HTTP with
// server-sent events, routes in the shape of OpenAI (package openai) and MCP
// (package mcp), on loopback or a Unix socket and nowhere else.
//
// Whoever knows the token of the data folder may ask. Before a route sees a
// request, the Host, the Origin, the token and the rate are checked, so that
// neither a web page nor a name that resolves to this computer gets through.
// What may be seen is decided by package public, what may be said by the
// description in package wire.
//
// Server is one listener with its routes; Switch starts and ends it as the
// settings api.enabled and api.address say.
package api
