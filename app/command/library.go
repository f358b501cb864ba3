package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"referent/app"
	"referent/rag"
)

func (t *terminal) add() *cobra.Command {
	var req app.AddRequest
	var protected, yes, report bool
	c := &cobra.Command{Use: "add PATH…", Short: "Add folders, which are watched, or files", Args: atLeast(1, "one or more folders or files"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := mustExist(args); err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			if req.Paths, err = fromHere(args...); err != nil {
				return err
			}
			if protected {
				if req.Password, err = t.readPassword(); err != nil {
					return err
				}
			}
			plan, err := use.PlanAdd(cmd.Context(), req)
			if err != nil {
				return err
			}
			if plan.Long {
				if ok, err := t.agreed(plan.Sentence, yes); !ok || err != nil {
					return err
				}
			}
			if err := t.addAndSync(cmd.Context(), use, req); err != nil {
				return err
			}
			if report {
				return t.showIngest(cmd.Context(), use)
			}
			return t.showStatus(cmd.Context(), use, false)
		}}
	c.Flags().StringVar(&req.Collection, "collection", "", "put them into this collection; made if missing")
	c.Flags().BoolVar(&req.Restricted, "restricted", false, "list and show them, but never search them")
	c.Flags().StringArrayVar(&req.Exclude, "exclude", nil, "leave out what matches, as in .gitignore")
	c.Flags().BoolVar(&protected, "password", false, "read the password of a protected file from the first line of the input")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask, however long it takes")
	c.Flags().BoolVar(&report, "report", false, reportHelp)
	return c
}

const reportHelp = "say how fast the files were read, and where the time went"

// agreed shows what work would cost and asks whether to begin. Without a
// terminal nobody can be asked: what was ordered is done.
func (t *terminal) agreed(cost string, yes bool) (bool, error) {
	t.note("%s", printable(cost))
	if yes || !t.Terminal {
		return true, nil
	}
	t.note("Begin? Type yes, then Enter:")
	line, err := bufio.NewReader(t.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer == "yes" || answer == "y" {
		return true, nil
	}
	t.note("Nothing was begun.")
	return false, nil
}

// readPassword takes one line of the input: a command line would show the
// password to everyone who lists processes.
func (t *terminal) readPassword() (string, error) {
	if t.Terminal {
		t.note("The password of the file, then Enter:")
	}
	line, err := bufio.NewReader(t.Stdin).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		if err == nil || errors.Is(err, io.EOF) {
			return "", wrongUsage("--password reads the password from the input, and the input is empty.")
		}
		return "", err
	}
	return line, nil
}

func (t *terminal) remove() *cobra.Command {
	var req app.RemoveRequest
	c := &cobra.Command{Use: "remove PATH…", Short: "Take folders or files out of the library; files on disk stay", Args: atLeast(1, "one or more folders or files"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			var err error
			if req.Paths, err = fromHere(args...); err != nil {
				return err
			}
			return use.Remove(ctx, req)
		})}
	c.Flags().BoolVar(&req.Forget, "forget", false, "also erase the passages that old answers have stored, and what rests on them in own tests and their runs")
	return c
}

// indexModel builds the index of another search model, once a person agrees.
func (t *terminal) indexModel() *cobra.Command {
	var yes bool
	c := &cobra.Command{Use: "model", Short: "Build the index for the search model that the settings name", Args: exactly(0, "no arguments"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			plan, err := use.PlanEmbedder(ctx)
			if err != nil || t.json && !yes {
				return errors.Join(err, t.line(plan))
			}
			if plan.To == "" {
				t.note("%s", cmp.Or(string(plan.Sentence), "The search index is made with the model that the settings name."))
				return nil
			}
			cost := fmt.Sprintf("%s in place of %s: %d of %d passages have to be read by it", plan.To, plan.From, plan.Passages-plan.Done, plan.Passages)
			if plan.Seconds > 0 {
				cost += ", about " + about(plan.Seconds)
			}
			t.note("%s", printable(string(plan.Sentence)))
			if ok, err := t.agreed(cost+".", yes); !ok || err != nil {
				return err
			}
			var last time.Time
			err = use.BuildEmbedder(ctx, func(p app.EmbedPlan) {
				if time.Since(last) >= 3*time.Second {
					last = time.Now()
					t.note("%d of %d passages.", p.Done, p.Passages)
				}
			})
			if err == nil {
				t.note("The new search index has taken over.")
			}
			return err
		})}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask, however long it takes")
	return c
}

