// Package setting declares every setting once: key, type, default, range,
// scope and help text. The table drives validation, the settings panel, the
// command line, the environment and the documentation.
//
// A value resolves in this order: request, conversation, environment, stored,
// default; the kill switch condense.enabled is judged later, inside the engine,
// and so beats all of them. A change is validated as a whole and applied at
// once or not at all. A stored value that no longer validates is ignored, with
// a notice. Values travel as text; typed access is on Values.
package setting
