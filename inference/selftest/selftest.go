package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"referent/inference"
	"referent/inference/gguf/toy"
	"referent/inference/process"
)

// Role is the word under which llama.SelfTest must be dispatched.
const Role = "self-test"

// limit is for the whole test. A driver that holds no machine code for a card
// makes it at the first start, which takes minutes.
const limit = 5 * time.Minute

// FrameResult carries the JSON of a Result.
const FrameResult byte = 'T'

// The files of the models, in the folder that the child is given.
const (
	ChatFile  = "chat.gguf"
	EmbedFile = "embed.gguf"
)

// text is what the chat model writes, whatever it is asked.
const text = "Seven ships left the harbour at dawn and came back before night [1]."

// Texts are what the child embeds.
var Texts = []string{"ships leave the harbour", "the harbour at night", "seven ships at dawn before night"}

var embedder = toy.Embedder{Words: strings.Fields("seven ships leave the harbour at dawn night before")}

// Result is what the libraries made of the models.
type Result struct {
	Device  string      `json:"device"` // of the chat model: "CPU", "Vulkan0", …
	Layers  int         `json:"layers"` // of the chat model on it
	Text    string      `json:"text"`
	Vectors [][]float32 `json:"vectors"` // of Texts
}

// Run tests the verified libraries in dir. gpu: they have a graphics processor,
// and a test on the processor alone proves nothing. env is added to the child's
// environment, see process.Spec. Errors are an *inference.Error of the kind
// ErrNoRuntime with a sentence for people, or the context's.
func Run(ctx context.Context, dir string, gpu bool, env ...string) (Result, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Result{}, refuse(err, "The folder of the model libraries cannot be found.")
	}
	models, err := os.MkdirTemp("", "referent-self-test")
	if err != nil {
		return Result{}, refuse(err, "The model libraries cannot be tried out: there is no room for a small model.")
	}
	defer func() { _ = os.RemoveAll(models) }()
	if _, err := (toy.Chat{Text: text}).Write(filepath.Join(models, ChatFile)); err != nil {
		return Result{}, refuse(err, "The model libraries cannot be tried out: there is no room for a small model.")
	}
	if _, err := embedder.Write(filepath.Join(models, EmbedFile)); err != nil {
		return Result{}, refuse(err, "The model libraries cannot be tried out: there is no room for a small model.")
	}
	got, err := ask(ctx, dir, models, env)
	if err != nil {
		return got, err
	}
	if err := judge(got, gpu); err != nil {
		return got, refuse(err, "The model libraries in %s do not compute right on this computer: %s. Its graphics driver may be at fault; an update of it may help.", dir, err)
	}
	return got, nil
}

// ask runs the child.
func ask(ctx context.Context, dir, models string, env []string) (Result, error) {
	var got Result
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	child, err := process.Spawn(inner, process.Spec{
		Role: Role, Args: []string{dir, models}, Dir: dir,
		Env: append([]string{"GGML_NO_BACKTRACE=1", "GGML_BACKEND_PATH"}, env...),
	})
	if err != nil {
		return got, refuse(err, "The model libraries cannot be tried out.")
	}
	defer child.Close(time.Second)
	kind, payload, err := child.Receive()
	if err == nil && kind == FrameResult {
		err = json.Unmarshal(payload, &got)
	} else if err == nil {
		err = fmt.Errorf("frame %q instead of a result", kind)
	}
	switch {
	case err == nil:
		return got, nil
	case ctx.Err() != nil:
		return got, ctx.Err()
	case inner.Err() != nil:
		return got, refuse(err, "The model libraries in %s did not finish a small test within %d minutes, so they are not used.", dir, int(limit.Minutes()))
	}
	child.Kill()
	return got, refuse(errors.Join(err, child.Wait(), errors.New(child.Death().Stderr)),
		"The model libraries in %s ended while they computed with a small model, so they are not used. The graphics driver may be at fault; an update of it may help.", dir)
}

func refuse(cause error, sentence string, args ...any) error {
	return &inference.Error{Kind: inference.ErrNoRuntime, Message: fmt.Sprintf(sentence, args...), Cause: cause}
}
