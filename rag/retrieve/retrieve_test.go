package retrieve

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment"
	"referent/storage/index"
)

func TestLookup(t *testing.T) {
	w := newWorld(t)
	s := w.set()
	if got, want := s.Names(), []string{"bm25", "dense", "hybrid", "reranked"}; !slices.Equal(got, want) {
		t.Fatalf("names %v, want %v", got, want)
	}
	_, err := s.Lookup("magic")
	if !errors.Is(err, &rag.Error{Code: rag.CodeUnknownRetriever}) || !strings.Contains(err.Error(), "bm25, dense, hybrid, reranked") {
		t.Errorf("unknown retriever: %v", err)
	}
	if _, err := s.Lookup("reranked"); !errors.Is(err, &rag.Error{Code: rag.CodeNoModel}) {
		t.Errorf("reranked without a model: %v", err)
	}
	r, err := s.Lookup("")
	if err != nil || r.Name() != "hybrid" {
		t.Errorf("the default is %v, %v", r, err)
	}
}

func TestP46_BothLegsKeepRankAndScoreAndAMissIsNull(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/pump.txt", nil, "the pump has a warranty of two years")
	w.add(2, "/a/boiler.txt", nil, "boiler pressure and temperature")
	res := w.search("hybrid", w.ask("warranty of the pump"))
	first, second := res.Hits[0], res.Hits[1]
	if first.Document != 1 || first.Trace.BM25 == nil || first.Trace.BM25.Rank != 1 || first.Trace.Dense == nil || first.Trace.Dense.Rank != 1 {
		t.Fatalf("first hit %+v", first.Trace)
	}
	if want := 2.0 / 61; math.Abs(first.Trace.Fused.Score-want) > 1e-12 || first.Score != first.Trace.Fused.Score || first.Trace.Fused.Rank != 1 {
		t.Fatalf("fused %+v, want 2/61", first.Trace.Fused)
	}
	if second.Trace.BM25 != nil || second.Trace.Dense == nil || second.Trace.Rerank != nil {
		t.Fatalf("the second hit was found by meaning only: %+v", second.Trace)
	}
	b, err := json.Marshal(second.Trace)
	if err != nil || !strings.Contains(string(b), `"bm25":null`) || !strings.Contains(string(b), `"rerank":null`) {
		t.Fatalf("%s, %v", b, err)
	}
}

func TestP46_AnEmptyLegNeverLowersTheOther(t *testing.T) {
	for _, fusion := range []string{FusionRRF, FusionConvex} {
		w := newWorld(t)
		w.add(1, "/a/1.txt", nil, "pump warranty", "pump pump price", "pump noise")
		words := w.search("bm25", w.ask("pump warranty"))
		w.embedder = nil
		alone := w.search("hybrid", Query{Texts: []string{"pump warranty"}, Fusion: fusion})
		w.expect(fusion+": words alone", chunksOf(alone.Hits), chunksOf(words.Hits))
		w.embedder = &bagOfWords{}
		meaning := w.search("dense", w.ask("noise cheap"))
		w.expect(fusion+": no word found", chunksOf(w.search("hybrid", Query{Texts: []string{"zzz qqq"}, Vector: bag("noise cheap"), Fusion: fusion}).Hits), chunksOf(meaning.Hits))
	}
}

func TestHybrid_WithoutAModelSaysSoAndGoesOn(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/1.txt", nil, "pump warranty")
	for name, break_ := range map[string]func(){
		"no model":     func() { w.embedder = nil },
		"failing":      func() { w.embedder = &bagOfWords{fail: errors.New("died")} },
		"not embedded": func() { w.embedder = &bagOfWords{}; w.index.Remove(1); w.addBare(1, "pump warranty") },
	} {
		break_()
		res := w.search("hybrid", w.ask("pump"))
		if len(res.Hits) != 1 || len(res.Notes) != 1 || res.Floor != 0 || !res.Hits[0].PassedFloor {
			t.Errorf("%s: %d hits, notes %q, floor %v", name, len(res.Hits), res.Notes, res.Floor)
		}
	}
	w.embedder = nil
	w.add(2, "/a/2.txt", nil, "valve")
	r, _ := w.set().Lookup("dense")
	if _, err := r.Retrieve(context.Background(), w.ask("pump")); !errors.Is(err, &rag.Error{Code: rag.CodeNoModel}) {
		t.Errorf("dense without a model: %v", err)
	}
}

