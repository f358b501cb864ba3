package main

import (
	"fmt"
	"os"
	"path/filepath"

	"referent/inference"
	"referent/inference/catalogue"
)

// model is a model file to be packed. The hash is checked while packing.
type model struct {
	Path   string
	SHA256 string
	Part   part
}

// modelHolders say who holds the rights in a starter model.
var modelHolders = map[string]string{
	"qwen2.5-coder-1.5b-instruct-q4_k_m": "Copyright 2024 Alibaba Cloud",
	"multilingual-e5-small-q4_0":         "Copyright (c) Microsoft Corporation. Converted to GGUF and quantised.",
}

// starterModels finds the models that play a role from the first start on.
func starterModels(dir string) ([]model, error) {
	var out []model
	seen := map[string]bool{}
	for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleEmbed} {
		e, ok := catalogue.Starter(role)
		if !ok {
			return nil, fmt.Errorf("the catalogue has no starter model for the role %s", role)
		}
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		path := filepath.Join(dir, e.File)
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("the model %s is not there; `make models` brings it: %w", e.Name, err)
		}
		p, err := modelPart(e)
		if err != nil {
			return nil, err
		}
		out = append(out, model{Path: path, SHA256: e.SHA256, Part: p})
	}
	return out, nil
}

func modelPart(e catalogue.Entry) (part, error) {
	holder, known := modelHolders[e.ID]
	text := ""
	switch e.Licence {
	case "Apache-2.0":
		text = holder + "\n\n" + apacheNotice
	case "MIT":
		text = notice("mit", holder)
	}
	if text == "" || !known {
		return part{}, fmt.Errorf("the licence %q of the model %s, or who holds it, is not known to the packer; add both to model.go", e.Licence, e.Name)
	}
	return part{Name: e.Name, Version: e.Quantization, From: e.URL, Kind: "model", Licences: []string{e.Licence}, Text: text, SHA256: e.SHA256}, nil
}
