package llama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"referent/inference"
	"referent/inference/process"
	"referent/inference/selftest"
)

// everyLayer is more layers than any model has.
const everyLayer = 999

// SelfTest is the child of selftest.Run. Its arguments are the folder of the
// libraries and that of the models.
func SelfTest() int {
	if err := selfTest(process.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "self-test:", err)
		return 1
	}
	return 0
}

func selfTest(args []string) error {
	if len(args) != 2 {
		return errors.New("two folders are needed")
	}
	h, err := New(Config{RuntimeDir: args[0], Threads: 1})
	if err != nil {
		return err
	}
	r, err := h.selfTest(context.Background(), args[1])
	if err != nil {
		return err
	}
	payload, err := json.Marshal(r)
	if err != nil {
		return err
	}
	// What the driver does when everything is freed counts too.
	if err := h.Close(); err != nil {
		return err
	}
	in, out := process.Stdio()
	return process.NewPipe(in, out).Send(selftest.FrameResult, payload)
}

func (h *Host) selfTest(ctx context.Context, models string) (r selftest.Result, err error) {
	info, err := h.Load(ctx, inference.LoadSpec{Roles: []inference.Role{inference.RoleAnswer}, Path: filepath.Join(models, selftest.ChatFile), GPULayers: everyLayer, Context: 512}, nil)
	if err != nil {
		return r, err
	}
	g, err := h.Generator(inference.RoleAnswer)
	if err != nil {
		return r, err
	}
	reply, err := g.Generate(ctx, inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: "?"}}, MaxTokens: 64}, nil)
	if err != nil {
		return r, err
	}
	if _, err := h.Load(ctx, inference.LoadSpec{Roles: []inference.Role{inference.RoleEmbed}, Path: filepath.Join(models, selftest.EmbedFile), GPULayers: everyLayer}, nil); err != nil {
		return r, err
	}
	e, err := h.Embedder()
	if err != nil {
		return r, err
	}
	r = selftest.Result{Device: info.Device, Layers: info.GPULayers, Text: reply.Text}
	r.Vectors, err = e.Embed(ctx, inference.KindPassage, selftest.Texts, inference.PriorityInteractive)
	return r, err
}
