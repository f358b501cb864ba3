//go:build bindings

package desktop

// Generating: this build writes the page's bindings and ends.
const Generating = true
