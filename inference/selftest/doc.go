// Package selftest finds out whether model libraries compute right on this
// machine. A backend may load, list its device and still end the process, hang
// or compute something else: an old driver does.
//
// Two generated models of a few megabytes run in a short-lived child, with every
// layer on the graphics processor if there is one. What they must give is known
// in advance: a chat model writes one chosen text, and the vectors of an embedder
// were computed here, without the library. package llama is the child; this
// package knows no library.
package selftest
