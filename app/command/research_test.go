package command

import (
	"strings"
	"testing"
)

func TestP44_TheStepsOfResearchAreShown(t *testing.T) {
	d := newDesk(t)
	d.ok("add", d.docs)
	d.ok("sync")
	for _, command := range []string{"ask", "search", "prepare"} {
		o := d.run(command, howLong, "--engine", "research", "--verbose")
		if want := `step 1: search {"query":"How long is the Harlow Bridge?"}, `; o.code != 0 || strings.Count(o.stderr, want) != 1 {
			t.Errorf("%s ended with %d and says\n%s", command, o.code, o.stderr)
		}
		if o := d.run(command, howLong, "--engine", "research"); strings.Contains(o.stderr+o.stdout, "step 1") {
			t.Errorf("%s tells the steps unasked:\n%s", command, o.stderr)
		}
	}
	var own strings.Builder // what only research has
	for line := range strings.Lines(d.ok("ask", howLong, "--engine", "research", "--json")) {
		if strings.HasPrefix(line, `{"event":"step"`) || strings.HasPrefix(line, `{"event":"prepared"`) {
			own.WriteString(line)
		}
	}
	expectFields(t, "research", own.String())
}