// showIngest says how fast files were read, and where the time went.
func (t *terminal) showIngest(ctx context.Context, use app.UseCases) error {
	r, err := use.IngestReport(ctx)
	if err != nil {
		return err
	}
	if t.json {
		return t.line(r)
	}
	if r.Files == 0 {
		t.print("No file had to be read.\n")
		return nil
	}
	t.print("%d files (%d pages of PDF files, %d passages) in %.1f s: %.1f files a second.\n", r.Files, r.Pages, r.Passages, r.Seconds, r.FilesPerSecond)
	for _, stage := range []struct {
		name    string
		seconds float64
	}{{"parse", r.Parse}, {"chunk", r.Chunk}, {"write", r.Write}, {"other", r.Other}, {"embed", r.Embed}} {
		t.print("  %-6s %8.2f s\n", stage.name, stage.seconds)
	}
	t.print("Files are embedded while others are read, so the stages may add up to more than the whole.\n")
	return nil
}

func (t *terminal) status() *cobra.Command {
	var files bool
	c := &cobra.Command{Use: "status", Short: "Folders, counts, and failures with their reason", Args: exactly(0, "no arguments"),
		RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			return t.showStatus(ctx, use, files)
		})}
	c.Flags().BoolVar(&files, "files", false, "one line a file")
	return c
}

// allFiles reads the whole ledger, page by page.
func allFiles(ctx context.Context, use app.UseCases) ([]app.File, error) {
	var out []app.File
	for {
		page, err := use.Files(ctx, app.FilesRequest{Offset: len(out), Limit: 1000})
		if err != nil {
			return nil, err
		}
		out = append(out, page.Files...)
		if len(page.Files) == 0 || len(out) >= page.Total {
			return out, nil
		}
	}
}

func (t *terminal) showStatus(ctx context.Context, use app.UseCases, everyFile bool) error {
	library, err := use.Library(ctx)
	if err != nil {
		return err
	}
	files, err := allFiles(ctx, use)
	if err != nil {
		return err
	}
	if t.json {
		return t.line(struct {
			app.Library
			Files []app.File `json:"files"`
		}{library, files})
	}
	if len(library.Folders) == 0 {
		t.print("The library is empty. `referent add FOLDER` adds a folder.\n")
		return nil
	}
	for _, f := range library.Folders {
		t.print("%s\n", t.bold(printable(f.Path)))
		line := []string{f.State, itoa(f.Indexed) + " read"}
		if f.Waiting > 0 {
			line = append(line, itoa(f.Waiting)+" waiting")
		}
		if f.Failed > 0 {
			line = append(line, itoa(f.Failed)+" not read")
		}
		if f.Label == string(rag.LabelRestricted) {
			line = append(line, "restricted")
		}
		t.print("  %s\n", strings.Join(line, ", "))
		if f.Reason != "" {
			t.print("  %s\n", f.Reason)
		}
	}
	if line := meaningNote(library.Progress); line != "" {
		t.print("%s\n", line)
	}
	if plan, err := use.PlanRecut(ctx); err != nil {
		return err
	} else if plan.Files > 0 {
		defer t.note("Files that an earlier version of the program has read: %d. `referent index recut` says what reading them anew costs, and does it.", plan.Files)
	}
	if slices.ContainsFunc(files, func(f app.File) bool { return f.Status == rag.FileNeedsPassword }) {
		defer t.note("`referent sync retry FILE --password` takes the password of a file from the input.")
	}
	for _, f := range files {
		encoding := encodingNote(f)
		read := f.Status == rag.FileIndexed && f.Reason == "" && encoding == ""
		if !everyFile && read {
			continue
		}
		t.print("  %-22s %s\n", statusWords[f.Status], printable(f.Path))
		if f.Reason != "" {
			t.print("  %-22s %s\n", "", printable(string(f.Reason)))
		}
		if encoding != "" {
			t.print("  %-22s %s\n", "", encoding)
		}
	}
	return nil
}

