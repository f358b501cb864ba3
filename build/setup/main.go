package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// step does one thing and says what it found or did in a few words.
type step struct {
	name string
	run  func(ctx context.Context, s *site) (string, error)
}

var steps = []step{
	{"system", func(ctx context.Context, s *site) (string, error) { return installPackages(ctx, s, buildPackages) }},
	{"system-test", func(ctx context.Context, s *site) (string, error) { return installPackages(ctx, s, testPackages()) }},
	{"system-package", func(ctx context.Context, s *site) (string, error) { return installPackages(ctx, s, packagePackages) }},
	{"runtime", installRuntime},
	{"models", func(ctx context.Context, s *site) (string, error) { return installModels(ctx, s, starterModels) }},
	{"extra-models", func(ctx context.Context, s *site) (string, error) { return installModels(ctx, s, extraModels) }},
	{"fonts", installFonts},
	{"pdfium", warmPDF},
	{"pdfium-test", warmPDFForTests},
	{"bindings", generateBindings},
	{"frontend", buildFrontend},
	{"clients", installClients},
	{"cuda-pack", installCUDA},
	{"remove-cache", removeCache},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "setup:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	s, err := openSite()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("name at least one step: " + stepNames())
	}
	for _, name := range names {
		st, ok := findStep(name)
		if !ok {
			return fmt.Errorf("there is no step %q. The steps are %s", name, stepNames())
		}
		started := time.Now()
		said, err := st.run(ctx, s)
		if ctx.Err() != nil {
			return errors.New("stopped. Run the same command again to go on")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s.out.line(name, "%s (%.1f s)", said, time.Since(started).Seconds())
	}
	return nil
}

func findStep(name string) (step, bool) {
	for _, st := range steps {
		if st.name == name {
			return st, true
		}
	}
	return step{}, false
}

func stepNames() string {
	var names []string
	for _, st := range steps {
		names = append(names, st.name)
	}
	return strings.Join(names, ", ")
}
