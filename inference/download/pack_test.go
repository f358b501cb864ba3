package download_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/download"
	"referent/inference/runtime/pack"
)

const packSize = 1<<20 + 7

// archives are two servers with an archive each, and where they lie.
type archives struct {
	*testing.T
	first, second *download.Source
	one, two      []byte
	dir           string
	from          []pack.Source
}

func newArchives(t *testing.T) *archives {
	a := &archives{T: t, one: download.Noise(1, packSize), two: download.Noise(2, packSize), dir: filepath.Join(t.TempDir(), "packs")}
	a.first, a.second = download.Serve(t, a.one), download.Serve(t, a.two)
	a.from = []pack.Source{
		{URL: a.first.URL + "/plug-in.tgz", Bytes: packSize, SHA256: download.HashOf(a.one)},
		{URL: a.second.URL + "/numbers.whl", Bytes: packSize, SHA256: download.HashOf(a.two)},
	}
	return a
}

func (a *archives) fetch(ctx context.Context, progress func(download.Progress)) ([]pack.Fetched, error) {
	d, _ := download.ByHand()
	return pack.Fetch(ctx, d, a.dir, a.from, 0, progress)
}

func (a *archives) expectWhole(got []pack.Fetched, err error) {
	a.Helper()
	if err != nil || len(got) != 2 {
		a.Fatalf("%+v, %v", got, err)
	}
	for i, want := range [][]byte{a.one, a.two} {
		if body, err := os.ReadFile(got[i].Path); err != nil || !bytes.Equal(body, want) {
			a.Errorf("archive %d: %d bytes, %v", i+1, len(body), err)
		}
	}
}

// Nothing is asked of a server where the disk has no room for the archives and for
// what comes of them. What has arrived already needs none.
func TestPack_NeedsRoomForAllOfIt(t *testing.T) {
	a := newArchives(t)
	d, _ := download.ByHand()
	const then = 5 << 20
	need := int64(2*packSize + then)
	need += need/20 + 1<<30
	d.Free = func(string) (int64, error) { return need - 1, nil }
	_, err := pack.Fetch(t.Context(), d, a.dir, a.from, then, nil)
	if !errors.Is(err, download.ErrNoSpace) || len(a.first.Asked()) != 0 {
		t.Errorf("%v, %d requests", err, len(a.first.Asked()))
	}
	d.Free = func(string) (int64, error) { return need, nil }
	a.expectWhole(pack.Fetch(t.Context(), d, a.dir, a.from, then, nil))
	d.Free = func(string) (int64, error) { return then + then/20 + 1<<30, nil }
	a.expectWhole(pack.Fetch(t.Context(), d, a.dir, a.from, then, nil))
}

// Two archives are one transfer; what is there is not asked for again.
func TestPack_ArchivesAreOneTransfer(t *testing.T) {
	a := newArchives(t)
	var done []int64
	got, err := a.fetch(t.Context(), func(p download.Progress) {
		if done = append(done, p.Done); p.Total != 2*packSize {
			t.Errorf("a total of %d", p.Total)
		}
	})
	a.expectWhole(got, err)
	if !slices.IsSorted(done) || done[len(done)-1] != 2*packSize || got[0].Proof != download.ProofCatalogue {
		t.Errorf("told %v; %+v", done, got)
	}
	a.expectWhole(a.fetch(t.Context(), nil))
	if len(a.first.Asked())+len(a.second.Asked()) != 2 {
		t.Errorf("asked again: %v, %v", a.first.Asked(), a.second.Asked())
	}
	if err := os.WriteFile(got[1].Path, a.one, 0o600); err != nil { // the right size, other bytes
		t.Fatal(err)
	}
	a.expectWhole(a.fetch(t.Context(), nil))
}

// A pause keeps what has come, and the next call goes on there.
func TestPack_GoesOnAfterAPause(t *testing.T) {
	a := newArchives(t)
	ctx, cancel := context.WithCancel(t.Context())
	a.second.Misbehave(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n > 0 {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(packSize))
		_, _ = w.Write(a.two[:packSize/2])
		_ = http.NewResponseController(w).Flush()
		<-ctx.Done()
		return true
	})
	_, err := a.fetch(ctx, func(p download.Progress) {
		if p.Done >= packSize+packSize/2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	a.expectWhole(a.fetch(t.Context(), nil))
	if asked := a.second.Asked(); len(asked) != 2 || !strings.HasPrefix(asked[1], "bytes="+strconv.Itoa(packSize/2)) || len(a.first.Asked()) != 1 {
		t.Errorf("asked for %v and %v", a.first.Asked(), asked)
	}
}

// Whatever a server does, an archive is the right one or there is none.
func TestPack_ServersThatLie(t *testing.T) {
	for _, c := range []struct {
		name string
		lie  func(a *archives)
		kind error // nil: the archives come all the same
	}{
		{"breaks off once", func(a *archives) {
			a.first.Misbehave(func(n int, w http.ResponseWriter, _ *http.Request) bool {
				return n == 0 && download.CutOff(w, a.one, 1000)
			})
		}, nil},
		{"announces that it has something else", func(a *archives) { a.second.Change(download.Noise(9, packSize)) }, download.ErrChanged},
		{"sends other bytes of the same length", func(a *archives) {
			a.second.Misbehave(func(_ int, w http.ResponseWriter, r *http.Request) bool {
				w.Header().Del("X-Linked-Etag")
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(download.Noise(9, packSize)))
				return true
			})
		}, download.ErrAltered},
		{"has another length", func(a *archives) { a.second.Change(a.two[:packSize-1]) }, download.ErrChanged},
		{"refuses", func(a *archives) {
			a.second.Misbehave(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusForbidden)
				return true
			})
		}, download.ErrServer},
		{"announces another hash than the person knows", func(a *archives) { a.from[1].SHA256, a.from[1].Bytes = strings.Repeat("a", 64), 0 }, download.ErrChanged},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArchives(t)
			c.lie(a)
			got, err := a.fetch(t.Context(), nil)
			if c.kind == nil {
				a.expectWhole(got, err)
				return
			}
			var e *inference.Error
			if !errors.Is(err, c.kind) || !errors.As(err, &e) || len(e.Message) < 20 {
				t.Errorf("got %v, want %v with a sentence", err, c.kind)
			}
			if left, _ := filepath.Glob(filepath.Join(a.dir, "2-*.whl")); len(left) != 0 {
				t.Errorf("%v is there", left)
			}
		})
	}
}

// Without a hash the server's counts, and is told as such; what is no address and
// no hash is refused before anything is asked.
func TestPack_AddressesOfAPersonsOwn(t *testing.T) {
	a := newArchives(t)
	a.from[0].SHA256, a.from[0].Bytes = "", 0
	got, err := a.fetch(t.Context(), nil)
	a.expectWhole(got, err)
	if got[0].Proof != download.ProofServer || got[1].Proof != download.ProofCatalogue {
		t.Errorf("%+v", got)
	}
	for _, bad := range []pack.Source{{URL: "ftp://host/a.whl"}, {URL: "a.whl"}, {URL: "https://"}, {URL: a.first.URL, SHA256: "12"}, {URL: a.first.URL, SHA256: strings.Repeat("x", 64)}} {
		a.from = []pack.Source{bad}
		var e *inference.Error
		if _, err := a.fetch(t.Context(), nil); !errors.Is(err, inference.ErrNoRuntime) || !errors.As(err, &e) || e.Message == "" {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if n := len(a.first.Asked()); n != 1 {
		t.Errorf("%d requests", n)
	}
}
