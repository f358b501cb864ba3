// Package update looks whether a newer version was published. It does nothing
// by itself: a person asks, and names the address.
//
// What is read is a manifest in JSON and beside it, under the same address with
// ".sig" behind, its Ed25519 signature (RFC 8032) in base64. A manifest whose
// signature does not match the publisher's key is never shown. Nothing is
// downloaded or installed.
package update
