package chats

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

const writerEnv = "REFERENT_TEST_CHATS_WRITER"

// TestMain makes this binary the writer that TestP63_KilledWriter kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := talkForEver(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// talkForEver stores turns in one conversation and acknowledges the number of
// each on stdout. Turn n has n%5 passages.
func talkForEver(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	all, err := s.Conversations(ctx, 1, 0)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		c, err := s.CreateConversation(ctx, Conversation{Title: "T"})
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	for n := all[0].Turns + 1; ; n++ {
		t := Turn{Conversation: all[0].ID, Question: fmt.Sprint("question ", n), Answer: fmt.Sprint("answer ", n)}
		for i := range n % 5 {
			t.Evidence = append(t.Evidence, Evidence{Rank: i + 1, Text: fmt.Sprint("passage ", n)})
		}
		if _, err := s.SaveTurn(ctx, t); err != nil {
			return err
		}
		if _, err := fmt.Println(n); err != nil {
			return err
		}
	}
}

func TestP63_KilledWriter(t *testing.T) {
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	for range kills {
		acknowledged := killTalker(t, dir)
		checkTurns(t, dir, acknowledged)
	}
}

// killTalker returns the last turn that the writer acknowledged.
func killTalker(t *testing.T, dir string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), writerEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if last == 0 { // the clock starts when it writes
			timer := time.AfterFunc(time.Duration(rand.IntN(150))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
		}
		if n, err := strconv.Atoi(lines.Text()); err == nil {
			last = n
		}
	}
	_ = cmd.Wait() // killed, as it should be
	if last == 0 {
		t.Fatal("the writer acknowledged nothing")
	}
	return last
}

func checkTurns(t *testing.T, dir string, acknowledged int) {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := s.Conversations(t.Context(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := s.Turns(t.Context(), all[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(turns) < acknowledged || len(turns) > acknowledged+1 { // one may have been stored and not told
		t.Errorf("%d turns, %d acknowledged", len(turns), acknowledged)
	}
	for i, turn := range turns {
		n := i + 1
		if turn.Ordinal != n || turn.Question != fmt.Sprint("question ", n) || turn.Answer != fmt.Sprint("answer ", n) || len(turn.Evidence) != n%5 {
			t.Errorf("turn %d is not whole: %+v", n, turn)
		}
		if found, err := s.Search(t.Context(), turn.Question); err != nil || len(found) == 0 {
			t.Errorf("turn %d is not in the words: %v", n, err)
		}
	}
}
