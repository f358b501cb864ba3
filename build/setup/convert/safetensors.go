package convert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// weights gives tensors of a safetensors file by name.
type weights struct {
	rows map[string]weight
	data []byte
}

type weight struct {
	Kind    string   `json:"dtype"`
	Shape   []uint64 `json:"shape"` // slowest-moving first
	Offsets []uint64 `json:"data_offsets"`
}

// readSafetensors reads the header: its length, then JSON, then the data.
func readSafetensors(b []byte) (*weights, error) {
	if len(b) < 8 {
		return nil, errors.New("safetensors: too short")
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return nil, errors.New("safetensors: header longer than the file")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b[8:8+n], &raw); err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	w := &weights{rows: map[string]weight{}, data: b[8+n:]}
	for name, text := range raw {
		if name == "__metadata__" {
			continue
		}
		var row weight
		if err := json.Unmarshal(text, &row); err != nil {
			return nil, fmt.Errorf("safetensors: %q: %w", name, err)
		}
		if len(row.Offsets) != 2 || row.Offsets[0] > row.Offsets[1] || row.Offsets[1] > uint64(len(w.data)) {
			return nil, fmt.Errorf("safetensors: %q lies outside the file", name)
		}
		w.rows[name] = row
	}
	return w, nil
}

// float32s returns a tensor that must have the given shape.
func (w *weights) float32s(name string, shape ...uint64) ([]float32, error) {
	row, ok := w.rows[name]
	if !ok {
		return nil, fmt.Errorf("tensor %q is missing", name)
	}
	if !slices.Equal(row.Shape, shape) {
		return nil, fmt.Errorf("tensor %q has the shape %v instead of %v", name, row.Shape, shape)
	}
	count := uint64(1)
	for _, d := range shape {
		count *= d
	}
	b := w.data[row.Offsets[0]:row.Offsets[1]]
	width := map[string]uint64{"F32": 4, "BF16": 2}[row.Kind]
	if width == 0 {
		return nil, fmt.Errorf("tensor %q has the type %q; F32 and BF16 can be read", name, row.Kind)
	}
	if uint64(len(b)) != count*width {
		return nil, fmt.Errorf("tensor %q has %d bytes instead of %d", name, len(b), count*width)
	}
	out := make([]float32, count)
	for i := range out {
		if width == 4 {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		} else {
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		}
	}
	return out, nil
}
