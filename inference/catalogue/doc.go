// Package catalogue lists the models that the program knows how to use well:
// their files, sizes, hashes and licences, and the profile of each, which says
// how it wants to be asked. The list is models.json, embedded.
//
// A starter is a model that the set-up brings for a role; rerank has none. What
// is not known for sure is left empty: an entry without an address is described
// and its file is accepted by import, but it is not downloaded; one without a
// hash is compared with what the server announces. Measured entries were tried
// with this program; the profiles of the others follow what their makers say.
//
// Package catalogue downloads nothing and reads no model file.
package catalogue
