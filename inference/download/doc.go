// Package download fetches one large file so that it is either whole and proven
// or not there.
//
// The bytes go to NAME.part; NAME.part.json beside it keeps what a later run
// needs to go on: the address, the server's mark of this very version (its ETag
// or date), the size and the hash that it announced. A pause is a cancelled
// context: both files stay, also after a kill, and the next Fetch hashes what is
// there and asks for the rest. A server that has another version by then, or
// cannot send a part, makes the download start over.
//
// The end is always the same: the SHA-256 of every byte is compared with the
// catalogue's, or with the one that the server announced where the caller has
// none; the file's header is checked; the bytes reach the disk; and only then
// the file gets its name. What does not agree is deleted. A server that names
// no hash to a caller that has none sends nothing.
//
// A transfer that stands still for DefaultStall is given up and tried again,
// like one that breaks off. Connections are made by the client that the caller
// passes (inference/outbound): this package opens none.
package download
