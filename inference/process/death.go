package process

import (
	"fmt"
	"os"
)

// DeathKind is how a child ended.
type DeathKind string

// The closed list of ends.
const (
	DeathExit    DeathKind = "exit"    // by itself, with a code
	DeathSignal  DeathKind = "signal"  // by a signal that we did not send
	DeathKilled  DeathKind = "killed"  // by Kill or the end of the context
	DeathMemory  DeathKind = "memory"  // by its memory cap
	DeathHang    DeathKind = "hang"    // by a supervisor that saw no progress
	DeathGarbage DeathKind = "garbage" // by a reader that got no frames
)

// Death tells how a child ended. As an error it is for the log.
type Death struct {
	Kind   DeathKind
	Code   int    // exit code; -1 after a signal
	Signal string // name of the signal, DeathSignal only
	Stderr string // end of the error output, scrubbed
}

// Error names the kind and its number.
func (d *Death) Error() string {
	switch d.Kind {
	case DeathExit:
		return fmt.Sprintf("the child process ended with code %d", d.Code)
	case DeathSignal:
		return "the child process was ended by the signal " + d.Signal
	case DeathMemory:
		return "the child process reached its memory cap"
	case DeathHang:
		return "the child process made no progress"
	case DeathGarbage:
		return "the child process wrote something that is no message"
	}
	return "the child process was stopped"
}

func deathOf(state *os.ProcessState, cause DeathKind) Death {
	if state == nil {
		return Death{Kind: DeathKilled, Code: -1}
	}
	d := Death{Kind: DeathExit, Code: state.ExitCode()}
	switch signal := signalOf(state); {
	case cause != "" && !state.Success():
		d.Kind = cause
	case signal != "":
		d.Kind, d.Signal = DeathSignal, signal
	}
	return d
}
