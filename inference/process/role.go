package process

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// roleFlag is the hidden first argument of a child.
const roleFlag = "--role="

// Dispatch runs the role that the first argument names, and ends the process
// with the code that it returns. Without such an argument it returns and the program goes on.
// An unknown role ends the process with code 2.
func Dispatch(roles map[string]func() int) {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], roleFlag) {
		return
	}
	word := strings.TrimPrefix(os.Args[1], roleFlag)
	run := roles[word]
	if run == nil {
		known := make([]string, 0, len(roles))
		for name := range roles {
			known = append(known, name)
		}
		slices.Sort(known)
		fmt.Fprintf(os.Stderr, "referent: there is no role %q; the roles are %s\n", word, strings.Join(known, ", "))
		os.Exit(2)
	}
	if err := prepareChild(word); err != nil {
		fmt.Fprintf(os.Stderr, "referent: the role %q could not be set up: %v\n", word, err)
		os.Exit(2)
	}
	os.Exit(run())
}

// Args returns the arguments behind the role word.
func Args() []string {
	if len(os.Args) < 3 {
		return nil
	}
	return os.Args[2:]
}

// Stdio returns the two ends that a role talks through. Dispatch has made sure
// that nothing else writes to the second one: what a C library prints goes to
// the error output.
func Stdio() (in, out *os.File) { return os.Stdin, os.Stdout }

// TestMain gives a test binary roles, so that tests start themselves as
// children. It takes *testing.M and never returns.
func TestMain(m interface{ Run() int }, roles map[string]func() int) {
	Dispatch(roles)
	if _, set := os.LookupEnv("GORACE"); !set {
		os.Setenv("GORACE", "atexit_sleep_ms=0") // for the children: with the race detector each would sleep a second at its end
	}
	os.Exit(m.Run())
}
