package app

import (
	"testing"

	"referent/app/setting"
	"referent/inference"
	"referent/inference/fake"
	"referent/inference/worker"
)

// What has left the memory is told as such, and what is back counts as a new
// load: nothing of its prompt is evaluated any more.
func TestRoles_FollowAModelThatRests(t *testing.T) {
	r := newRoles(fake.New(fake.Config{}), []string{t.TempDir()}, func() setting.Values { return setting.Resolve(nil, nil) }, func() {})
	info := inference.ModelInfo{Profile: inference.Profile{ID: "one", Name: "One"}, Roles: []inference.Role{inference.RoleAnswer, inference.RoleCondense},
		ResidentBytes: 5 << 20, Runtime: "cpu", Layers: 4}
	r.show(inference.RoleAnswer, info)
	r.show(inference.RoleCondense, info)
	before := r.loads(inference.RoleAnswer)
	r.follow(worker.Event{Kind: worker.EventScarce, Sentence: "One was unloaded.", Info: info})
	for _, role := range info.Roles {
		if s := r.get(role); s.State != "none" || s.Note != "One was unloaded." || s.Bytes != 0 || s.Name != "One" {
			t.Errorf("%s: %+v", role, s)
		}
	}
	r.follow(worker.Event{Kind: worker.EventWoken, Sentence: "One is back.", Info: info})
	if s := r.get(inference.RoleCondense); s.State != "loaded" || s.Bytes != 5<<20 || s.Shared != Optional(inference.RoleAnswer) || s.Note != "" {
		t.Errorf("%+v", s)
	}
	if n := r.loads(inference.RoleAnswer); n != before+1 {
		t.Errorf("%d loads, want %d", n, before+1)
	}
}

// The answer model's layers are a number, as many as fit, or none; the others
// follow only where none are wanted.
func TestLayers_AreChosenForEachRole(t *testing.T) {
	for _, c := range []struct {
		stored                        map[string]string
		answer, condense, embed, rank int
	}{
		{nil, -1, -1, -1, -1},
		{map[string]string{"model.gpu_layers": "20"}, 20, -1, -1, -1},
		{map[string]string{"model.gpu_layers": "0"}, 0, 0, 0, 0},
		{map[string]string{"model.gpu_layers": "0", "model.embed_layers": "5"}, 0, 0, 5, 0},
		{map[string]string{"model.embed_layers": "0", "model.rerank_layers": "3", "model.condense_layers": "2"}, -1, 2, 0, 3},
	} {
		values := setting.Resolve(c.stored, nil)
		for role, want := range map[inference.Role]int{inference.RoleAnswer: c.answer, inference.RoleCondense: c.condense, inference.RoleEmbed: c.embed, inference.RoleRerank: c.rank} {
			if got := layersOf(role, values); got != want {
				t.Errorf("%v: %s has %d, want %d", c.stored, role, got, want)
			}
			if spec := specOf(choice{path: "model.gguf"}, []inference.Role{role}, values); spec.GPULayers != want {
				t.Errorf("%v: %s is loaded with %d, want %d", c.stored, role, spec.GPULayers, want)
			}
		}
	}
}