// addBare adds a document without vectors.
func (w *world) addBare(document int64, text string) {
	w.nextID++
	c := index.Chunk{ID: w.nextID, Document: document, Text: text, Language: "en", ContentHash: text}
	w.chunks[c.ID] = c
	w.columns[document] = index.DocumentColumns{ID: document, Language: "en", Label: "public", Searchable: true}
	w.index.Add(w.columns[document], []index.Chunk{c})
}

func TestQuery_VectorReplacesTheTextsOwn(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/1.txt", nil, "pump warranty")
	w.add(2, "/a/2.txt", nil, "garden bench")
	w.embedder.calls = 0
	res := w.search("dense", Query{Texts: []string{"pump warranty"}, Vector: bag("garden bench")})
	if res.Hits[0].Document != 2 || w.embedder.calls != 0 {
		t.Fatalf("found %v with %d embeddings", documentsOf(res.Hits), w.embedder.calls)
	}
	r, _ := w.set().Lookup("hybrid")
	_, err := r.Retrieve(context.Background(), Query{Texts: []string{"pump"}, Vector: []float32{1, 2}})
	var known *rag.Error
	if !errors.As(err, &known) || known.Reason != rag.ReasonDimensionMismatch {
		t.Fatalf("a vector of another length: %v", err)
	}
}

func TestR013_BothSidesOfAComparisonAreInTheResult(t *testing.T) {
	w := newWorld(t)
	for d := range int64(8) {
		w.add(10+d, "/a/pumpa.txt", nil, "warranty of pump alpha, part "+string(rune('a'+d)))
	}
	w.add(30, "/a/pumpb.txt", nil, "the guarantee of machine beta is three years")
	res := w.search("hybrid", Query{Texts: []string{"warranty of pump alpha", "guarantee of machine beta"}, K: 4})
	if !slices.Contains(documentsOf(res.Hits)[:2], 30) || len(res.Hits) != 4 {
		t.Fatalf("found %v", documentsOf(res.Hits))
	}
}

func TestR089_TwoFilesOfOneNameAreTwoHits(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/2023/minutes.txt", nil, "the rent was raised by ten euros")
	w.add(2, "/a/2024/minutes.txt", nil, "the rent was raised by twelve euros")
	res := w.search("hybrid", w.ask("how much was the rent raised"))
	if len(res.Hits) != 2 || res.Hits[0].Path == res.Hits[1].Path || res.Hits[0].Chunk == res.Hits[1].Chunk {
		t.Fatalf("%v", documentsOf(res.Hits))
	}
}

func TestR097_ChineseIsFoundByWordAndByMeaning(t *testing.T) {
	w := newWorld(t)
	zh := func(c *index.DocumentColumns) { c.Language = "zh" }
	w.add(1, "/a/保修.txt", zh, "水泵的保修期是两年。")
	w.add(2, "/a/会议.txt", zh, "会议在周五举行。")
	for _, retriever := range []string{"bm25", "hybrid"} {
		if res := w.search(retriever, w.ask("保修期多长")); res.Hits[0].Document != 1 || !res.Hits[0].PassedFloor {
			t.Errorf("%s: %+v", retriever, res.Hits[0])
		}
	}
	if res := w.search("dense", Query{Texts: []string{"?"}, Vector: bag("水泵的保修期是两年。")}); res.Hits[0].Document != 1 {
		t.Errorf("by meaning: %v", documentsOf(res.Hits))
	}
}

