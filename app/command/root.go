package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"referent/app"
	"referent/rag"
)

// Session is the use cases of one data folder, to be closed at the end.
type Session interface {
	app.UseCases
	Close() error
}

// Env is the world of a command: everything that main decides.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Terminal       bool // stderr is a terminal: bars are welcome
	Color          bool // stdout is a terminal that shows styles
	Version        string
	DataDir        func() (string, error) // default folder
	Open           func(ctx context.Context, dir string) (Session, error)
	// Extract reads a file without any data folder.
	Extract func(ctx context.Context, path string) (rag.Extraction, error)
	// Serve answers other programs until ctx is done.
	Serve Serving
	// Update looks for a newer version.
	Update UpdateCheck
}

// terminal holds the flags of every command and the open session.
type terminal struct {
	Env
	data    string
	json    bool
	verbose bool
	quiet   bool
	noColor bool
	session Session
	stopped string // what an interrupt leaves; empty: nothing
}

// Run executes one command line and returns the exit code. It prints the
// sentence of a failure itself.
func Run(ctx context.Context, args []string, env Env) int {
	t := &terminal{Env: env}
	root := t.root()
	root.SetArgs(append([]string{}, args...)) // nil would be the arguments of the process
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	err := root.ExecuteContext(ctx)
	if t.session != nil {
		err = errors.Join(err, t.session.Close())
	}
	if err != nil && ctx.Err() != nil {
		err = context.Canceled // whatever the failing call made of the interrupt
	}
	switch {
	case err == nil, errors.Is(err, errRefused):
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintln(env.Stderr, "Stopped. "+cmp.Or(t.stopped, "Nothing was stored."))
	default:
		_, _ = fmt.Fprintln(env.Stderr, Sentence(err))
	}
	return exitCode(err)
}

func (t *terminal) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "referent",
		Short:         "Answers questions from your own documents, on this computer, offline",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       t.Version,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := "`referent --help` lists the commands."
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "Did you mean `referent " + strings.Join(near, "` or `referent ") + "`?"
			}
			return wrongUsage("There is no command %q. %s", args[0], hint)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.HiddenDefaultCmd = true
	f := root.PersistentFlags()
	f.StringVar(&t.data, "data", "", "data folder (default: the platform's, or REFERENT_DATA)")
	f.BoolVar(&t.json, "json", false, "print JSON, one object a line")
	f.BoolVar(&t.verbose, "verbose", false, "print the stages of a turn on stderr")
	f.BoolVar(&t.quiet, "quiet", false, "print the result only")
	f.BoolVar(&t.noColor, "no-color", false, "no colours")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongUsage("%s. `%s --help` lists the flags.", flagProblem(err), cmd.CommandPath())
	})
	root.AddCommand(t.ask(), t.chat(), t.search(), t.prepare(), t.add(), t.remove(), t.sync(), t.extract(), t.status(),
		t.collections(), t.tags(), t.models(), t.runtime(), t.settings(), t.conversations(), t.runs(), t.doctor(), t.index(), t.backup(), t.restore(), t.serve(), t.eval(), t.demo(), t.update())
	return root
}

// flagProblem says in our words what is wrong with a flag.
func flagProblem(err error) string {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		f := value.GetFlag()
		kind, ok := map[string]string{"int": "a whole number", "int64": "a whole number", "float64": "a number", "bool": "true or false"}[f.Value.Type()]
		if !ok {
			kind = "another value"
		}
		return fmt.Sprintf("--%s takes %s, not %q", f.Name, kind, value.GetValue())
	}
	return capital(err.Error())
}

// open returns the use cases, opening the data folder at the first call.
func (t *terminal) open(ctx context.Context) (app.UseCases, error) {
	if t.session != nil {
		return t.session, nil
	}
	dir, err := t.folder()
	if err != nil {
		return nil, err
	}
	s, err := t.Env.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	t.session = s
	return s, nil
}

// with makes the body of a command that needs the use cases from its start.
func (t *terminal) with(run func(ctx context.Context, use app.UseCases, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		use, err := t.open(cmd.Context())
		if err != nil {
			return err
		}
		return run(cmd.Context(), use, args)
	}
}

// exactly checks the number of arguments with a sentence of our own.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return wrongUsage("`%s` takes %s.", cmd.CommandPath(), what)
		}
		return nil
	}
}

func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return wrongUsage("`%s` takes %s.", cmd.CommandPath(), what)
		}
		return nil
	}
}

// group is a command that only holds others.
func group(use, short string, children ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		var names []string
		for _, child := range cmd.Commands() {
			if !child.Hidden {
				names = append(names, child.Name())
			}
		}
		if len(args) > 0 {
			return wrongUsage("`%s` has no %q. It has: %s.", cmd.CommandPath(), args[0], strings.Join(names, ", "))
		}
		return wrongUsage("`%s` needs one of: %s.", cmd.CommandPath(), strings.Join(names, ", "))
	}}
	c.AddCommand(children...)
	return c
}
