package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/worker"
	"referent/rag"
)

// roles knows which model plays which role and loads it when it is first
// needed. Loads of one file are shared; a failed load is tried again by the
// next caller.
type roles struct {
	host    inference.Host
	folders []string // where model files are looked for, in order
	values  func() setting.Values
	changed func() // the state of a role changed
	// serving is what the settings of the search model were when the index that
	// is served was made; nil: as they are.
	serving func() map[string]string

	loading sync.Mutex // one load at a time: a load fills the memory bus
	mu      sync.Mutex
	state   map[inference.Role]ModelState
	count   map[inference.Role]int // loads so far
}

func newRoles(host inference.Host, folders []string, values func() setting.Values, changed func()) *roles {
	return &roles{host: host, folders: folders, values: values, changed: changed, state: map[inference.Role]ModelState{}, count: map[inference.Role]int{}}
}

// choice is the model that a role is meant to have: a catalogue entry with the
// file found for it. ok is false when none is installed.
type choice struct {
	entry catalogue.Entry
	path  string
}

var roleKey = map[inference.Role]string{inference.RoleAnswer: "model.answer", inference.RoleCondense: "model.condense", inference.RoleEmbed: "model.embed", inference.RoleRerank: "model.rerank"}

// wanted returns the model chosen for a role by the settings. The search model
// is the one that the index was made with, until a new index is complete.
func (r *roles) wanted(role inference.Role) (choice, error) {
	values := r.values()
	if role == inference.RoleEmbed && r.serving != nil {
		if with, err := values.With(r.serving(), setting.FromStored); err == nil { // settings of an older program may be unknown
			values = with
		}
	}
	return r.choose(role, values)
}

// choose returns the model that values name for a role.
func (r *roles) choose(role inference.Role, values setting.Values) (choice, error) {
	key, ok := roleKey[role]
	if !ok {
		return choice{}, noModel(role)
	}
	if c, ok, err := remoteChoice(role, values); ok || err != nil {
		return c, err
	}
	id := values.Text(key)
	if id == setting.Auto && role == inference.RoleCondense {
		return r.choose(inference.RoleAnswer, values)
	}
	if id == setting.Auto && role == inference.RoleRerank {
		return r.anyReranker()
	}
	entry, ok := r.byID(id)
	if id == setting.Auto {
		entry, ok = catalogue.Starter(role)
	}
	if !ok {
		return choice{}, &rag.Error{Code: rag.CodeNoModel, Message: "There is no model named " + id + ".", Hint: "`referent models list` shows the names."}
	}
	path, ok := r.find(entry)
	if !ok {
		return choice{}, &rag.Error{Code: rag.CodeNoModel, Message: entry.Name + " is not installed.", Hint: "Get it in the Models view, choose another model, or install Referent again; `referent doctor` says what is missing."}
	}
	return choice{entry, path}, nil
}

// anyReranker is the first installed model that judges passages: no set-up
// brings one.
func (r *roles) anyReranker() (choice, error) {
	for _, e := range r.entries() {
		if path, ok := r.find(e); ok && e.Plays(inference.RoleRerank) {
			return choice{e, path}, nil
		}
	}
	return choice{}, noModel(inference.RoleRerank)
}

func noModel(role inference.Role) error {
	return &rag.Error{Code: rag.CodeNoModel, Message: "No model plays the role " + string(role) + ".", Hint: "Choose one under Models."}
}

// find returns the file of a catalogue entry.
func (r *roles) find(e catalogue.Entry) (string, bool) {
	for _, dir := range r.folders {
		path := filepath.Join(dir, e.File)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && (e.Bytes == 0 || info.Size() == e.Bytes) {
			return path, true
		}
	}
	return "", false
}

// ensure loads the model of a role unless it is there. It returns when the role
// can be used.
func (r *roles) ensure(ctx context.Context, role inference.Role) error {
	if r.loaded(role) {
		return nil
	}
	r.loading.Lock()
	defer r.loading.Unlock()
	if r.loaded(role) {
		return nil
	}
	c, err := r.wanted(role)
	if err != nil {
		r.set(role, ModelState{Role: string(role), State: "failed", Note: Optional(err.Error())})
		return err
	}
	return r.load(ctx, c, r.sharing(role, c))
}

// sharing lists the roles that one load of the file fills.
func (r *roles) sharing(role inference.Role, c choice) []inference.Role {
	if role == inference.RoleEmbed || role == inference.RoleRerank {
		return []inference.Role{role}
	}
	other := inference.RoleCondense
	if role == inference.RoleCondense {
		other = inference.RoleAnswer
	}
	if o, err := r.wanted(other); err == nil && o.path == c.path && o.entry.ID == c.entry.ID {
		return []inference.Role{inference.RoleAnswer, inference.RoleCondense}
	}
	return []inference.Role{role}
}

// specOf says how a model is loaded.
func specOf(c choice, parts []inference.Role, values setting.Values) inference.LoadSpec {
	spec := inference.LoadSpec{Roles: parts, Path: c.path, Hash: c.entry.SHA256, Profile: c.entry.Profile(), GPULayers: layersOf(parts[0], values), Threads: values.Int("model.threads", 0)}
	if slices.Contains(parts, inference.RoleAnswer) {
		spec.Context = values.Int("model.context", 0)
	}
	if remoteAddress(c.path) {
		spec.Context = c.entry.Context
	}
	return spec
}

