// Package outbound is the only way out of the program. Everything that talks to
// another machine (downloads, remote models, the check for updates) takes a
// Dialer; a test about the tree forbids any other dialer.
//
// A Dialer asks before it opens a connection and denies everything unless told
// otherwise. What it opened is counted and listed with its purpose, so that the
// program can show that nothing else left the machine. Even the look-up of a
// name waits for the permission.
//
// Loopback is not outbound: it is neither asked for nor counted.
package outbound
