package app

import (
	"os"
	"path/filepath"
)

// fallbackFont is the font for PDF texts in Chinese, Japanese and Korean that
// do not bring their own.
const fallbackFont = "DroidSansFallbackFull.ttf"

// places lists the folders that may hold what the program brings along, in
// folders named runtime, models, fonts and pdfium. The first that has a thing wins:
// beside the program (the portable folder), where a package of the system puts
// it, and the cache that the set-up fills.
func places(cache string) []string {
	exe, err := os.Executable()
	if err != nil {
		return []string{cache}
	}
	return placesOf(exe, cache)
}

func placesOf(exe, cache string) []string {
	dir := filepath.Dir(exe)
	up := filepath.Dir(dir)
	return []string{dir, filepath.Join(up, "lib", "referent"), filepath.Join(up, "share", "referent"), cache}
}

// fontFolder is the first place with the font; without one, the cache.
func fontFolder(places []string, cache string) string {
	for _, place := range places {
		dir := filepath.Join(place, "fonts")
		if _, err := os.Stat(filepath.Join(dir, fallbackFont)); err == nil {
			return dir
		}
	}
	return filepath.Join(cache, "fonts")
}

// pdfModules is the first place with compiled modules of the PDF reader; empty:
// none was brought along, and the cache gets its own.
func pdfModules(brought []string) string {
	for _, place := range brought {
		dir := filepath.Join(place, "pdfium")
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}
