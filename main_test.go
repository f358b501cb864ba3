package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"referent/app"
	"referent/app/command"
	"referent/app/owner"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/fake"
	"referent/inference/process"
	"referent/inference/runtime"
	"referent/inference/worker"
	"referent/rag"
	"referent/rag/extract"
	parse "referent/rag/extract/worker"
)

// commandRole runs a command line of the program in a child, with fake models
// in its owner; everything else is as in main.
const commandRole = "command"

func TestMain(m *testing.M) {
	process.TestMain(m, map[string]func() int{
		worker.RoleName: worker.Role(newModelHost),
		parse.Role:      parse.Run,
		runtime.Role:    runtime.ProbeRole,
		commandRole:     runCommand,
	})
}

// runCommand is main for a command, on fake models that take a moment for each
// token, so that a kill can come in the middle.
func runCommand() int {
	in, out := process.Stdio()
	return command.Run(context.Background(), process.Args(), command.Env{
		Stdin: in, Stdout: out, Stderr: os.Stderr, Version: version, DataDir: app.DefaultDataDir, Extract: app.ExtractFile,
		Open: func(ctx context.Context, dir string) (command.Session, error) {
			return owner.Open(ctx, owner.Options{Dir: dir, Version: version, Front: owner.FrontCommand, Log: app.Log,
				Start: func(ctx context.Context) (owner.Closer, error) {
					host := fake.New(fake.Config{Step: slowly})
					for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleCondense, inference.RoleEmbed} {
						spec := fake.Spec(role)
						if e, ok := catalogue.Starter(role); ok {
							spec.Hash = e.SHA256
						}
						if _, err := host.Load(ctx, spec, nil); err != nil {
							return nil, err
						}
					}
					return app.Open(ctx, app.Config{DataDir: dir, CacheDir: filepath.Join(dir, "cache"), Version: version, Host: host,
						Extract: func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
							return extract.File(ctx, path, extract.Options{Password: file.Password, Encoding: file.Encoding})
						}})
				}})
		},
	})
}

// slowly takes a millisecond for each token.
func slowly(ctx context.Context, s fake.Step) error {
	if s.Phase != fake.PhaseDecode {
		return ctx.Err()
	}
	pause := time.NewTimer(time.Millisecond)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-pause.C:
		return nil
	}
}

// child is a command in a process of its own.
type child struct {
	*exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

func start(t *testing.T, data string, args ...string) child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := child{Cmd: exec.CommandContext(t.Context(), exe, append([]string{"--role=" + commandRole, "--data", data}, args...)...)}
	c.Stderr = os.Stderr
	if c.out, err = c.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.in.Close()
		_ = c.Process.Kill() // it has ended, unless the test failed
	})
	return c
}

// run runs a command to its end and returns its result.
func run(t *testing.T, data string, args ...string) string {
	t.Helper()
	c := start(t, data, args...)
	body, err := io.ReadAll(c.out)
	if err = errors.Join(err, c.Wait()); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, body)
	}
	return string(body)
}

// library makes a small folder and a data folder that has read it.
func library(t *testing.T) (data string) {
	t.Helper()
	docs := t.TempDir()
	text := "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long, it carries two tracks and a footpath, and it was opened in 1932 by the mayor.\n"
	path := filepath.Join(docs, "bridge.md")
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
	data = filepath.Join(t.TempDir(), "data")
	run(t, data, "add", docs, "--quiet")
	return data
}

// conversation is what `conversations show --json` prints.
type conversation struct {
	Conversation struct{ ID, Turns int64 }
	Turns        []struct {
		Question  string
		Done      struct{ Answer string }
		Retrieval struct{ Hits []json.RawMessage }
	}
}

// stored reads every conversation and fails on anything that is not whole.
func stored(t *testing.T, data, question string) (turns int) {
	t.Helper()
	for line := range strings.Lines(run(t, data, "conversations", "list", "--json")) {
		var c struct{ ID int64 }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		var whole conversation
		if err := json.Unmarshal([]byte(run(t, data, "conversations", "show", strconv.FormatInt(c.ID, 10), "--json")), &whole); err != nil {
			t.Fatal(err)
		}
		if len(whole.Turns) == 0 {
			t.Errorf("conversation %d is empty: its question was stored without an answer", c.ID)
		}
		for _, turn := range whole.Turns {
			turns++
			if turn.Question != question || !strings.HasSuffix(turn.Done.Answer, "[1]") || len(turn.Retrieval.Hits) == 0 {
				t.Errorf("half a turn: %+v", turn)
			}
		}
	}
	return turns
}

