// Package offload decides what of each model goes to a graphics processor.
//
// Everything here is arithmetic on numbers that others measured: bytes a layer
// from the model file, the free memory of each device from the worker. Nothing
// is loaded, so a plan can be shown before a model is chosen, and the same
// numbers give the same plan.
//
// A need is a model in a role. A plan gives each need a number of layers, a
// context and a cache type. When not everything fits, the plan gives things up
// in a fixed order: context above 8,192 tokens, a 16-bit cache, the reranker on
// the device, a condense model of its own, the embedder on the device, and last
// the layers of the answer model. With more free memory a plan never gives up
// more. Sizes are bytes; layers are counted as the library counts them, with
// the output as one layer more.
package offload
