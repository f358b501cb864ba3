package process

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// MaxFrame is the largest frame in bytes, type byte included. It is below
// 0x09000000 on purpose: the length is little-endian and its fourth byte is
// then smaller than that of any printable text or white space, so text that
// strays into the pipe is always noticed.
const MaxFrame = 64 << 20

// ErrGarbage says that what came through the pipe is no frame.
var ErrGarbage = errors.New("the pipe holds something that is no frame")

// ErrFrameTooLarge says that a payload was not sent because it exceeds MaxFrame.
var ErrFrameTooLarge = errors.New("the message is too large for the pipe")

// Pipe reads and writes frames: four bytes of length, little-endian, counting
// what follows; one type byte; the payload. Send may be called from several
// goroutines, Receive from one.
type Pipe struct {
	in  io.Reader
	out io.Writer

	mu  sync.Mutex // guards out and buf
	buf []byte
}

// NewPipe joins a reader and a writer. The caller closes them.
func NewPipe(in io.Reader, out io.Writer) *Pipe { return &Pipe{in: in, out: out} }

// keptBuffer is the largest send buffer that is kept for the next frame.
const keptBuffer = 1 << 20

// Send writes one frame in one Write call.
func (p *Pipe) Send(kind byte, payload []byte) error {
	if len(payload)+1 > MaxFrame {
		return fmt.Errorf("%w: %d bytes", ErrFrameTooLarge, len(payload))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.buf = binary.LittleEndian.AppendUint32(p.buf[:0], uint32(len(payload)+1))
	p.buf = append(append(p.buf, kind), payload...)
	_, err := p.out.Write(p.buf)
	if cap(p.buf) > keptBuffer {
		p.buf = nil
	}
	return err
}

// Receive reads one frame. The payload belongs to the caller. io.EOF means that
// the other end closed between two frames; io.ErrUnexpectedEOF, within one;
// ErrGarbage, that the stream is not ours and cannot be read any further.
func (p *Pipe) Receive() (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(p.in, head[:4]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:4])
	if n == 0 || n > MaxFrame {
		return 0, nil, fmt.Errorf("%w: a length of %d", ErrGarbage, n)
	}
	if _, err := io.ReadFull(p.in, head[4:]); err != nil {
		return 0, nil, whole(err)
	}
	payload, err = readAll(p.in, int(n)-1)
	return head[4], payload, whole(err)
}

// firstRead bounds what is allocated before any byte has come: a length that
// promises more is believed piece by piece.
const firstRead = 1 << 20

func readAll(in io.Reader, n int) ([]byte, error) {
	buf := make([]byte, min(n, firstRead))
	for read := 0; ; {
		got, err := io.ReadFull(in, buf[read:])
		if err != nil {
			return nil, err
		}
		if read += got; read == n {
			return buf, nil
		}
		buf = append(buf, make([]byte, min(n-read, len(buf)))...)
	}
}

func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// AppendFloats appends raw little-endian float32 values, the form of vectors in
// a payload.
func AppendFloats(b []byte, v []float32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Floats reads what AppendFloats wrote. The error is ErrGarbage when the bytes
// are no whole number of values.
func Floats(b []byte) ([]float32, error) {
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("%w: %d bytes of vectors", ErrGarbage, len(b))
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}
