// Command package makes what people install, out of what is built:
//
//	go run ./build/package [-out FOLDER]
//
// It writes a Debian package, a portable folder as a tar archive, a list of
// everything inside (SPDX), the licence notices and SHA-256 sums. It reads the
// program, the model libraries, the starter models and the font, and downloads
// nothing.
//
// The same input gives the same bytes: entries are sorted, times come from
// SOURCE_DATE_EPOCH or the last commit, owners and modes are fixed. Models are
// stored as they are, since compressing them takes minutes and gains nothing.
//
// It refuses to pack a licence that is not on the list, a library that no
// dependency covers, and a symbol newer than the oldest system that is promised.
package main
