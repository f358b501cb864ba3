package lab

import "math"

// Grades maps the ids of relevant passages to their grade, above 0. What is not
// in it is not relevant.
type Grades map[string]int

// RecallAt is the share of the relevant passages among the best k. Without a
// relevant passage it is 0. ids are distinct, best first.
func RecallAt(k int, ids []string, relevant Grades) float64 {
	if len(relevant) == 0 {
		return 0
	}
	found := 0
	for _, id := range ids[:min(k, len(ids))] {
		if relevant[id] > 0 {
			found++
		}
	}
	return float64(found) / float64(len(relevant))
}

// NDCGAt is the discounted cumulative gain of the best k over that of the best
// possible order (Järvelin and Kekäläinen 2002), with the grade itself as gain
// and log2(rank+1) as discount, as trec_eval has it.
func NDCGAt(k int, ids []string, relevant Grades) float64 {
	gain := 0.0
	for i, id := range ids[:min(k, len(ids))] {
		gain += float64(relevant[id]) / math.Log2(float64(i)+2)
	}
	best := idealGain(k, relevant)
	if best == 0 {
		return 0
	}
	return gain / best
}

// idealGain is the gain of all relevant passages by falling grade.
func idealGain(k int, relevant Grades) float64 {
	byGrade := map[int]int{}
	highest := 0
	for _, g := range relevant {
		byGrade[g]++
		highest = max(highest, g)
	}
	gain, rank := 0.0, 0
	for g := highest; g > 0; g-- {
		for range byGrade[g] {
			if rank == k {
				return gain
			}
			gain += float64(g) / math.Log2(float64(rank)+2)
			rank++
		}
	}
	return gain
}

// ReciprocalRankAt is 1/rank of the first relevant passage among the best k;
// its mean is MRR@k.
func ReciprocalRankAt(k int, ids []string, relevant Grades) float64 {
	for i, id := range ids[:min(k, len(ids))] {
		if relevant[id] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// ratio is a over b, and 0 where b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
