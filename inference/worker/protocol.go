package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"referent/inference"
	"referent/inference/process"
)

// protocolVersion is raised with every change of the frames below. The worker
// runs the same executable, so a difference means a wrong Exe.
const protocolVersion = 2

// Types of frames. Requests and answers begin with the eight bytes of an id,
// little-endian; a JSON body follows where none is named.
const (
	frameHello byte = 'h' // worker: hello, without an id; always first

	frameLoad     byte = 'L' // inference.LoadSpec
	frameUnload   byte = 'U' // roleRequest
	frameGenerate byte = 'G' // generateRequest
	frameEmbed    byte = 'E' // embedRequest
	frameRerank   byte = 'R' // rerankRequest
	frameCount    byte = 'T' // countRequest
	frameCancel   byte = 'C' // no body

	frameProgress byte = 'p' // one float64: the part done of a load, or -1: alive
	framePieces   byte = 's' // pieces
	frameDone     byte = 'd' // done; the last frame of a request
	frameVectors  byte = 'v' // two uint32, count and dimensions, then the floats; comes before done
)

// alive is the progress of work that cannot say how far it is.
const alive = -1

// hello introduces a worker. Error is set when its host could not be made.
type hello struct {
	Protocol    int        `json:"protocol"`
	RuntimeHash string     `json:"runtime_hash"`
	Library     string     `json:"library"`
	Error       *wireError `json:"error"`
}

type roleRequest struct {
	Role inference.Role `json:"role"`
}

type generateRequest struct {
	Role    inference.Role            `json:"role"`
	Request inference.GenerateRequest `json:"request"`
}

type embedRequest struct {
	Kind     inference.TextKind `json:"kind"`
	Texts    []string           `json:"texts"`
	Priority inference.Priority `json:"priority"`
}

type rerankRequest struct {
	Query    string   `json:"query"`
	Passages []string `json:"passages"`
}

type countRequest struct {
	Role  inference.Role `json:"role"`
	Texts []string       `json:"texts"`
}

// pieces are parts of a reply. Tokens is the number of steps that made them.
type pieces struct {
	Pieces []inference.Piece `json:"pieces"`
	Tokens int               `json:"tokens"`
}

// done ends a request. Info is the model after a load and after a reply, when
// its measured rates may have changed.
type done struct {
	Error  *wireError                `json:"error,omitempty"`
	Info   *inference.ModelInfo      `json:"info,omitempty"`
	Result *inference.GenerateResult `json:"result,omitempty"`
	Counts []int                     `json:"counts,omitempty"`
}

// frame is one answer on its way to a caller.
type frame struct {
	kind byte
	body []byte
}

func withID(id uint64, body []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(body)), id), body...)
}

func splitID(payload []byte) (id uint64, body []byte, err error) {
	if len(payload) < 8 {
		return 0, nil, fmt.Errorf("%w: %d bytes without an id", process.ErrGarbage, len(payload))
	}
	return binary.LittleEndian.Uint64(payload), payload[8:], nil
}

// encode writes a body. The types above cannot fail to marshal; texts that are
// not valid UTF-8 arrive with replacement characters.
func encode(id uint64, body any) []byte {
	b, err := json.Marshal(body)
	if err != nil {
		b = []byte("null") // a NaN in a result: the reader reports a bad body
	}
	return withID(id, b)
}

func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%w: %w", process.ErrGarbage, err)
	}
	return nil
}

// vectorBody writes vectors of one length.
func vectorBody(vectors [][]float32) ([]byte, error) {
	dims := 0
	if len(vectors) > 0 {
		dims = len(vectors[0])
	}
	b := make([]byte, 0, 8+4*dims*len(vectors))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(vectors)))
	b = binary.LittleEndian.AppendUint32(b, uint32(dims))
	for _, v := range vectors {
		if len(v) != dims {
			return nil, errors.New("vectors of different lengths")
		}
		b = process.AppendFloats(b, v)
	}
	return b, nil
}

func parseVectors(body []byte) ([][]float32, error) {
	if len(body) < 8 {
		return nil, fmt.Errorf("%w: vectors of %d bytes", process.ErrGarbage, len(body))
	}
	count, dims := uint64(binary.LittleEndian.Uint32(body)), uint64(binary.LittleEndian.Uint32(body[4:]))
	floats, err := process.Floats(body[8:])
	if err != nil {
		return nil, err
	}
	if uint64(len(floats)) != count*dims || dims == 0 && count > 0 {
		return nil, fmt.Errorf("%w: %d values for %d vectors of %d", process.ErrGarbage, len(floats), count, dims)
	}
	out := make([][]float32, count)
	for i := range out {
		out[i] = floats[uint64(i)*dims : uint64(i+1)*dims : uint64(i+1)*dims]
	}
	return out, nil
}
