package command

import (
	"strings"

	"github.com/spf13/cobra"

	"referent/rag"
)

func (t *terminal) search() *cobra.Command {
	var flags turnFlags
	c := &cobra.Command{Use: "search QUERY", Short: "Find passages without an answer", Args: atLeast(1, "a search text"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := question(args)
			if err != nil {
				return err
			}
			req, err := flags.request(cmd, q)
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			result, err := use.Search(cmd.Context(), req)
			if err != nil {
				return err
			}
			for _, n := range result.Notes {
				t.note("%s", n)
			}
			for _, step := range result.Prepared.Steps {
				t.showStep(step)
			}
			if t.verbose {
				t.note("%s", searched(result.Prepared))
			}
			if len(result.Hits) == 0 && !t.json {
				t.note("Nothing was found for %q.", result.Prepared.Searched())
			}
			for _, h := range result.Hits {
				if t.json {
					if err := t.line(h); err != nil {
						return err
					}
					continue
				}
				t.showHit(h)
			}
			return nil
		}}
	flags.register(c.Flags())
	return c
}

func (t *terminal) showHit(h rag.Hit) {
	t.print("%2d  %s\n", h.Rank, t.bold(printable(strings.Join(nonEmpty(h.Title, h.Heading, place(h.Locator)), ", "))))
	t.print("    %s\n", excerpt(h.Text, 200))
	t.print("    %s\n", t.dim(legs(h.Trace)+"  "+printable(h.Path)))
}

func legs(tr rag.Trace) string {
	one := func(name string, l *rag.Leg) string {
		if l == nil {
			return name + " none"
		}
		return name + " " + itoa(l.Rank)
	}
	s := one("bm25", tr.BM25) + "  " + one("dense", tr.Dense)
	if tr.Rerank != nil {
		s += "  " + one("rerank", tr.Rerank)
	}
	return s
}

func (t *terminal) prepare() *cobra.Command {
	var flags turnFlags
	c := &cobra.Command{Use: "prepare QUESTION", Short: "Show what would be searched, and why", Args: atLeast(1, "a question in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := question(args)
			if err != nil {
				return err
			}
			req, err := flags.request(cmd, q)
			if err != nil {
				return err
			}
			use, err := t.open(cmd.Context())
			if err != nil {
				return err
			}
			p, err := use.Prepare(cmd.Context(), req)
			if err != nil {
				return err
			}
			if t.json {
				return t.line(p)
			}
			for _, step := range p.Steps {
				t.showStep(step)
			}
			t.print("%s\n", printable(searched(p)))
			for _, w := range p.Warnings {
				t.note("%s", w)
			}
			return nil
		}}
	flags.register(c.Flags())
	return c
}

func nonEmpty(s ...string) []string {
	var out []string
	for _, v := range s {
		if strings.TrimSpace(v) != "" {
			out = append(out, v)
		}
	}
	return out
}
