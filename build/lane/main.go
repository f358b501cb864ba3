package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	wanted, err := choose(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "lane:", err)
		os.Exit(2)
	}
	var passed, failed int
	var table, failures strings.Builder
	for o := range outcomes(ctx, wanted) {
		fmt.Printf("\n== %s: %s (budget %s)\n%s", o.name, o.about, o.budget, o.result.report())
		passed += o.result.passed
		failed += o.result.failed
		fmt.Fprintf(&table, "%-12s %5d passed %4d failed %4d skipped  %8s of %s%s\n",
			o.name, o.result.passed, o.result.failed, o.result.skipped, o.result.took.Round(100*time.Millisecond), o.budget, o.result.late(o.budget))
		failures.WriteString(o.result.summary(o.name))
	}
	fmt.Printf("\n%s%s", failures.String(), table.String())
	if ctx.Err() != nil {
		fmt.Println("stopped")
		failed++
	}
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		stop()
		os.Exit(1)
	}
}

// outcome is a lane that has ended.
type outcome struct {
	lane
	result *result
}

// outcomes runs lanes one after the other, and those that leave a core free
// beside them, and yields each as it ends. Once ctx is done no more begin.
func outcomes(ctx context.Context, wanted []lane) iter.Seq[outcome] {
	return func(yield func(outcome) bool) {
		ended := make(chan outcome)
		var wait sync.WaitGroup
		for _, l := range wanted {
			if l.beside {
				wait.Go(func() { ended <- begin(ctx, l) })
			}
		}
		wait.Go(func() {
			for _, l := range wanted {
				if !l.beside && ctx.Err() == nil {
					ended <- begin(ctx, l)
				}
			}
		})
		go func() {
			wait.Wait()
			close(ended)
		}()
		more := true
		for o := range ended {
			more = more && yield(o)
		}
	}
}

func begin(ctx context.Context, l lane) outcome {
	fmt.Printf("-- %s begins\n", l.name)
	return outcome{l, l.runIn(ctx)}
}

// choose turns names into lanes; a name of a group stands for its lanes.
func choose(names []string) ([]lane, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("name at least one lane or group")
	}
	var out []lane
	for _, name := range names {
		members, isGroup := groups[name]
		if !isGroup {
			members = []string{name}
		}
		for _, m := range members {
			l, ok := find(m)
			if !ok {
				return nil, fmt.Errorf("there is no lane %q", m)
			}
			out = append(out, l)
		}
	}
	return out, nil
}

func find(name string) (lane, bool) {
	for _, l := range lanes {
		if l.name == name {
			return l, true
		}
	}
	return lane{}, false
}