// beside lists the models of the other roles that run on this computer.
func (r *roles) beside(parts []inference.Role) []inference.Beside {
	var out []inference.Beside
	for _, role := range inference.Roles() {
		if slices.Contains(parts, role) {
			continue
		}
		c, err := r.wanted(role)
		if err != nil || remoteAddress(c.path) {
			continue
		}
		spec := specOf(c, []inference.Role{role}, r.values())
		out = append(out, inference.Beside{Role: role, Path: c.path, GPULayers: spec.GPULayers, Context: spec.Context})
	}
	return out
}

func (r *roles) load(ctx context.Context, c choice, parts []inference.Role) error {
	spec := specOf(c, parts, r.values())
	spec.Beside = r.beside(parts)
	for _, role := range parts {
		r.set(role, ModelState{Role: string(role), ID: Optional(c.entry.ID), Name: Optional(c.entry.Name), State: "loading"})
	}
	info, err := r.host.Load(ctx, spec, func(done float64) {
		for _, role := range parts {
			r.set(role, ModelState{Role: string(role), ID: Optional(c.entry.ID), Name: Optional(c.entry.Name), State: "loading", Loading: done})
		}
	})
	if err != nil {
		for _, role := range parts {
			r.set(role, ModelState{Role: string(role), ID: Optional(c.entry.ID), Name: Optional(c.entry.Name), State: "failed", Note: Optional(modelSentence(err))})
		}
		return modelError(err)
	}
	for _, role := range parts {
		r.show(role, info)
	}
	return nil
}

// describe is a loaded model as people see it.
func describe(role inference.Role, i inference.ModelInfo) ModelState {
	return ModelState{Remote: leaving(i.Path), Role: string(role), ID: Optional(i.ID), Name: Optional(i.Name), State: "loaded", Note: Optional(i.Note), Layers: i.Layers, GPULayers: i.GPULayers,
		Device: Optional(i.Device), Runtime: Optional(i.Runtime), Threads: i.Threads, Context: i.Context, Bytes: i.ResidentBytes}
}

// again loads the model of a role, also one that was put aside.
func (r *roles) again(ctx context.Context, role inference.Role) error {
	if r.get(role).State == "failed" {
		if err := r.reload(ctx, role); err != nil {
			return err
		}
	}
	return r.ensure(ctx, role)
}

// follow notes that a model has left the memory, was put aside, or is back.
func (r *roles) follow(e worker.Event) {
	for _, role := range e.Info.Roles {
		state := "none"
		switch e.Kind {
		case worker.EventWoken:
			r.show(role, e.Info)
			continue
		case worker.EventParked:
			state = "failed"
		}
		r.set(role, ModelState{Role: string(role), ID: Optional(e.Info.ID), Name: Optional(e.Info.Name), State: state, Note: Optional(e.Sentence)})
	}
}

// show describes a role by the model that is loaded for it.
func (r *roles) show(role inference.Role, info inference.ModelInfo) {
	state := describe(role, info)
	if role == inference.RoleCondense && slices.Contains(info.Roles, inference.RoleAnswer) {
		state.Shared = Optional(inference.RoleAnswer)
	}
	r.set(role, state)
}

func (r *roles) loaded(role inference.Role) bool {
	_, err := r.host.Tokenizer(role)
	return err == nil
}

func (r *roles) set(role inference.Role, s ModelState) {
	r.mu.Lock()
	r.state[role] = s
	if s.State == "loaded" {
		r.count[role]++
	}
	r.mu.Unlock()
	r.changed()
}

// loads counts how often the role was filled.
func (r *roles) loads(role inference.Role) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count[role]
}

// get returns what plays a role, or what would.
func (r *roles) get(role inference.Role) ModelState {
	r.mu.Lock()
	s, ok := r.state[role]
	r.mu.Unlock()
	if ok {
		return s
	}
	s = ModelState{Role: string(role), State: "none"}
	if c, err := r.wanted(role); err == nil {
		s.ID, s.Name, s.Remote = Optional(c.entry.ID), Optional(c.entry.Name), leaving(c.path)
	}
	return s
}

// reload frees roles whose model, layers, threads or context changed; they are
// loaded again when they are next needed.
func (r *roles) reload(ctx context.Context, changed ...inference.Role) error {
	r.loading.Lock()
	defer r.loading.Unlock()
	for _, role := range changed {
		if err := r.host.Unload(ctx, role); err != nil {
			return modelError(err)
		}
		r.mu.Lock()
		delete(r.state, role)
		r.mu.Unlock()
	}
	r.changed()
	return nil
}

// modelError turns an error of inference into one that a front can show.
func modelError(err error) error {
	var known *rag.Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, inference.ErrNoModel), errors.Is(err, inference.ErrNoRuntime), errors.Is(err, inference.ErrModelFile):
		return &rag.Error{Code: rag.CodeNoModel, Message: modelSentence(err), Hint: "`referent doctor` says what is missing.", Cause: err}
	case errors.Is(err, inference.ErrContextOverflow):
		return &rag.Error{Code: rag.CodeContextOverflow, Message: modelSentence(err), Cause: err}
	case errors.Is(err, inference.ErrRemote), errors.Is(err, inference.ErrParked):
		return &rag.Error{Code: rag.CodeModelFailed, Message: modelSentence(err), Cause: err}
	}
	return &rag.Error{Code: rag.CodeModelFailed, Message: modelSentence(err), Hint: "Ask again; the model is started anew.", Cause: err}
}

func modelSentence(err error) string {
	var e *inference.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "The model failed."
}