func TestDistinct_RepeatsAreRecordedAndLookalikesStay(t *testing.T) {
	w := newWorld(t)
	long := "the guarantee covers all moving parts of the machine for a period of two years after delivery to the customer at no cost; " +
		"parts that wear out with use such as seals belts filters and lamps are not covered unless they were broken when they arrived nor is damage " +
		"by water frost or lightning whatsoever"
	a := w.add(1, "/a/x.txt", nil, long+" model one")
	b := w.add(2, "/b/x.txt", nil, long+" model one") // the same content
	c := w.add(3, "/b/y.txt", nil, long+" model two") // one word differs, and it occurs elsewhere
	d := w.add(4, "/b/z.txt", nil, long+" model")     // stands in the first word for word
	if cosine(long+" model one", long+" model two") < nearDuplicate {
		t.Fatal("the look-alike must be near for this test")
	}
	res := w.search("hybrid", w.ask("guarantee of model one"))
	w.expect("hits", chunksOf(res.Hits), []int64{a[0], c[0]})
	w.expect("considered", chunksOf(res.Considered), []int64{b[0], d[0]})
	for _, h := range res.Considered {
		if h.Packing != rag.PackedDuplicateOf || h.DuplicateOf != a[0] || h.Trace.Fused == nil {
			t.Errorf("considered %+v", h)
		}
	}
}

// cosine is between a query and a stored text, whose vector has half precision.
func cosine(query, stored string) float64 {
	x, y, dot, xx, yy := bag(query), bag(stored), 0.0, 0.0, 0.0
	for j := range x {
		xx += float64(x[j]) * float64(x[j])
		yy += float64(y[j]) * float64(y[j])
	}
	for j := range x {
		dot += float64(x[j]) * halfPrecision(float64(y[j])/math.Sqrt(yy))
	}
	return dot / math.Sqrt(xx)
}

// halfPrecision rounds to 11 significant bits, or to a multiple of 2^-24.
func halfPrecision(v float64) float64 {
	_, exponent := math.Frexp(v)
	unit := math.Ldexp(1, max(exponent-11, -24))
	return math.RoundToEven(v/unit) * unit
}

func TestLimits_FiveOfADocumentUnlessItIsTheOnlyOne(t *testing.T) {
	w := newWorld(t)
	var texts []string
	for i := range 12 {
		texts = append(texts, "pump number "+string(rune('a'+i))+strings.Repeat(" word", i))
	}
	ids := w.add(1, "/a/1.txt", nil, texts...)
	w.add(2, "/a/2.txt", nil, "a bench in the garden, and no machine")
	of1 := func(r Result) (n int) {
		for _, h := range r.Hits {
			if h.Document == 1 {
				n++
			}
		}
		return n
	}
	if n := of1(w.search("bm25", w.ask("pump"))); n != 5 {
		t.Errorf("%d of one document, want 5", n)
	}
	if n := of1(w.search("bm25", Query{Texts: []string{"pump"}, Scope: rag.Scope{Documents: []int64{1}}})); n != DefaultK {
		t.Errorf("%d of the selected document, want %d", n, DefaultK)
	}
	res := w.search("bm25", Query{Texts: []string{"pump"}, Scope: rag.Scope{Documents: []int64{1}}, K: 12})
	if len(res.Adjacent) != 1 || !slices.Equal(res.Adjacent[0], ids) {
		t.Errorf("adjacent %v, want all of %v in order", res.Adjacent, ids)
	}
}

func TestP47_AHitIsTheChildAndNamesItsParent(t *testing.T) {
	w := newWorld(t)
	ids := w.add(1, "/a/1.txt", nil, "the pump", "the boiler")
	h := w.search("hybrid", w.ask("boiler")).Hits[0]
	if h.Chunk != ids[1] || h.Parent != 101 || h.Text != "the boiler" || h.Locator.Page != 2 {
		t.Fatalf("%+v", h)
	}
}

func TestFloor(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/1.txt", nil, "the pump has a warranty of two years")
	w.add(2, "/a/2.txt", nil, "benches stand in the garden")
	w.add(3, "/a/3.txt", nil, "the warranty department is closed")
	for _, c := range []struct {
		name, text string
		floor      float64
		want       map[int64]bool
	}{
		{"all the content is there", "What is the warranty of the pump?", 0, map[int64]bool{1: true, 3: false}},
		{"a word that is nowhere weighs most", "What is the warranty of the zeppelin?", 0, map[int64]bool{1: false, 3: false}},
		{"near enough by meaning", "benches stand in gardens", 0.5, map[int64]bool{2: true}},
		{"not near enough", "benches stand in gardens", 0.999, map[int64]bool{1: false, 3: false}},
		{"a phrase that is not there", `warranty "pump of two"`, 0, map[int64]bool{1: false}},
		{"a phrase that is there", `"a warranty"`, 0, map[int64]bool{1: true, 3: false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.embedder.floor = c.floor
			res := w.search("hybrid", w.ask(c.text))
			if res.Floor != c.floor {
				t.Errorf("floor %v, want %v", res.Floor, c.floor)
			}
			for _, h := range res.Hits {
				if want, ok := c.want[h.Document]; ok && h.PassedFloor != want {
					t.Errorf("document %d passed: %v (share %.2f, dense %+v), want %v", h.Document, h.PassedFloor, h.TermShare, h.Trace.Dense, want)
				}
			}
		})
	}
}

