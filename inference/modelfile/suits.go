package modelfile

import (
	"fmt"
	"slices"
	"strings"

	"referent/inference"
	"referent/inference/gguf"
)

// encoder reports whether a model reads a text as a whole and writes none.
func encoder(f *gguf.File) bool {
	causal, ok := f.Value(f.Architecture() + ".attention.causal").(bool)
	return ok && !causal
}

// scores reports whether a model has a head that judges a pair.
func scores(f *gguf.File) bool {
	return f.Pooling() == "rank" || slices.ContainsFunc(f.Tensors, func(t gguf.Tensor) bool { return t.Name == "cls" || strings.HasPrefix(t.Name, "cls.") })
}

// Suits says whether a model can play a role. The error is an *inference.Error
// of kind ErrModelFile.
func Suits(f *gguf.File, role inference.Role) error {
	reads := encoder(f) || f.Pooling() != ""
	why := ""
	switch role {
	case inference.RoleAnswer, inference.RoleCondense:
		if reads || scores(f) {
			why = "It reads text and writes none. Choose the role embed or rerank."
		}
	case inference.RoleEmbed:
		if scores(f) {
			why = "It judges passages. Choose the role rerank."
		} else if !reads {
			why = "It does not say how a text becomes one vector. Choose an embedding model, or the role answer."
		}
	case inference.RoleRerank:
		if !scores(f) {
			why = "It has no head that judges passages. Choose a reranking model."
		}
	default:
		return &inference.Error{Kind: inference.ErrModelFile, Message: fmt.Sprintf("There is no role %q. The roles are answer, condense, embed and rerank.", role)}
	}
	if why == "" {
		return nil
	}
	return &inference.Error{Kind: inference.ErrModelFile, Message: fmt.Sprintf("This model cannot play the role %s. %s", role, why)}
}

// rolesOf is what a model plays when it may play one of them: who writes answers
// can also rewrite questions.
func rolesOf(role inference.Role) []inference.Role {
	if role == inference.RoleAnswer || role == inference.RoleCondense {
		return []inference.Role{inference.RoleAnswer, inference.RoleCondense}
	}
	return []inference.Role{role}
}
