// Package app is the composition root and the use cases: everything that a
// front (window, command, socket, local API) may ask the program to do. It
// opens the data folder, wires models, index, library and turn together, and
// gives the fronts one interface, UseCases, and one stream of notices.
//
// A front never reaches past UseCases, so that the terminal beside an open
// window does exactly what the window does. Package app computes neither
// retrieval nor prompts, and imports none of its fronts.
package app
