// Package worker runs models in a child process of our own executable. A
// failed assertion, a driver fault or a kill ends the worker and never the
// window; video memory is freed by its end.
//
// Role is what the child runs: Serve, a server around any inference.Host. New
// makes the client, which is an inference.Host too: it starts the worker with
// the first load, supervises it, and after a death starts it again, loads the
// models again and goes on with the same answer once.
//
// The words: a session is the life of one child. A death is classified from how
// the child ended and what it last said. A model that was at work then climbs
// down the ladder: the same again, smaller buffers, more memory left free,
// another runtime, the processor alone. After three restarts within five
// minutes it is parked with a sentence until it is loaded by hand again.
//
// A model that nobody has used for a while, or that is in the way while memory
// is scarce, is unloaded; its roles stay filled, and the next call loads it again.
// A worker without a model ends.
//
// The worker never queues work: which call gets the device is decided by the
// host inside it.
package worker
