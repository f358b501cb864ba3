// Package chunk cuts an extraction into chunks, the unit that is indexed and
// cited, and parents, the section or page around them; and it gives a document
// its retention class.
//
// A chunk is a span of the normalised text made of whole blocks, 200 to 300
// tokens by an estimate that needs no model, so that words are searchable
// without any and a new embedder needs no new chunks. It never crosses a
// heading of level 1 or 2. Page headers and footers are in no chunk.
//
// Everything here is a pure function of its arguments: the same extraction
// gives the same chunks, on every machine.
package chunk
