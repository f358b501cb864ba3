// Package extract reads a file into ordered blocks of text, each with its place
// in the file, one reader a format.
//
// Words: a block is a heading, paragraph, list item, table, code, caption, note
// or page header in reading order; the normalised text is all blocks joined,
// stored with the document, and the text that offsets (code points) refer to; a
// locator says where in the file a block stands. Page headers, page footers and
// notes come after everything else in the normalised text, so that a run of
// blocks is always one span of it.
//
// A file never costs more than itself: every problem of a file is a status with
// a sentence, sizes are counted while reading and never taken from a header,
// nothing recurses over what a file nests, and a panic of a reader ends as
// "damaged". Memory and time are the parse worker's to watch (extract/worker).
//
// Package extract never follows a link out of a file and never opens the
// network. It writes nothing but the packed parts of a workbook, into a private
// folder for temporary files that it takes away again.
package extract
