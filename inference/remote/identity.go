package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"strings"
)

// Identity stands for the hash of a file: vectors and token counts of one server
// and model never mix with those of another. 64 digits in hex.
func Identity(address, model string) string {
	sum := sha256.Sum256([]byte("remote\x00" + strings.TrimRight(address, "/") + "\x00" + model))
	return hex.EncodeToString(sum[:])
}

// Loopback tells whether a host means this computer without any look-up.
func Loopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
