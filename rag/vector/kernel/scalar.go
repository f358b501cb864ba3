package kernel

// dotFloatGo is the scalar form in Go: out[i] = query · row i.
func dotFloatGo(query, rows, out []float32) {
	d := len(query)
	for i := range out {
		row := rows[i*d : (i+1)*d]
		var s0, s1, s2, s3 float32
		j := 0
		for ; j+4 <= d; j += 4 {
			s0 += query[j] * row[j]
			s1 += query[j+1] * row[j+1]
			s2 += query[j+2] * row[j+2]
			s3 += query[j+3] * row[j+3]
		}
		for ; j < d; j++ {
			s0 += query[j] * row[j]
		}
		out[i] = s0 + s1 + s2 + s3
	}
}

// dotCodesGo is the scalar form in Go: out[i] = query · (row i − 128).
func dotCodesGo(query []int8, rows []uint8, out []int32) {
	d := len(query)
	for i := range out {
		row := rows[i*d : (i+1)*d]
		var s int32
		for j, q := range query {
			s += int32(q) * (int32(row[j]) - 128)
		}
		out[i] = s
	}
}

// dotHalfGo is the scalar form in Go for rows in half precision.
func dotHalfGo(query []float32, rows []uint16, out []float32) {
	d := len(query)
	for i := range out {
		row := rows[i*d : (i+1)*d]
		var s float32
		for j, q := range query {
			s += q * FromHalf(row[j])
		}
		out[i] = s
	}
}

// sketchGo is the scalar form in Go of Sketch.
func sketchGo(lut, blocks []uint8, out []uint16) {
	clear(out)
	groups := len(lut) / 16
	for b := range len(out) / SketchBlock {
		sums := out[b*SketchBlock : (b+1)*SketchBlock]
		for g := range groups {
			table, codes := lut[16*g:16*g+16], blocks[(b*groups+g)*16:][:16]
			for i, c := range codes {
				sums[i] += uint16(table[c&15])
				sums[i+16] += uint16(table[c>>4])
			}
		}
	}
}
