package download

import "time"

// Request says what to fetch and where to put it.
type Request struct {
	URL    string // http or https
	Path   string // of the finished file; its folder is made if missing
	Bytes  int64  // exact size; 0: not known
	SHA256 string // hex; empty: compare with what the server announces
}

// Proof says what a file was compared with.
type Proof string

// The closed list of proofs.
const (
	ProofCatalogue Proof = "catalogue" // the hash that the caller brought
	ProofServer    Proof = "server"    // the hash that the server announced
)

// Result is a finished download.
type Result struct {
	Path   string
	Bytes  int64
	SHA256 string // lower-case hex
	Proof  Proof
}

// Phase is what a download does now.
type Phase string

// The closed list of phases.
const (
	PhaseConnecting Phase = "connecting"
	PhaseResuming   Phase = "resuming" // reads what is there already
	PhaseReceiving  Phase = "receiving"
	PhaseWaiting    Phase = "waiting"   // until the next try
	PhaseVerifying  Phase = "verifying" // compares, checks and stores
)

// Progress is where a download stands. Done and Total are bytes, Total 0 while
// unknown; Rate is bytes a second over the last ten, 0 while unknown.
type Progress struct {
	Phase     Phase
	Done      int64
	Total     int64
	Rate      float64
	Remaining time.Duration // 0 while unknown
	Problem   string        // why it waits, a sentence
}
