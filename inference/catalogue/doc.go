// Package catalogue lists the models that the program knows how to use well:
// their files, sizes, hashes and licences, and the profile of each, which says
// how it wants to be asked. The list is models.json, embedded.
//
// A starter is a model that the set-up brings for a role; rerank has none. An
// offer is an entry whose bytes are not pinned: the program describes it and
// accepts its file by import, but does not download it (see
// Entry.Downloadable). Measured entries were tried with this program; the
// profiles of the others follow what their makers say.
//
// Package catalogue downloads nothing and reads no model file.
package catalogue
