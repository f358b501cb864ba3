package main

import (
	"context"
	"errors"
	"os"
)

const (
	fontSource = "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf" // package fonts-droid-fallback
	fontHash   = "acb6440a713d880a13a21b468ba7cd43f5a2b2934972e51be791c880730777b8"
)

// installFonts copies the font that the PDF reader needs for texts in Chinese,
// Japanese and Korean whose own font is not embedded.
func installFonts(ctx context.Context, s *site) (string, error) {
	path := s.in("fonts", "DroidSansFallbackFull.ttf")
	if ok, err := s.seen.is(ctx, path, fontHash); err != nil || ok {
		return "DroidSansFallbackFull.ttf is there", err
	}
	f, err := os.Open(fontSource)
	if err != nil {
		return "", errors.New("the font " + fontSource + " is not there. Install the package fonts-droid-fallback")
	}
	defer f.Close()
	if err := os.MkdirAll(s.in("fonts"), 0o755); err != nil {
		return "", err
	}
	err = place(ctx, path, f, func(hash string) error { return expect("DroidSansFallbackFull.ttf", fontHash, hash) })
	return "copied DroidSansFallbackFull.ttf", err
}
