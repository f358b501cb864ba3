package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
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
	for _, l := range wanted {
		fmt.Printf("\n== %s: %s (budget %s)\n", l.name, l.about, l.budget)
		r := l.runIn(ctx)
		passed += r.passed
		failed += r.failed
		fmt.Print(r.report())
		fmt.Fprintf(&table, "%-12s %5d passed %4d failed %4d skipped  %8s of %s%s\n",
			l.name, r.passed, r.failed, r.skipped, r.took.Round(100*time.Millisecond), l.budget, r.late(l.budget))
		failures.WriteString(r.summary(l.name))
		if ctx.Err() != nil {
			break
		}
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
