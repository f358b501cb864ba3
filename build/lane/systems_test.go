package main

import (
	"slices"
	"testing"
)

func TestWithoutC_LeavesWhatNeitherThePackageNorItsTestsReachInC(t *testing.T) {
	got := withoutC(`referent/pure fmt strings
referent/storage database/sql github.com/mattn/go-sqlite3
referent/storage/chats referent/storage
referent/stores referent/storage/chats
referent/tested fmt referent/pure referent/stores
referent/testsofit referent/tested
referent/user referent/pure
`)
	if want := []string{"referent/pure", "referent/user"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
