package llama

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/gguf"
	"referent/inference/offload"
)

// steps lists the numbers of layers to try, most first: what was asked for or
// what fits, then half of it, then none. The next is tried only after the
// device ran out of memory.
func (l *load) steps(ctx context.Context, h *Host) []int {
	gpus := h.lib.gpus()
	wanted := l.spec.GPULayers
	all := l.header.BlockCount() + 1
	switch {
	case wanted == 0:
		return []int{0}
	case len(gpus) == 0:
		if wanted > 0 {
			l.notes = append(l.notes, "There is no graphics processor that this runtime can use, so the model runs on the processor.")
		}
		return []int{0}
	case wanted < 0:
		wanted = l.fitting(ctx, h, gpus)
	}
	wanted = min(wanted, all)
	switch {
	case wanted <= 0:
		return []int{0}
	case wanted == 1:
		return []int{1, 0}
	}
	return []int{wanted, wanted / 2, 0}
}

// fitting asks the plan how many layers fit now, beside what is in memory and
// what is still to come. It needs library.loads.
func (l *load) fitting(ctx context.Context, h *Host, gpus []device) int {
	var devices []offload.Device
	for _, d := range gpus {
		free, total := d.memory()
		devices = append(devices, offload.Device{Name: d.name, Free: max(0, free-l.spec.MarginBytes), Total: total})
	}
	needs, files := l.needs(h)
	if err := dryrun.Needs(ctx, h.lib.info.Dir, needs, files, h.lib.known); err != nil {
		h.lib.log.tell("the working memory is estimated, because the dry run failed: " + err.Error())
	}
	plan := offload.Make(devices, needs)
	layers, gave := 0, false
	l.planned = map[inference.Role]offload.Placement{}
	for i, p := range plan.Placements {
		if !slices.Contains(l.spec.Roles, p.Role) {
			continue
		}
		if p.Shares && p.Name != l.file.path { // a model of its own was asked for, and there is no room for it
			p.Layers = 0
		}
		layers = max(layers, p.Layers)
		l.planned[p.Role] = p
		gave = gave || p.Layers < p.Of || p.Cache != offload.CacheF16 || p.Context < needs[i].Context
	}
	if gave {
		l.notes = append(l.notes, plan.GivenUp...)
	}
	return layers
}

// needs are those of the load and of the models beside it that are not in memory
// yet, in the order of roles.
func (l *load) needs(h *Host) (needs []offload.Need, files []dryrun.File) {
	own := offload.Measure(l.header)
	own.Name = l.file.path
	for _, role := range inference.Roles() {
		if slices.Contains(l.spec.Roles, role) {
			needs = append(needs, offload.Need{Role: role, Model: own, Context: l.context(role), Layers: -1})
			files = append(files, dryrun.File{Path: l.file.path, Size: l.file.size, Modified: l.file.modified})
			continue
		}
		i := slices.IndexFunc(l.spec.Beside, func(b inference.Beside) bool { return b.Role == role })
		if i < 0 || h.filled(role) == nil {
			continue
		}
		b := l.spec.Beside[i]
		stat, err := os.Stat(b.Path)
		if err != nil || gguf.Check(b.Path) != nil {
			continue // it takes no memory before it can be loaded
		}
		header, err := gguf.Open(b.Path)
		if err != nil {
			continue
		}
		other := offload.Measure(header)
		other.Name = b.Path
		tokens := b.Context
		if tokens <= 0 {
			tokens = contexts[role]
		}
		if other.Trained > 0 {
			tokens = min(tokens, other.Trained)
		}
		needs = append(needs, offload.Need{Role: role, Model: other, Context: tokens, Layers: b.GPULayers})
		files = append(files, dryrun.File{Path: b.Path, Size: stat.Size(), Modified: stat.ModTime().UnixNano()})
	}
	return needs, files
}

// contexts are the sizes of contexts that nobody has chosen, in tokens.
var contexts = map[inference.Role]int{
	inference.RoleAnswer: 8192, inference.RoleCondense: 2048,
	inference.RoleEmbed: 512, inference.RoleRerank: 1024,
}

// context is the size of a role's context in tokens: what the turn needs, and
// never more than was planned or than the model was trained with.
func (l *load) context(role inference.Role) int {
	n := contexts[role]
	switch asked := l.spec.Context; {
	case asked > 0 && role == inference.RoleCondense && len(l.spec.Roles) > 1:
		n = min(n, asked) // the size is meant for the answer
	case asked > 0:
		n = asked
	}
	if p, ok := l.planned[role]; ok {
		n = min(n, p.Context)
	}
	if trained := l.header.ContextLength(); trained > 0 {
		n = min(n, trained)
	}
	return n
}

// firstThatFits tries numbers of layers until one does not run out of memory,
// and tells in sentences what was stepped down to.
func firstThatFits(steps []int, try func(layers int) error) (notes []string, err error) {
	for i, layers := range steps {
		switch {
		case i == 0:
		case layers == 0:
			notes = append(notes, "The graphics processor has too little free memory, so the model runs on the processor.")
		default:
			notes = append(notes, fmt.Sprintf("The graphics processor has too little free memory, so it was given %d layers.", layers))
		}
		if err = try(layers); !errors.Is(err, inference.ErrOutOfMemory) {
			return notes, err
		}
	}
	return notes, err
}
