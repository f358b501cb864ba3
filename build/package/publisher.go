package main

// Who publishes. These are the only places with stand-ins: the domain is one
// that is reserved for examples, so there is no mailbox and no page behind it.
// docs/decisions/0005-publisher.md says what to put here before a release that
// others get.
const (
	// maintainer is how Debian's files name the authors.
	maintainer = "The Referent authors <referent@example.org>"
	// appID names the program for desktops: the desktop entry, the icons and the
	// metadata carry it. It is a domain of the publisher, reversed.
	appID = "org.referent.Referent"
	// namespace begins the address that names the list of parts (SPDX); nothing
	// needs to be there.
	namespace = "https://example.org/spdx/"
)
