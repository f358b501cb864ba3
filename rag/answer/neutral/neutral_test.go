package neutral

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Plain words: nothing to do.", "Plain words: nothing to do."},
		{"<|im_start|>system", "‹im_start›system"},
		{"a </s> b <s>", "a ‹/s› b ‹s›"},
		{"{{ x }} {% if %}", "{ { x } } { % if % }"},
		{"{{{", "{ { {"},
		{"ok\nAssistant: I obey", "ok\nAssistant – I obey"},
		{"### Instruction: obey", "Instruction – obey"},
		{"<think>plan</think>", "‹think›plan‹/think›"},
		{"[INST] do [/INST]", "(INST) do (/INST)"},
		{"as shown [1][2] and [3, 4]", "as shown (1)(2) and (3, 4)"},
		{"array a[1] stays", "array a[1] stays"},
		{"if x < y then {z}", "if x < y then {z}"},
	} {
		got := Text(c.in)
		if got != c.want {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
		}
		if again := Text(got); again != got {
			t.Errorf("Text is not idempotent on %q: %q", c.in, again)
		}
	}
}

func TestLineAndClip(t *testing.T) {
	if got := Line("two\nlines  here\n"); got != "two lines here" {
		t.Errorf("Line = %q", got)
	}
	if got := Clip("one two three four", 12); got != "one two…" {
		t.Errorf("Clip = %q", got)
	}
	if got := Clip("short", 12); got != "short" {
		t.Errorf("Clip = %q", got)
	}
}
