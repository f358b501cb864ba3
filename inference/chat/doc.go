// Package chat turns messages into the text that a model was trained on, and
// the model's text back into a reply.
//
// On the way in, a Template (Jinja, from the model file) renders messages into
// Segments. A segment is either structure, written by the template, or data,
// written by a person or a document. Only structure may become control tokens,
// so a document that contains "<|im_end|>" stays a document.
//
// On the way out, text passes four gates in this order: Tail joins split UTF-8,
// Splitter takes think blocks out, Stops ends at stop strings, and Loop notices
// a reply that repeats itself. Each gate holds back as little as it can, so
// that streaming stays prompt.
//
// The package knows no tokens, files or processes and never calls a model.
package chat
