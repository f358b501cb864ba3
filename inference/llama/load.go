package llama

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/chat"
	"referent/inference/gguf"
	"referent/inference/offload"
)

// Load implements inference.Host.
func (h *Host) Load(ctx context.Context, spec inference.LoadSpec, progress func(done float64)) (inference.ModelInfo, error) {
	progress = forward(progress)
	if len(spec.Roles) == 0 {
		return inference.ModelInfo{}, failf(inference.ErrModelFile, nil, "A model must be loaded for a role.")
	}
	for _, role := range spec.Roles {
		if !slices.Contains(inference.Roles(), role) {
			return inference.ModelInfo{}, failf(inference.ErrModelFile, nil, "There is no role %q. Roles are answer, condense, embed and rerank.", role)
		}
	}
	l, err := h.inspect(ctx, spec)
	if err != nil {
		return inference.ModelInfo{}, err
	}
	l.progress = progress

	// What holds the roles now goes first: two models may not fit at once.
	// Weights that the new load can use stay.
	l.resident = h.sharable(l)
	if err := wait(ctx, h.vacate(spec.Roles...)); err != nil {
		l.abandon(h)
		return inference.ModelInfo{}, err
	}
	h.lib.loads.Lock()
	defer h.lib.loads.Unlock()
	if err := l.run(ctx, h); err != nil {
		return inference.ModelInfo{}, err
	}
	if err := h.seat(l); err != nil {
		return inference.ModelInfo{}, err
	}
	progress(1)
	return l.resident.describe(), nil
}

// forward keeps a progress from going back when a second try begins.
func forward(progress func(float64)) func(float64) {
	most := -1.0
	return func(done float64) {
		if progress != nil && done > most {
			most = done
			progress(done)
		}
	}
}

// load is one call of Load under way.
type load struct {
	spec       inference.LoadSpec
	file       fileIdentity
	header     *gguf.File
	hash       string
	progress   func(float64)
	resident   *resident
	evaluators []*evaluator
	notes      []string
	planned    map[inference.Role]offload.Placement // what fits; only where that was asked
	mark       int                                  // in the log, where this load begins
}

// sharable finds weights in memory that are the same file with the same layers
// on the device, and holds them.
func (h *Host) sharable(l *load) *resident {
	h.lib.loads.Lock()
	defer h.lib.loads.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.seats {
		if r := e.resident; r.file == l.file && r.wantedLayers == l.spec.GPULayers {
			r.evaluators++
			return r
		}
	}
	return nil
}

// abandon lets go of shared weights when a load ends before it began.
func (l *load) abandon(h *Host) {
	if l.resident == nil {
		return
	}
	h.lib.loads.Lock()
	l.resident.drop()
	h.lib.loads.Unlock()
}

// run loads the weights and makes a context for each role. After an error
// nothing of it is left. It needs library.loads.
func (l *load) run(ctx context.Context, h *Host) (err error) {
	if err := ctx.Err(); err != nil {
		if l.resident != nil {
			l.resident.drop()
		}
		return err
	}
	l.mark = h.lib.log.mark()
	if l.resident != nil {
		return l.contexts(ctx, h, l.resident.describe().GPULayers)
	}
	notes, err := firstThatFits(l.steps(ctx, h), func(layers int) error {
		l.mark = h.lib.log.mark()
		if err := l.weights(ctx, h, layers); err != nil {
			return err
		}
		return l.contexts(ctx, h, layers)
	})
	l.notes = append(l.notes, notes...)
	return err
}

// weights loads the file with a number of layers on the device.
func (l *load) weights(ctx context.Context, h *Host, layers int) error {
	id, forget := watch(func(done float32) bool {
		l.progress(0.95 * float64(done))
		return ctx.Err() == nil
	})
	defer forget()
	params := llama.ModelDefaultParams()
	params.NGpuLayers = int32(layers)
	params.ProgressCallback = callbacks.progress
	params.ProgressCallbackUserData = id
	model, err := llama.ModelLoadFromFile(l.file.path, params)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return l.failed(h, err)
	}
	source := l.spec.Profile.ChatTemplate
	if source == "" {
		source = l.header.ChatTemplate()
	}
	template, err := chat.Compile(source)
	if err != nil {
		template = chat.ChatML()
		l.notes = append(l.notes, "The chat template of this model cannot be read, so the common one is used.")
	}
	pair, _ := llama.ModelMetaValStr(model, "tokenizer.chat_template.rerank")
	l.resident = &resident{
		model: model, vocabulary: newVocabulary(model), template: template, pairTemplate: pair,
		dimensions: int(llama.ModelNEmbdOut(model)), classes: max(1, int(llama.ModelNClsOut(model))),
		contextTrained: int(llama.ModelNCtxTrain(model)),
		file:           l.file, wantedLayers: l.spec.GPULayers, evaluators: 1,
	}
	l.resident.info = l.describe(h)
	return nil
}

