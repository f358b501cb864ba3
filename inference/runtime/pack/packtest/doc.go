// Package packtest is a server for tests of programs that download a pack. It has
// one archive, with a file that has the name of one of the pack's libraries and is
// none. It can hold its first answer back in the middle.
package packtest
