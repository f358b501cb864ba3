package llama

import (
	"fmt"

	"referent/inference"
)

// failf makes an error with a sentence for people.
func failf(kind, cause error, sentence string, args ...any) error {
	return &inference.Error{Kind: kind, Message: fmt.Sprintf(sentence, args...), Cause: cause}
}

func errNoModel(role inference.Role) error {
	return failf(inference.ErrNoModel, nil, "No model is loaded for the role %s. Choose one first.", role)
}
