package lexical

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func index(entries ...Entry) *Index { return NewIndex([]*Block{Build(entries)}) }

func found(t *testing.T, x *Index, text string, languages ...string) []int64 {
	t.Helper()
	hits, err := x.Search(context.Background(), NewQuery(text, languages), nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.Chunk
	}
	return ids
}

func TestR099_ATwoSignQueryFindsItsChineseLine(t *testing.T) {
	x := index(
		Entry{Chunk: 1, Language: "zh", Text: "今天天气很好"},
		Entry{Chunk: 2, Language: "zh", Text: "水泵的保修期是两年"},
		Entry{Chunk: 3, Language: "zh", Text: "请在周五之前付款"},
		Entry{Chunk: 4, Language: "zh", Text: "会议室在三楼"},
	)
	for query, want := range map[string]int64{"保修": 2, "天气": 1, "付款": 3, "会议": 4, "水": 2} {
		if got := found(t, x, query, "zh"); len(got) == 0 || got[0] != want {
			t.Errorf("%s found %v, want %d first", query, got, want)
		}
	}
}

func TestR101_UnspacedScriptsAreFoundByAClause(t *testing.T) {
	x := index(
		Entry{Chunk: 1, Language: "ja", Text: "暖房ポンプの保証期間は二十四か月です。"},
		Entry{Chunk: 2, Language: "ja", Text: "会議は金曜日に開かれます。"},
		Entry{Chunk: 3, Language: "th", Text: "ปั๊มความร้อนรับประกันยี่สิบสี่เดือน"},
		Entry{Chunk: 4, Language: "km", Text: "ម៉ាស៊ីនបូមកំដៅមានការធានា"},
		Entry{Chunk: 5, Language: "lo", Text: "ປໍ້າຄວາມຮ້ອນຮັບປະກັນ"},
		Entry{Chunk: 6, Language: "my", Text: "အပူပေးစက်အာမခံ"},
		Entry{Chunk: 7, Language: "ko", Text: "난방 펌프의 보증은 이년입니다"},
	)
	all := []string{"ja", "ko", "km", "lo", "my", "th"}
	for query, want := range map[string]int64{"保証期間": 1, "金曜日に開かれ": 2, "รับประกัน": 3, "ការធានា": 4, "ຮັບປະກັນ": 5, "အာမခံ": 6, "보증": 7, "펌프": 7} {
		if got := found(t, x, query, all...); len(got) == 0 || got[0] != want {
			t.Errorf("%s found %v, want %d first", query, got, want)
		}
	}
}

func TestSearch_FindsAcrossSpellings(t *testing.T) {
	x := index(
		Entry{Chunk: 1, Language: "en", Text: "The running costs were 1,234.56 on March 1, 2024."},
		Entry{Chunk: 2, Language: "de", Text: "Die Häuser kosten 9.876,50 am 2. April 2023."},
		Entry{Chunk: 3, Language: "en", Text: "It failed with ERR_NGX_502 in getUserById."},
		Entry{Chunk: 4, Language: "it", Text: "L'assemblea dell'edificio."},
		Entry{Chunk: 5, Language: "en", Text: "Nothing of that.", FileName: "heating_manual-2021.pdf"},
	)
	for query, want := range map[string]int64{
		"cost run": 1, "1234.56": 1, "2024-03-01": 1, "Haus": 2, "9876.50": 2, "2.4.2023": 2, "err_ngx_502": 3, "502": 3, "user by id": 3,
		"assemblee": 4, "edificio": 4, "heating manual": 5,
	} {
		if got := found(t, x, query, "de", "en", "it"); len(got) == 0 || got[0] != want {
			t.Errorf("%q found %v, want %d first", query, got, want)
		}
	}
}

