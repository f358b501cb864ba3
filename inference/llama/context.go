package llama

import (
	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/offload"
)

const (
	cpuBatch = 256 // tokens of a prompt in one call: how soon a more urgent user passes
	gpuBatch = 512
	// together is how many texts an encoder takes in one batch.
	encoderTexts = 32
)

// poolings are the names in a profile.
var poolings = map[string]llama.PoolingType{
	"mean": llama.PoolingTypeMean, "cls": llama.PoolingTypeCLS, "last": llama.PoolingTypeLast, "rank": llama.PoolingTypeRank,
}

// newEvaluator makes a context for a role. Everything it will ever need is
// taken from memory now, so that running out happens at a load and not in the
// middle of an answer. It needs library.loads.
func (h *Host) newEvaluator(l *load, role inference.Role, layers int) (*evaluator, error) {
	r := l.resident
	threads := h.threads(l, layers)
	params := l.params(role, layers, threads)
	flag := newAbortFlag()
	params.AbortCallback, params.AbortCallbackData = callbacks.abort, flag.address()

	mark := h.lib.log.mark()
	ctx, err := llama.InitFromModel(r.model, params)
	if err != nil {
		return nil, l.failed(h, err)
	}
	e := &evaluator{
		resident: r, role: role, ctx: ctx, abort: flag, gates: h.lib.gatesFor(layers, l.header.BlockCount()+1),
		// The library clamps what it was asked for; more than it took ends the process.
		nCtx: int(llama.NCtx(ctx)), nBatch: min(int(llama.NBatch(ctx)), int(llama.NUBatch(ctx))),
		nSeq: max(1, int(llama.NSeqMax(ctx))), freed: make(chan struct{}),
		bytes: parsePlacement(h.lib.log.since(mark)).resident(),
	}
	e.host = layers == 0
	e.memory = memoryOf(ctx, r.model, params.SwaFull != 0)
	e.batch = llama.BatchInit(int32(e.nBatch), 0, 1)
	e.wanted = threads
	e.useThreads(threads)
	if !e.encoder() && e.memory.handle == 0 {
		e.free()
		return nil, failf(inference.ErrModelFile, nil, "The model %s cannot write text. Choose a chat model for the role %s.", r.info.Name, role)
	}
	return e, nil
}

// params are what the context of a role is made with; a dry run makes it with
// the same.
func (l *load) params(role inference.Role, layers, threads int) llama.ContextParams {
	encoder := role == inference.RoleEmbed || role == inference.RoleRerank
	params := llama.ContextDefaultParams()
	params.NCtx = uint32(l.context(role))
	params.NThreads, params.NThreadsBatch = int32(threads), int32(threads)
	params.NSeqMax = 1
	params.NoPerf = 1
	batch := cpuBatch
	if layers > 0 {
		batch = gpuBatch
	} else {
		// Layers on the processor must not borrow the device for large batches.
		params.OpOffload, params.Offload_kqv = 0, 0
	}
	if encoder {
		// One text must fit a micro-batch. Larger batches are slower: attention
		// runs over all texts of a batch together.
		batch = l.context(role)
		params.NSeqMax, params.KVUnified, params.Embeddings = encoderTexts, 1, 1
		params.PoolingType = l.pooling(role)
	} else {
		if l.spec.UBatch > 0 {
			batch = min(batch, l.spec.UBatch)
		}
		params.NOutputsMax = 1 // the logits of one token; room for a batch of them takes 100 MB and more
	}
	params.NBatch, params.NUbatch = uint32(batch), uint32(batch)
	if (l.planned[role].Cache == offload.CacheQ8 || l.spec.KVType == "q8_0") && !encoder {
		params.TypeK, params.TypeV = llama.GGMLTypeQ8_0, llama.GGMLTypeQ8_0
		params.SwaFull = 0 // layers with a window keep no more than it: the cache cannot be cut any more
	}
	return params
}

// pooling is how an encoder's outputs become one vector: as the profile or the
// file says, and the mean where neither does.
func (l *load) pooling(role inference.Role) llama.PoolingType {
	if role == inference.RoleRerank {
		return llama.PoolingTypeRank
	}
	if p, ok := poolings[l.spec.Profile.Pooling]; ok {
		return p
	}
	if p, ok := poolings[l.header.Pooling()]; ok && p != llama.PoolingTypeRank {
		return p
	}
	return llama.PoolingTypeMean
}

func (h *Host) threads(l *load, layers int) int {
	n := l.spec.Threads
	if n <= 0 {
		n = h.config.Threads
	}
	if layers > l.header.BlockCount() && l.spec.Threads <= 0 {
		n = min(n, gpuThreads)
	}
	return max(1, n)
}

// gatesFor lists the turnstiles of the devices that a model computes on: the
// graphics processors if any layer is there, and the processor unless all are.
func (l *library) gatesFor(layers, all int) []*turnstile {
	var out []*turnstile
	if layers > 0 {
		for _, d := range l.gpus() {
			out = append(out, l.gate(d.name))
		}
	}
	if layers < all {
		out = append(out, l.gate("CPU"))
	}
	return out
}

func (l *library) gate(device string) *turnstile {
	l.gatesMu.Lock()
	defer l.gatesMu.Unlock()
	if l.gates[device] == nil {
		l.gates[device] = &turnstile{}
	}
	return l.gates[device]
}