func TestShape_IdentifiersAndPhrasesRaiseTheWords(t *testing.T) {
	for text, want := range map[string]bool{
		"what is ERR_NGX_502": true, "invoice 4711": true, `the "loyalty bonus" clause`: true, "„Treueprämie“ im Vertrag": true,
		"how long does the warranty of the pump last in 2024": false, "the pump": false, `an unclosed " mark`: false,
	} {
		if got := len(quoted(text)) > 0 || wantsExact(lexical.NewQuery(text, []string{"en"})); got != want {
			t.Errorf("%q wants exact: %v", text, got)
		}
	}
	if got := quoted(`„A  B“ and «ｃ» and "d`); !slices.Equal(got, []string{"a b", "c"}) {
		t.Errorf("quoted %q", got)
	}
}

func TestReranked_TheModelOrdersAndItsFloorDecides(t *testing.T) {
	w := newWorld(t)
	w.reranker = &wordCounter{floor: 0.75}
	w.add(1, "/a/1.txt", nil, "pump pump pump")
	w.add(2, "/a/2.txt", nil, "pump motor valve filter")
	res := w.search("reranked", Query{Texts: []string{"pump"}, RerankText: "pump motor valve filter"})
	w.expect("order", documentsOf(res.Hits), []int64{2, 1})
	if res.Hits[0].Trace.Rerank.Score != 1 || res.Hits[0].Score != 1 || !res.Hits[0].PassedFloor || res.Hits[1].PassedFloor || w.reranker.query != "pump motor valve filter" {
		t.Fatalf("%+v, %+v", res.Hits[0], res.Hits[1])
	}
	w.reranker.fail = true
	res = w.search("reranked", w.ask("pump"))
	w.expect("the model died", chunksOf(res.Hits), chunksOf(w.search("hybrid", w.ask("pump")).Hits))
	if len(res.Notes) != 1 || res.Hits[0].Trace.Rerank != nil {
		t.Fatalf("notes %q", res.Notes)
	}
}

func TestRetrieve_SmallThings(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/1.txt", nil, "pump")
	if res := w.search("hybrid", Query{Texts: []string{"  ", ""}}); len(res.Hits) != 0 {
		t.Errorf("an empty search found %v", documentsOf(res.Hits))
	}
	r, _ := w.set().Lookup("hybrid")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Retrieve(ctx, w.ask("pump")); !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	closed := New(Deps{Snapshot: func() *segment.Snapshot { return nil }, Store: w})
	r, _ = closed.Lookup("bm25")
	if _, err := r.Retrieve(context.Background(), w.ask("pump")); !errors.Is(err, &rag.Error{Code: rag.CodeLibraryBusy}) {
		t.Errorf("before the library is open: %v", err)
	}
	if closed.Corpus().Chunks() != 0 || closed.Corpus().DocumentFrequency("pump") != 0 {
		t.Error("a closed library has statistics")
	}
}

func TestCorpus(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/a/1.txt", nil, "pumps and valves", "a pump", "a bench")
	c := w.set().Corpus()
	if c.Chunks() != 3 || c.DocumentFrequency("Pump") != 2 || c.DocumentFrequency("zeppelin") != 0 || c.DocumentFrequency("") != 0 {
		t.Errorf("%d chunks, pump in %d", c.Chunks(), c.DocumentFrequency("Pump"))
	}
	if got, want := c.Analyze("What is the Pump's warranty?"), []string{"Pump", "warranty"}; !slices.Equal(got, want) {
		t.Errorf("content %q, want %q", got, want)
	}
}

var _ inference.Embedder = (*bagOfWords)(nil)
