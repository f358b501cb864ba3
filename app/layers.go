package app

import (
	"referent/app/setting"
	"referent/inference"
)

// layersKey names the setting of each role's layers on graphics processors.
var layersKey = map[inference.Role]string{inference.RoleAnswer: "model.gpu_layers", inference.RoleCondense: "model.condense_layers",
	inference.RoleEmbed: "model.embed_layers", inference.RoleRerank: "model.rerank_layers"}

// layersOf is how many layers of a role's model a person wants on graphics
// processors; -1: as many as fit. Who wants none of the answer model there, and
// says nothing of another one, wants none of that either.
func layersOf(role inference.Role, values setting.Values) int {
	n := values.Int(layersKey[role], -1)
	if n < 0 && values.Int(layersKey[inference.RoleAnswer], -1) == 0 {
		return 0
	}
	return n
}