// failed tells why the library refused, by what it wrote to its log.
func (l *load) failed(h *Host, cause error) error {
	lines := h.lib.log.since(l.mark)
	name := filepath.Base(l.file.path)
	if outOfMemory(lines) {
		return failf(inference.ErrOutOfMemory, cause, "There is not enough free memory for the model %s. Close other programs or choose a smaller model.", name)
	}
	if n := len(lines); n > 0 {
		cause = fmt.Errorf("%w: %s", cause, strings.Join(lines[max(0, n-3):], " / "))
	}
	return failf(inference.ErrModelFile, cause, "The model %s cannot be loaded. It may be damaged or too new for this version.", name)
}

// describe is what is known before anything was evaluated.
func (l *load) describe(h *Host) inference.ModelInfo {
	f, r := l.header, l.resident
	info := inference.ModelInfo{
		Profile: l.spec.Profile, Path: l.file.path, Hash: l.hash,
		Architecture: f.Architecture(), Quantization: f.Quantization(),
		Parameters: int64(llama.ModelNParams(r.model)), SizeBytes: l.file.size,
		ContextTrained: r.contextTrained, Layers: f.BlockCount() + 1,
		GPULayersWanted: l.spec.GPULayers, Runtime: h.lib.info.Name,
		Grammar: true, ToolCalls: r.template != nil && r.template.CallsTools(),
	}
	if info.Pooling == "" {
		info.Pooling = f.Pooling()
	}
	if info.Name == "" {
		info.Name = f.Name()
	}
	return info
}

// contexts makes an evaluator for each role. After an error neither they nor
// the weights are left.
func (l *load) contexts(ctx context.Context, h *Host, layers int) (err error) {
	defer func() {
		if err == nil {
			return
		}
		for _, e := range l.evaluators {
			e.free()
		}
		l.evaluators = nil
		l.resident.drop()
		l.resident = nil
	}()
	for i, role := range l.spec.Roles {
		e, err := h.newEvaluator(l, role, layers)
		if err != nil {
			return err
		}
		l.evaluators = append(l.evaluators, e)
		switch {
		case l.spec.Threads > 0 || h.chosen: // a person's choice is not tried out
		case i == 0:
			e.settle(ctx)
		case e.encoder() == l.evaluators[0].encoder():
			e.likewise(l.evaluators[0])
		}
	}
	return ctx.Err()
}

// seat gives the roles to the new evaluators and completes the description.
func (h *Host) seat(l *load) error {
	r := l.resident
	placed := parsePlacement(h.lib.log.since(l.mark))
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		for _, e := range l.evaluators {
			e.free()
		}
		r.drop()
		return errNoModel(l.spec.Roles[0])
	}
	for _, e := range l.evaluators {
		h.seats[e.role] = e
		r.evaluators++
	}
	r.evaluators-- // the one that the load itself held

	r.mu.Lock()
	defer r.mu.Unlock()
	if placed.total > 0 {
		r.info.GPULayers = placed.gpuLayers
	}
	first := l.evaluators[0]
	r.info.Roles = append(r.info.Roles, l.spec.Roles...)
	r.info.ResidentBytes += placed.resident()
	r.info.Context, r.info.Threads = first.nCtx, first.threads
	if slices.Contains(l.spec.Roles, inference.RoleEmbed) {
		r.info.Dimensions = r.dimensions
	}
	r.info.Device = "CPU"
	if gpus := h.lib.gpus(); r.info.GPULayers > 0 && len(gpus) > 0 {
		r.info.Device = gpus[0].name
	}
	r.info.Note = strings.Join(l.notes, " ")
	return nil
}
