package offload

// Class says how a model would run on a machine.
type Class string

// The closed list of classes, from fast to impossible.
const (
	OnDevice Class = "gpu"   // all of it on graphics processors
	Split    Class = "split" // some of its layers
	OnCPU    Class = "cpu"   // main memory only
	TooLarge Class = "too_large"
)

// Demand is what is known of a model whose file is not here.
type Demand struct {
	Bytes         int64 // of the file
	CachePerToken int64 // bytes of a 16-bit attention cache for one token; 0: none or not known
}

const (
	working = 512 << 20 // buffers of one context, in bytes
	desktop = 2 << 30   // main memory that everything else needs
	quarter = 4         // fewer layers than one in four on a device gain little
)

// Need is the memory that a comfortable turn takes, in bytes.
func (d Demand) Need() int64 { return d.Bytes + d.CachePerToken*Comfortable + working }

// Judge compares a demand with a machine. memory is its main memory in bytes;
// 0: not known, which is taken for enough. With more memory the class never gets
// worse.
func Judge(devices []Device, memory int64, d Demand) Class {
	var room int64
	for _, dev := range devices {
		room += max(0, dev.Free-dev.Margin())
	}
	need := d.Need()
	host := memory - desktop
	if memory == 0 {
		host = need
	}
	switch {
	case room >= need:
		return OnDevice
	case room >= need/quarter && room+host >= need:
		return Split
	case host >= need:
		return OnCPU
	}
	return TooLarge
}

// Rank orders classes: smaller is faster.
func (c Class) Rank() int {
	for i, x := range []Class{OnDevice, Split, OnCPU} {
		if c == x {
			return i
		}
	}
	return 3
}