// With three chunks of 4, 4 and 4 words: idf of a word in one chunk is
// ln(1 + 2.5/1.5) = 0.98083, and tf 1 at average length gives 1/(1+0.9).
func TestExplain_TakesTheScoreApart(t *testing.T) {
	x := index(
		Entry{Chunk: 1, Language: "en", Text: "pump motor valve filter"},
		Entry{Chunk: 2, Language: "en", Text: "boiler motor valve pipe"},
		Entry{Chunk: 3, Language: "en", Text: "paper desk chair lamp"},
	)
	q := NewQuery("Which pump needs a motor from Atlantis?", []string{"en"})
	e := x.Explain(q, 1, 99)
	if len(e) != 2 || e[1].Score != 0 || e[1].Share != 0 {
		t.Fatalf("an unknown chunk holds %+v", e[1])
	}
	rare, common := math.Log(1+2.5/1.5), math.Log(1+1.5/2.5)
	nowhere := math.Log(1 + 3.5/0.5)
	if want := (rare + common) / 1.9; math.Abs(e[0].Score-want) > 1e-6 {
		t.Errorf("score %v, want %v", e[0].Score, want)
	}
	// needs is content too, and nowhere, like Atlantis.
	if want := (rare + common) / (rare + common + 2*nowhere); math.Abs(e[0].Share-want) > 1e-6 {
		t.Errorf("share %v, want %v", e[0].Share, want)
	}
	if len(e[0].Terms) != 2 || e[0].Terms[0].Word != "pump" || e[0].Terms[0].Chunks != 1 || e[0].Terms[1].Chunks != 2 {
		t.Errorf("terms %+v", e[0].Terms)
	}
	hits, err := x.Search(context.Background(), q, nil, 1)
	if err != nil || len(hits) != 1 || math.Abs(hits[0].Score-e[0].Score) > 1e-6 {
		t.Errorf("search gives %v (%v), explain %v", hits, err, e[0].Score)
	}
}

func TestSearch_TitleAndHeadingCountTwice(t *testing.T) {
	x := index(
		Entry{Chunk: 1, Language: "en", Text: "the warranty of the pump is described here at length"},
		Entry{Chunk: 2, Language: "en", Title: "warranty", Text: "the period of the pump is described here at length"},
	)
	if got := found(t, x, "warranty", "en"); !slices.Equal(got, []int64{2, 1}) {
		t.Fatalf("found %v, want the titled one first", got)
	}
}

func TestSearch_VariantsOfOneWordCountOnce(t *testing.T) {
	x := index(
		Entry{Chunk: 1, Language: "de", Text: "haus hauser garten"}, // both forms that the question has
		Entry{Chunk: 2, Language: "de", Text: "haus blume garten"},
	)
	q := NewQuery("Häuser", []string{"de", "en"})
	if n := len(q.Groups[0].Variants); n != 2 {
		t.Fatalf("the word has %d variants, the test needs 2", n)
	}
	e := x.Explain(q, 1)[0]
	if len(e.Terms) != 1 || e.Terms[0].Weight != e.Score {
		t.Fatalf("one word was counted more than once: %+v", e)
	}
}

func TestPlan_CapsALongQueryAtTheRarestWords(t *testing.T) {
	var entries []Entry
	words := make([]string, 60)
	for i := range words {
		words[i] = word(i)
	}
	for i := range words {
		entries = append(entries, Entry{Chunk: int64(i + 1), Language: unstemmed, Text: strings.Join(words[:i+1], " ")})
	}
	x := index(entries...)
	scored, _ := x.plan(NewQuery(strings.Join(words, " "), []string{unstemmed}))
	if len(scored) != MaxTerms || scored[0].df != 1 || scored[MaxTerms-1].df != MaxTerms {
		t.Fatalf("%d terms from df %d to %d", len(scored), scored[0].df, scored[len(scored)-1].df)
	}
}

func TestMerge_ForgetsTheWordsOfDroppedChunks(t *testing.T) {
	b := Build([]Entry{{Chunk: 1, Language: "en", Text: "secret falcon"}, {Chunk: 2, Language: "en", Text: "public pigeon"}})
	m := Merge([]*Block{b}, func(id int64) bool { return id == 1 })
	if bytes.Contains(m.Encoded(), []byte("falcon")) || !bytes.Contains(m.Encoded(), []byte("pigeon")) || m.Len() != 1 {
		t.Fatalf("the block still holds %q", m.Encoded())
	}
	if Merge(nil, nil).Len() != 0 {
		t.Fatal("nothing merged must be nothing")
	}
}

func TestSearch_EmptyAndCancelled(t *testing.T) {
	x := index(Entry{Chunk: 1, Language: "en", Text: "pump"})
	if got := found(t, NewIndex(nil), "pump", "en"); len(got) != 0 {
		t.Errorf("an empty index found %v", got)
	}
	if got := found(t, x, "  …  ", "en"); len(got) != 0 {
		t.Errorf("an empty query found %v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Search(ctx, NewQuery("pump", []string{"en"}), nil, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search returned %v", err)
	}
}
