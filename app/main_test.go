package app_test

import (
	"testing"

	"referent/inference/process"
	parse "referent/rag/extract/worker"
)

// roles are what this test binary becomes when it is started as a child; the
// tests on real models add theirs.
var roles = map[string]func() int{parse.Role: parse.Run}

// before runs ahead of the tests; it may run them in another process and exit.
var before []func()

// atEnd closes what several tests share.
var atEnd []func()

func TestMain(m *testing.M) { process.TestMain(program{m}, roles) }

// program runs the tests and then closes what they shared.
type program struct{ m *testing.M }

func (p program) Run() int {
	for _, f := range before {
		f()
	}
	code := p.m.Run()
	for _, end := range atEnd {
		end()
	}
	return code
}
