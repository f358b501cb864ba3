package modelfile

import (
	"context"
	"strings"

	"referent/inference"
	"referent/inference/digest"
	"referent/inference/gguf"
)

// Verify reads the file at path again and compares it with a hash in hex; an
// empty one is not compared. It returns the hash. Errors for people are
// *inference.Error of kind ErrModelFile.
func Verify(ctx context.Context, path, want string, each func(done int64)) (string, error) {
	if err := gguf.Check(path); err != nil {
		return "", err
	}
	hash, _, err := digest.File(ctx, path, each)
	if err != nil {
		return "", disk(err)
	}
	if want != "" && !strings.EqualFold(hash, want) {
		return hash, &inference.Error{Kind: inference.ErrModelFile, Message: "The file has changed since it came: its checksum is another one. Remove it and download or import it again."}
	}
	return hash, nil
}

// Describe checks a finished download and makes its record, without writing it.
// An empty role is found out from the file.
func Describe(path string, role inference.Role) (Record, error) {
	if err := gguf.Check(path); err != nil {
		return Record{}, err
	}
	f, err := gguf.Open(path)
	if err != nil {
		return Record{}, err
	}
	if role == "" {
		role = likely(f)
	}
	if err := Suits(f, role); err != nil {
		return Record{}, err
	}
	r := describe(f)
	r.Path, r.Roles, r.ID = path, rolesOf(role), ID(fileName(path))
	if r.Name == "" {
		r.Name = r.ID
	}
	return r, nil
}

func likely(f *gguf.File) inference.Role {
	switch {
	case scores(f):
		return inference.RoleRerank
	case encoder(f), f.Pooling() != "":
		return inference.RoleEmbed
	}
	return inference.RoleAnswer
}
