package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"referent/inference/outbound"
	"referent/storage"
)

// connectionsFile is the file of the data folder that notes every connection to
// another computer, one JSON object a line: once when it is opened and once when
// it has ended, so that a kill loses none.
const connectionsFile = "connections.jsonl"

// connectionsListed bounds what is read back; the file itself is never cut.
const connectionsListed = 20000

// dialed is what opened connections, as outbound.Dialer tells of it.
type dialed interface {
	Connections() []outbound.Connection
	Watch(fn func(outbound.Counts)) (stop func())
}

// outlog notes the connections of one dialer.
type outlog struct {
	dialer  dialed
	log     func(string)
	stop    func()
	earlier []Connection // of earlier starts, newest first

	mu    sync.Mutex
	file  *os.File // made with the first connection
	path  string
	noted map[int]bool // by the dialer's number: whether its end is written too
	begun string       // tells the numbers of this start from those of others
}

// outline is a line of the file. Start and ID name the connection.
type outline struct {
	Start string `json:"start"`
	ID    int    `json:"id"`
	Connection
}

// openOutlog reads what earlier starts have noted and begins to note.
func openOutlog(dir string, d dialed, log func(string)) (*outlog, error) {
	l := &outlog{dialer: d, log: log, path: filepath.Join(dir, connectionsFile), noted: map[int]bool{}, begun: time.Now().UTC().Format(time.RFC3339Nano)}
	var err error
	if l.earlier, err = readOutlog(l.path); err != nil {
		return nil, storage.Explain(err)
	}
	l.stop = d.Watch(func(outbound.Counts) { l.note() })
	return l, nil
}

// readOutlog joins the two lines of each connection. A line that cannot be read
// is one that a crash has cut short.
func readOutlog(path string) ([]Connection, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	type name struct {
		start string
		id    int
	}
	var out []Connection
	at := map[name]int{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var line outline
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue
		}
		n := name{line.Start, line.ID}
		if i, ok := at[n]; ok {
			out[i] = line.Connection
			continue
		}
		at[n] = len(out)
		out = append(out, line.Connection)
	}
	for i := range out {
		if out[i].Ended == "" { // the program ended before it
			out[i].Ended = Optional(out[i].Started)
		}
	}
	slices.Reverse(out)
	return out[:min(len(out), connectionsListed)], lines.Err()
}

// note writes what is new. A disk that refuses is told to the log: a download
// must not fail of it, and the list of this start stays whole.
func (l *outlog) note() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.dialer.Connections() {
		ended := !c.Ended.IsZero()
		if written, ok := l.noted[c.ID]; ok && (written || !ended) {
			continue
		}
		if err := l.write(outline{Start: l.begun, ID: c.ID, Connection: connection(c)}); err != nil {
			l.log("the list of connections: " + err.Error())
			return
		}
		l.noted[c.ID] = ended
	}
}

func (l *outlog) write(line outline) (err error) {
	body, err := json.Marshal(line)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	if l.file == nil {
		if l.file, err = os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, storage.FileMode); err != nil {
			return err
		}
		body = append([]byte{'\n'}, body...) // the last line may have been cut short
	}
	_, err = l.file.Write(body)
	return err
}

// Close writes what has ended by now. It is closed after everything that may
// connect.
func (l *outlog) Close() error {
	l.stop()
	l.note()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
