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

// A model that was put aside is told as failed, with the reason, and choosing it
// once more loads it anew.
func TestRoles_WhatWasPutAsideIsLoadedAgainByHand(t *testing.T) {
	host := fake.NewLoaded(fake.Config{})
	r := newRoles(host, []string{t.TempDir()}, func() setting.Values { return setting.Resolve(nil, nil) }, func() {})
	g, err := host.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	info := g.Info()
	r.show(inference.RoleAnswer, info)
	r.follow(worker.Event{Kind: worker.EventParked, Sentence: "Fake ended the model worker 2 times.", Info: info})
	if s := r.get(inference.RoleAnswer); s.State != "failed" || s.Note != "Fake ended the model worker 2 times." || s.Name != Optional(info.Name) {
		t.Errorf("%+v", s)
	}
	if err := r.again(t.Context(), inference.RoleAnswer); err == nil {
		t.Error("it counts as loaded: no model file is here, so a new load had to fail")
	}
	if _, err := host.Generator(inference.RoleAnswer); err == nil {
		t.Error("the one that was put aside still plays its role")
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
