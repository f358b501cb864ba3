package llama

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// logLines is how many lines of the library's log are kept. A load writes
// about 150.
const logLines = 600

// Levels of the library's log. Debug lines are dropped, warnings and errors
// are handed on.
const (
	levelDebug    = 1
	levelWarn     = 3
	levelError    = 4
	levelContinue = 5
)

// logRing keeps the newest lines of the library's log. What was really put
// where is told nowhere else.
type logRing struct {
	mu      sync.Mutex
	lines   []string
	first   int // number of lines[0], counted from the start
	partial string
	level   int32
	out     func(string)
}

func newLogRing() *logRing { return &logRing{} }

// forward sends warnings and errors to fn from now on; nil changes nothing.
func (r *logRing) forward(fn func(string)) {
	if fn == nil {
		return
	}
	r.mu.Lock()
	r.out = fn
	r.mu.Unlock()
}

// tell hands a warning of our own on, as if the library had written it.
func (r *logRing) tell(line string) {
	r.mu.Lock()
	out := r.out
	r.mu.Unlock()
	if out != nil {
		out(line)
	}
}

// write takes text as the library writes it: pieces of lines.
func (r *logRing) write(level int32, text string) {
	r.mu.Lock()
	if level != levelContinue {
		r.level = level
	}
	if r.level == levelDebug {
		r.mu.Unlock()
		return
	}
	r.partial += text
	var tell []string
	for {
		line, rest, ok := strings.Cut(r.partial, "\n")
		if !ok {
			break
		}
		r.partial = rest
		r.lines = append(r.lines, line)
		if r.level == levelWarn || r.level == levelError {
			tell = append(tell, line)
		}
	}
	if extra := len(r.lines) - logLines; extra > 0 {
		r.lines = append(r.lines[:0:0], r.lines[extra:]...)
		r.first += extra
	}
	out := r.out
	r.mu.Unlock()
	if out != nil {
		for _, line := range tell {
			out(line)
		}
	}
}

// mark is a place in the log; since returns the lines written after it.
func (r *logRing) mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.first + len(r.lines)
}

func (r *logRing) since(mark int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines[min(max(0, mark-r.first), len(r.lines)):]...)
}

// logCallback is the C function that writes to the ring. It is made once.
func logCallback(r *logRing) uintptr {
	return purego.NewCallback(func(level int32, text *byte, _ uintptr) uintptr {
		if text != nil {
			r.write(level, goString(text))
		}
		return 0
	})
}

// goString copies a C string.
func goString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return strings.ToValidUTF8(string(unsafe.Slice(p, n)), "?")
}

var (
	offloadedLine = regexp.MustCompile(`offloaded (\d+)/(\d+) layers to GPU`)
	bufferLine    = regexp.MustCompile(`:\s*(\S+)\s+.*buffer size\s*(?:=|of|is)\s*([0-9.]+) MiB`)
	memoryWords   = regexp.MustCompile(`(?i)failed to allocate|unable to allocate|out of memory|outofdevicememory|outofhostmemory|cudamalloc failed`)
)

// placement is what a load really did, read from the log.
type placement struct {
	gpuLayers int
	total     int              // layers, the output layer included
	bytes     map[string]int64 // by buffer name: "CPU", "CPU_Mapped", "Vulkan0", …
}

func parsePlacement(lines []string) placement {
	p := placement{bytes: map[string]int64{}}
	for _, line := range lines {
		if m := offloadedLine.FindStringSubmatch(line); m != nil {
			p.gpuLayers, _ = strconv.Atoi(m[1])
			p.total, _ = strconv.Atoi(m[2])
		}
		if m := bufferLine.FindStringSubmatch(line); m != nil {
			if mib, err := strconv.ParseFloat(m[2], 64); err == nil {
				p.bytes[m[1]] += int64(mib * (1 << 20))
			}
		}
	}
	return p
}

// resident is the sum of all buffers in bytes.
func (p placement) resident() int64 {
	var sum int64
	for _, n := range p.bytes {
		sum += n
	}
	return sum
}

// outOfMemory says whether the log of a failed load speaks of memory.
func outOfMemory(lines []string) bool {
	for _, line := range lines {
		if memoryWords.MatchString(line) {
			return true
		}
	}
	return false
}