func (t *terminal) collections() *cobra.Command {
	oneOf := func(what, value string, allowed ...string) error {
		if !slices.Contains(allowed, value) {
			return wrongUsage("The %s %q does not exist. It is one of: %s.", what, value, strings.Join(allowed, ", "))
		}
		return nil
	}
	pin := func(name string, pinned bool) *cobra.Command {
		return &cobra.Command{Use: name + " CHUNK", Short: "Keep a passage verbatim, or no longer", Args: exactly(1, "the number of a chunk"),
			RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
				id, err := number(args[0])
				if err != nil {
					return err
				}
				return use.Pin(ctx, id, pinned)
			})}
	}
	return group("collections", "Collections, labels, classes and pins",
		&cobra.Command{Use: "list", Short: "List the collections", Args: exactly(0, "no arguments"), RunE: t.with(func(ctx context.Context, use app.UseCases, _ []string) error {
			all, err := use.Collections(ctx)
			if err != nil {
				return err
			}
			if len(all) == 0 && !t.json {
				t.note("No collections yet. `referent collections create NAME` makes one.")
			}
			for _, c := range all {
				if t.json {
					if err := t.line(c); err != nil {
						return err
					}
					continue
				}
				t.print("%s%s\n", printable(c.Name), map[bool]string{true: "  (restricted)"}[c.Label == string(rag.LabelRestricted)])
			}
			return nil
		})},
		&cobra.Command{Use: "create NAME", Short: "Make a collection", Args: exactly(1, "a name"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			_, err := use.CreateCollection(ctx, args[0], string(rag.LabelPublic))
			return err
		})},
		&cobra.Command{Use: "rename NAME NEW", Short: "Rename a collection", Args: exactly(2, "the name and the new name"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			return use.RenameCollection(ctx, args[0], args[1])
		})},
		&cobra.Command{Use: "delete NAME", Short: "Delete a collection; its files stay in the library", Args: exactly(1, "a name"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			return use.DeleteCollection(ctx, args[0])
		})},
		&cobra.Command{Use: "label PATH LABEL", Short: "Set a label: public or restricted", Args: exactly(2, "a path and public or restricted"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
			if err := oneOf("label", args[1], "public", "restricted"); err != nil {
				return err
			}
			place, err := labelled(ctx, use, args[0])
			if err != nil {
				return err
			}
			return use.SetLabel(ctx, place, args[1])
		})},
		&cobra.Command{Use: "class PATH CLASS", Short: "Set a class: fact, snapshot, transient or unknown; of a folder, a file, or a passage by its number",
			Args: exactly(2, "a path or the number of a passage, and a class"), RunE: t.with(func(ctx context.Context, use app.UseCases, args []string) error {
				if err := oneOf("class", args[1], "fact", "snapshot", "transient", "unknown"); err != nil {
					return err
				}
				if id, err := number(args[0]); err == nil && mustExist(args[:1]) != nil {
					return use.SetPassageClass(ctx, id, args[1])
				}
				place, err := fromHere(args[0])
				if err != nil {
					return err
				}
				return use.SetClass(ctx, place[0], args[1])
			})},
		pin("pin", true), pin("unpin", false))
}

// labelled is what a label is for: a collection of that name, or else a path.
func labelled(ctx context.Context, use app.UseCases, name string) (string, error) {
	all, err := use.Collections(ctx)
	if err != nil || slices.ContainsFunc(all, func(c app.Collection) bool { return c.Name == name }) {
		return name, err
	}
	if !strings.ContainsAny(name, `/\`) && mustExist([]string{name}) != nil {
		return name, nil // neither: what it is not is said by whoever looks for it
	}
	place, err := fromHere(name)
	if err != nil {
		return "", err
	}
	return place[0], nil
}
