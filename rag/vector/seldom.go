package vector

import "unsafe"

// copyFrom is the number of vectors from which single rows and codes are read
// from their files. The pages of a mapped file stay in memory once they were
// touched, sixteen at a time, so that some dozens of searches would hold the whole
// file: at a million vectors of 384 dimensions more than a gigabyte.
const copyFrom = 250_000

// codesOf copies the codes of a row.
func (x *Index) codesOf(p *page, row int, to []uint8) error {
	codes := p.codes[row*x.dims : (row+1)*x.dims]
	if p.file == nil || x.count < x.copies {
		copy(to, codes)
		return nil
	}
	return p.file.Copy(to, codes)
}

// halfOf returns a row in half precision, perhaps in to.
func (x *Index) halfOf(p *page, row int, to []uint16) ([]uint16, error) {
	half := p.rows[row*x.dims : (row+1)*x.dims]
	if p.file == nil || x.count < x.copies {
		return half, nil
	}
	return to, p.file.Copy(bytesOf(to), bytesOf(half))
}

func bytesOf(v []uint16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 2*len(v))
}

// Forget gives the mapped pages back that a scan of everything has touched.
func (x *Index) Forget() {
	for _, b := range x.blocks {
		if f, ok := b.keep.(file); ok {
			f.Forget()
		}
	}
}