func TestP63_KillingTheOwnerLeavesNoHalfTurn(t *testing.T) {
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil {
		kills = n
	}
	data := library(t)
	const question = "How long is the Harlow Bridge, and when was it opened?"
	began := time.Now()
	run(t, data, "ask", question, "--quiet")
	whole := time.Since(began)
	turns := stored(t, data, question)
	if turns != 1 {
		t.Fatalf("%d turns after one question", turns)
	}
	for range kills {
		c := start(t, data, "ask", question, "--json")
		done := make(chan bool, 1)
		go func() {
			body, _ := io.ReadAll(c.out) // cut short by the kill
			done <- bytes.Contains(body, []byte(`{"event":"done"`))
		}()
		timer := time.NewTimer(rand.N(whole))
		<-timer.C
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		shown := <-done
		_ = c.Wait() // it was killed
		now := stored(t, data, question)
		if now < turns || now > turns+1 || shown && now == turns {
			t.Errorf("%d turns before, %d after; the answer was shown: %v", turns, now, shown)
		}
		turns = now
	}
	run(t, data, "ask", question, "--quiet")
	if now := stored(t, data, question); now != turns+1 {
		t.Errorf("the next question was not stored: %d, %d", turns, now)
	}
}

func TestOwner_ASecondProcessIsAClientOfTheFirst(t *testing.T) {
	data := library(t)
	first := start(t, data, "chat", "--quiet")
	lines := bufio.NewScanner(first.out)
	ask := func() {
		t.Helper()
		if _, err := io.WriteString(first.in, "How long is the Harlow Bridge?\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), "320 metres") {
			t.Fatalf("the first process says %q, %v", lines.Text(), lines.Err())
		}
		lines.Scan() // the blank line behind an answer
	}
	ask() // it holds the folder now
	if got := run(t, data, "ask", "How long is the Harlow Bridge?", "--quiet"); !strings.Contains(got, "320 metres") {
		t.Errorf("the client is answered %q", got)
	}
	if n := stored(t, data, "How long is the Harlow Bridge?"); n != 1 {
		t.Errorf("%d turns; the client's is stored by the owner", n)
	}
	ask() // the owner lives on
	if _, err := io.WriteString(first.in, ":quit\n"); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("the first process: %v", err)
	}
	if got := run(t, data, "ask", "How long is the Harlow Bridge?", "--quiet"); !strings.Contains(got, "320 metres") {
		t.Errorf("after the owner's end: %q", got)
	}
}

// The session of an assistant outlives the window beside which it began.
func TestServe_MCPGoesOnWhenTheWindowCloses(t *testing.T) {
	t.Setenv("REFERENT_CACHE", t.TempDir())
	dir := filepath.Join(t.TempDir(), "data")
	window, err := owner.Open(t.Context(), owner.Options{Dir: dir, Version: version, Front: owner.FrontWindow,
		Start: func(ctx context.Context) (owner.Closer, error) {
			return app.Open(ctx, app.Config{DataDir: dir, Version: version, Host: fake.New(fake.Config{})})
		}})
	if err != nil {
		t.Fatal(err)
	}
	in, fromClient := io.Pipe()
	toClient, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- serve(context.Background(), dir, command.ServeOptions{MCP: true, In: in, Out: out})
		_ = out.Close()
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	works := func() bool {
		t.Helper()
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_documents"})
		if err != nil {
			t.Fatal(err)
		}
		return !r.IsError
	}
	if !works() {
		t.Error("it does not answer beside the window")
	}
	if err := window.Close(); err != nil {
		t.Fatal(err)
	}
	guard := time.After(60 * time.Second)
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !works() {
		select {
		case <-guard:
			t.Fatal("it never answers again")
		case <-again.C:
		}
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	after, err := openFolder(t.Context(), dir, owner.FrontCommand)
	if err != nil {
		t.Fatal(err)
	}
	if !after.Owned {
		t.Error("the folder was not given back")
	}
	if err := after.Close(); err != nil {
		t.Error(err)
	}
}
