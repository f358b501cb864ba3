package library

import "testing"

// A watch that says nothing is found by the comparison that comes with the
// time, and trusted again when it speaks.
func TestDeafWatchIsFoundAndHeardAgain(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler.\n")
	s.add("")
	s.sync()
	for _, dir := range s.watch.notify.WatchList() {
		s.ok(s.watch.notify.Remove(dir))
	}
	folder := func() (state, reason string) {
		st, err := s.Status(t.Context())
		s.ok(err)
		return st.Folders[0].State, st.Folders[0].Reason
	}
	s.clock.advance(reconcileAge)
	s.until("it was compared", func() bool { return s.roots.all()[0].age()-s.clock.Now().Sub(s.roots.all()[0].LastChecked) > 0 })
	if state, _ := folder(); state != "watching" {
		t.Fatalf("nothing changed, and it is %s", state)
	}
	for _, dir := range s.watch.notify.WatchList() {
		s.ok(s.watch.notify.Remove(dir))
	}
	s.write("a.txt", "The kettle is new.\n")
	s.clock.advance(reconcileAge)
	s.until("the change is found", s.finding("kettle", "a.txt"))
	if state, reason := folder(); state != "polling" || reason != "The system did not tell of changes in this folder. It is checked every 5 minutes." {
		t.Errorf("%s: %s", state, reason)
	}
	s.write("b.txt", "The lantern.\n") // the comparison watches it anew
	s.until("it is heard", s.finding("lantern", "b.txt"))
	s.clock.advance(pollAge)
	s.until("it is watched again", func() bool { state, reason := folder(); return state == "watching" && reason == "" })
}

// A watch that has died is found by the pulse, long before the next comparison.
func TestDeadWatchIsFoundWithinMinutes(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler.\n")
	s.write("deep/b.txt", "The lantern.\n")
	s.add("")
	s.sync()
	beat := func() {
		before := s.clock.Now()
		s.clock.advance(pulseAge)
		s.until("it has beaten", func() bool {
			s.watch.mu.Lock()
			defer s.watch.mu.Unlock()
			return s.watch.pulse.beaten.After(before)
		})
	}
	beat()
	s.write("heard.txt", "The rope.\n")
	s.until("a living watch tells", s.finding("rope", "heard.txt"))
	beat()
	beat()
	if state := s.roots.all()[0].State; state != "watching" {
		t.Fatalf("a living watch is taken for a dead one: %s", state)
	}
	for _, dir := range s.watch.notify.WatchList() {
		s.ok(s.watch.notify.Remove(dir))
	}
	s.write("new.txt", "The kettle.\n")
	beat()
	beat()
	s.until("the file is found", s.finding("kettle", "new.txt"))
	if r := s.roots.all()[0]; r.State != "polling" || r.Reason == "" {
		t.Errorf("the folder is %s: %s", r.State, r.Reason)
	}
}

func TestMoveAcrossRootsEmbedsNothing(t *testing.T) {
	s := newShelf(t)
	s.write("one/a.txt", "The boiler is warm.\n")
	s.write("one/deep/b.txt", "The boiler is cold.\n")
	s.write("one/stays.txt", "The anchor.\n")
	s.write("two/stays.txt", "The other anchor.\n")
	s.add("one")
	second := s.add("two")
	s.sync()
	reads, texts, a, b := s.reader.count(), s.embedder.count(), s.document("one/a.txt").ID, s.document("one/deep/b.txt").ID
	s.rename("one/a.txt", "two/in/a.txt")
	s.rename("one/deep", "two/deep")
	s.until("both are at their new places", func() bool {
		got := s.states()
		return len(got) == 4 && got["two/in/a.txt"] == "indexed" && got["two/deep/b.txt"] == "indexed" && len(s.finds("boiler")) == 2
	})
	for name, id := range map[string]int64{"two/in/a.txt": a, "two/deep/b.txt": b} {
		if d := s.document(name); d.ID != id || d.Folder != second.ID || d.Vectors != 1 {
			t.Errorf("%s: %+v, before %d", name, d, id)
		}
	}
	if s.reader.count() != reads || s.embedder.count() != texts {
		t.Errorf("it read %d files and embedded %d texts", s.reader.count()-reads, s.embedder.count()-texts)
	}
}

// Names that differ in case or in the form of their signs only are names of
// their own, and a rename from one to the other is a rename.
func TestCaseAndUnicodeFormOfNames(t *testing.T) {
	const composed, apart = "Caf\u00e9.txt", "Cafe\u0301.txt"
	s := newShelf(t)
	s.write("Letter.txt", "The boiler.\n")
	s.write("x/"+composed, "The kettle.\n")
	s.write("y/"+composed, "The lantern.\n")
	s.write("y/"+apart, "The candle.\n")
	s.add("")
	s.sync()
	if got := len(s.states()); got != 4 {
		t.Fatalf("%v", s.states())
	}
	reads, letter, cafe := s.reader.count(), s.document("Letter.txt").ID, s.document("x/"+composed).ID
	s.rename("Letter.txt", "letter.txt")
	s.rename("x/"+composed, "x/"+apart)
	s.until("they are found under their new names", func() bool {
		got := s.states()
		return len(got) == 4 && got["letter.txt"] == "indexed" && got["x/"+apart] == "indexed"
	})
	if s.document("letter.txt").ID != letter || s.document("x/"+apart).ID != cafe || s.reader.count() != reads {
		t.Errorf("read %v", s.reader.reads[reads:])
	}
}
