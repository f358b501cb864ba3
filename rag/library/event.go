package library

import "time"

// EventKind is what an Event tells.
type EventKind string

// The kinds of event.
const (
	EventFile     EventKind = "file"     // a file changed its status, came or went
	EventFolder   EventKind = "folder"   // a root changed its state, came or went
	EventProgress EventKind = "progress" // numbers changed
)

// Event is one change of the library. A listener that wants more asks Status.
type Event struct {
	Kind     EventKind `json:"kind"`
	Path     string    `json:"path"`
	Document int64     `json:"document"`
	Status   string    `json:"status"` // of a file or a folder; "removed" when it went
	Reason   string    `json:"reason"`
}

// Removed is the status in the event of a file or folder that went away.
const Removed = "removed"

// Progress says how far the work is. Rates are those of the present run, which
// begins when the queue was empty; Remaining is 0 while it cannot be told.
type Progress struct {
	FilesDone        int           `json:"files_done"`
	FilesTotal       int           `json:"files_total"`
	FilesPerSecond   float64       `json:"files_per_second"`
	FilesRemaining   time.Duration `json:"files_remaining"`
	Reading          []string      `json:"reading"` // paths
	VectorsDone      int           `json:"vectors_done"`
	VectorsTotal     int           `json:"vectors_total"`
	VectorsPerSecond float64       `json:"vectors_per_second"`
	VectorsRemaining time.Duration `json:"vectors_remaining"`
	Paused           bool          `json:"paused"`
	Preparing        string        `json:"preparing"`  // what is made ready before a file can be read; a sentence
	Trouble          string        `json:"trouble"`    // why no file can be read now; a sentence
	WordsOnly        string        `json:"words_only"` // why there is no search by meaning now; a sentence
}

// tally counts the work of a run.
type tally struct {
	began time.Time
	done  int
}

func (t *tally) add(n int, now time.Time) {
	if t.began.IsZero() {
		t.began = now
	}
	t.done += n
}

// rate is done per second and the time that left needs; 0 where it cannot be told.
func (t tally) rate(left int, now time.Time) (perSecond float64, remaining time.Duration) {
	passed := now.Sub(t.began).Seconds()
	if t.done == 0 || t.began.IsZero() || passed <= 0 {
		return 0, 0
	}
	perSecond = float64(t.done) / passed
	return perSecond, time.Duration(float64(left) / perSecond * float64(time.Second))
}
