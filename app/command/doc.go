// Package command is the terminal front: the same use cases as the window, as
// commands for scripts, servers, tests and people who like a terminal.
//
// stdout carries the result and nothing else; progress, notices and errors go
// to stderr. Every failure is one sentence with the next step and an exit code
// of exit.go. The JSON forms are a contract: fields are added, never renamed.
package command
