package process

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestFrameBytes(t *testing.T) {
	var b bytes.Buffer
	if err := NewPipe(nil, &b).Send('g', []byte("ab")); err != nil {
		t.Fatal(err)
	}
	// Three bytes follow: the type and two of payload.
	if want := []byte{3, 0, 0, 0, 'g', 'a', 'b'}; !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got % x, want % x", b.Bytes(), want)
	}
}

func TestReceive(t *testing.T) {
	for _, c := range []struct {
		name, in string
		kind     byte
		payload  string
		err      error
	}{
		{"empty payload", "\x01\x00\x00\x00k", 'k', "", nil},
		{"payload", "\x03\x00\x00\x00gab", 'g', "ab", nil},
		{"closed between frames", "", 0, "", io.EOF},
		{"closed in the length", "\x03\x00", 0, "", io.ErrUnexpectedEOF},
		{"closed before the type", "\x03\x00\x00\x00", 0, "", io.ErrUnexpectedEOF},
		{"closed in the payload", "\x03\x00\x00\x00ga", 0, "", io.ErrUnexpectedEOF},
		{"length zero", "\x00\x00\x00\x00g", 0, "", ErrGarbage},
		{"length one above the limit", "\x01\x00\x00\x04g", 0, "", ErrGarbage},
		{"a log line", "llama_decode: failed\n", 0, "", ErrGarbage},
		{"tabs, the lowest text", "\t\t\t\t\t", 0, "", ErrGarbage},
		{"a promise of 64 MB and one byte", "\x00\x00\x00\x04gx", 0, "", io.ErrUnexpectedEOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, payload, err := NewPipe(strings.NewReader(c.in), nil).Receive()
			if !errors.Is(err, c.err) {
				t.Fatalf("got error %v, want %v", err, c.err)
			}
			if err == nil && (kind != c.kind || string(payload) != c.payload) {
				t.Errorf("got %q %q, want %q %q", kind, payload, c.kind, c.payload)
			}
		})
	}
}

func TestAPayloadOverTheLimitIsNotSent(t *testing.T) {
	var b bytes.Buffer
	err := NewPipe(nil, &b).Send('g', make([]byte, MaxFrame))
	if !errors.Is(err, ErrFrameTooLarge) || b.Len() != 0 {
		t.Errorf("got %v and %d bytes, want ErrFrameTooLarge and none", err, b.Len())
	}
}

func TestALargePayloadArrivesWhole(t *testing.T) {
	payload := make([]byte, 5<<20+3)
	for i := range payload {
		payload[i] = byte(i * 7)
	}
	var b bytes.Buffer
	if err := NewPipe(nil, &b).Send('v', payload); err != nil {
		t.Fatal(err)
	}
	_, got, err := NewPipe(&b, nil).Receive()
	if err != nil || !bytes.Equal(got, payload) {
		t.Errorf("%d bytes came of %d, %v", len(got), len(payload), err)
	}
}

func TestFramesOfManySendersStayWhole(t *testing.T) {
	in, out := io.Pipe()
	pipe := NewPipe(in, out)
	var senders sync.WaitGroup
	for n := range 8 {
		senders.Go(func() {
			for range 50 {
				if err := pipe.Send(byte(n), bytes.Repeat([]byte{byte(n)}, n*100)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() { senders.Wait(); out.Close() }()
	frames := 0
	for {
		kind, payload, err := pipe.Receive()
		if err == io.EOF {
			break
		}
		if err != nil || len(payload) != int(kind)*100 {
			t.Fatalf("frame %d has %d bytes, %v", kind, len(payload), err)
		}
		frames++
	}
	if frames != 400 {
		t.Errorf("%d frames came, want 400", frames)
	}
}

func TestFloats(t *testing.T) {
	v := []float32{0, 1, -2.5, math.MaxFloat32, float32(math.Inf(1))}
	b := AppendFloats(nil, v)
	// 1 is 0x3f800000, least byte first.
	if want := []byte{0, 0, 0x80, 0x3f}; !bytes.Equal(b[4:8], want) {
		t.Errorf("1 is % x, want % x", b[4:8], want)
	}
	got, err := Floats(b)
	if err != nil || !slices.Equal(got, v) {
		t.Errorf("got %v %v, want %v", got, err, v)
	}
	if _, err := Floats(b[:5]); !errors.Is(err, ErrGarbage) {
		t.Errorf("five bytes gave %v, want ErrGarbage", err)
	}
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte("\x03\x00\x00\x00gab\x01\x00\x00\x00k"))
	f.Add([]byte("\x00\x00\x00\x00"))
	f.Add([]byte("garbage that is long enough"))
	f.Fuzz(func(t *testing.T, in []byte) {
		// What was read as frames, written again, is the beginning of the input.
		pipe := NewPipe(bytes.NewReader(in), nil)
		var again bytes.Buffer
		back := NewPipe(nil, &again)
		for {
			kind, payload, err := pipe.Receive()
			if err != nil {
				break
			}
			if err := back.Send(kind, payload); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(in, again.Bytes()) {
			t.Errorf("read % x as % x", in, again.Bytes())
		}
	})
}
