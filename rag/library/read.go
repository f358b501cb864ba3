package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/chunk"
	"referent/rag/extract"
	"referent/rag/extract/worker"
	"referent/storage"
	"referent/storage/index"
)

// maxDeaths is after how many dead parse workers a file is put aside.
const maxDeaths = 2

// troubleWait is how long reading rests when no file can be read.
const troubleWait = 30 * time.Second

// readFiles takes files from the queue, one after the other.
func (l *Library) readFiles(ctx context.Context) {
	for ctx.Err() == nil {
		work := l.work.wait()
		if !l.isPaused() {
			l.giveWay(ctx)
			d, ok, err := l.next(ctx)
			if ok {
				err = l.readOne(ctx, d)
			}
			if err == nil && ok {
				l.setTrouble("")
				continue
			}
			if err != nil && ctx.Err() == nil {
				l.setTrouble(sentence(err))
				l.rest(ctx, work)
				continue
			}
			l.endRun()
		}
		select {
		case <-ctx.Done():
		case <-work:
		}
	}
}

// rest waits until it is worth trying again.
func (l *Library) rest(ctx context.Context, wake <-chan struct{}) {
	fires, stop := l.clock.After(troubleWait)
	defer stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-fires:
	}
}

// readOne reads one file and tells about it. The error is no fault of the file:
// it waits again.
func (l *Library) readOne(ctx context.Context, d index.Document) error {
	l.setReading(d.Path, true)
	l.changed(Event{Kind: EventFile, Path: d.Path, Document: d.ID, Status: string(rag.FileIndexing)})
	l.mu.Lock()
	first := l.run.done == 0
	l.mu.Unlock()
	if first {
		l.measure.beginRun()
	}
	began := time.Now()
	var took taken
	err := l.read(ctx, d, &took)
	took.whole = time.Since(began)
	l.setReading(d.Path, false)
	if err != nil {
		// The file is not to blame; the store must hear of it even now.
		if release := l.store.Release(context.WithoutCancel(ctx), d.ID); release != nil {
			return errors.Join(err, release)
		}
		l.changed(Event{Kind: EventFile, Path: d.Path, Document: d.ID, Status: string(rag.FileWaiting)})
		return err
	}
	l.mu.Lock()
	l.run.add(1, l.clock.Now())
	l.mu.Unlock()
	now, ok, err := l.store.Document(ctx, d.ID)
	kind := "" // of a file that was not read to its end
	if err == nil && ok && readable(rag.FileStatus(now.Status)) {
		kind = now.Kind
	}
	l.measure.file(kind, d.Size, took)
	if err == nil && ok {
		l.changed(Event{Kind: EventFile, Path: now.Path, Document: now.ID, Status: now.Status, Reason: now.Reason})
		if now.Status == string(rag.FileWaiting) {
			l.work.raise()
		}
	}
	return nil
}

// read walks one file through the stages.
func (l *Library) read(ctx context.Context, d index.Document, took *taken) error {
	info, err := os.Lstat(d.Path)
	if errors.Is(err, fs.ErrNotExist) || notFolder(err) || err == nil && !info.Mode().IsRegular() {
		return l.wentAway(ctx, d)
	}
	if err == nil && info.Size() > maxFileSize {
		return l.replace(ctx, d, "", time.Time{}, took, rag.Extraction{Status: rag.FileTooLarge, Kind: d.Kind, Title: fileTitle(d.Path), TitleSource: "file_name",
			Reason: fmt.Sprintf("The file is %d MB large. Files above %d MB are not read. Split it, or export the part that you need.", info.Size()>>20, maxFileSize>>20)})
	}
	if err == nil && placeholder(d.Path, info) {
		return l.store.SetStatus(ctx, d.ID, string(rag.FileCloudOnly), cloudReason)
	}
	var hash string
	if err == nil {
		hash, err = hashFile(ctx, d.Path)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist) || notFolder(err):
		return l.wentAway(ctx, d)
	case errors.Is(err, fs.ErrPermission):
		return l.store.SetStatus(ctx, d.ID, string(rag.FileNoPermission), "The file may not be read. Give yourself the right to read it, then retry.")
	case err != nil:
		return l.store.SetStatus(ctx, d.ID, string(rag.FileDamaged), "The disk could not read the file. Check the disk, then retry.")
	}
	if d.Verdict != "" && d.Hash == hash && !(d.Verdict == string(rag.FileParked) && d.ExtractorVersion != extract.Version) {
		if err := l.store.Unchanged(ctx, d.ID); err != nil {
			return err
		}
		return l.show(ctx, d.ID) // its time is a column of filters
	}
	if d.Verdict == "" {
		if moved, err := l.moved(ctx, d, hash); moved || err != nil {
			return err
		}
	}
	ex, err := l.extract(ctx, d, hash, took)
	if _, gone := os.Lstat(d.Path); ctx.Err() == nil && (errors.Is(gone, fs.ErrNotExist) || notFolder(gone)) {
		return l.wentAway(ctx, d) // what the reader met says nothing of the bytes
	}
	if err != nil {
		return l.ended(ctx, d, hash, ex, err)
	}
	if err := l.seenAgain(ctx, d); err != nil {
		return err
	}
	if keepsOld(ex.Status) {
		return l.store.Judged(ctx, d.ID, string(ex.Status), ex.Reason, hash, extract.Version)
	}
	return l.replace(ctx, d, hash, info.ModTime(), took, ex)
}

// wentAway: the file vanished between the queue and its turn.
func (l *Library) wentAway(ctx context.Context, d index.Document) error {
	if err := l.store.Release(ctx, d.ID); err != nil {
		return err
	}
	return l.watch.gone(ctx, l.roots.of(d.Path), d.Path)
}

// moved finds out whether a new file is the other half of a move. Then nothing
// is read and nothing embedded: the document gets a new place.
func (l *Library) moved(ctx context.Context, d index.Document, hash string) (bool, error) {
	from, ok, err := l.store.MissingByHash(ctx, hash, d.Size)
	if err == nil && !ok {
		from, ok, err = l.notYetMissed(ctx, d, hash)
	}
	if err != nil || !ok {
		return false, err
	}
	if err := l.store.Moved(ctx, from.ID, d.Path); err != nil {
		return false, err
	}
	if from.TitleSource == "file_name" {
		if err := l.store.Retitle(ctx, from.ID, fileTitle(d.Path), from.TitleSource); err != nil {
			return true, err
		}
	}
	l.deps.Index.Remove(d.ID)
	l.changed(Event{Kind: EventFile, Path: d.Path, Document: from.ID, Status: from.Verdict})
	return true, l.show(ctx, from.ID)
}

// notYetMissed finds a document with the same bytes whose path is gone and
// whose event did not come yet. One whose root is away does not count: its disk
// may come back.
func (l *Library) notYetMissed(ctx context.Context, d index.Document, hash string) (index.Document, bool, error) {
	same, err := l.store.DocumentsByHash(ctx, hash, d.Size)
	if err != nil {
		return index.Document{}, false, err
	}
	for _, other := range same {
		_, err := os.Lstat(other.Path)
		if other.ID == d.ID || !errors.Is(err, fs.ErrNotExist) || !l.rootsThere(other.Path) {
			continue
		}
		return other, true, l.mask(ctx, []string{other.Path})
	}
	return index.Document{}, false, nil
}

func (l *Library) rootsThere(path string) bool {
	for _, r := range l.roots.of(path) {
		if _, err := os.Lstat(r.Path); err != nil && !r.SingleFile || r.State == "offline" {
			return false
		}
	}
	return true
}

// ended judges a file whose reading ended without an extraction. A worker that
// died is given a second try; the second death parks the file until its content
// or the extractor changes.
func (l *Library) ended(ctx context.Context, d index.Document, hash string, ex rag.Extraction, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, worker.ErrTimedOut):
		reason := ex.Reason
		if reason == "" {
			reason = "Reading the file took too long. Try again, or save it in a simpler form."
		}
		return l.store.Judged(ctx, d.ID, string(rag.FileTimedOut), reason, hash, extract.Version)
	case !errors.Is(err, worker.ErrDied) && !errors.Is(err, worker.ErrMemory):
		return err
	case d.Attempts < maxDeaths:
		return l.store.Again(ctx, d.ID)
	}
	if errors.Is(err, worker.ErrPreparing) {
		return l.store.Judged(ctx, d.ID, string(rag.FileParked), ex.Reason, hash, extract.Version)
	}
	return l.store.Judged(ctx, d.ID, string(rag.FileParked), strings.TrimSpace("Reading the file failed twice, so it is left alone until it changes. "+ex.Reason), hash, extract.Version)
}

// seenAgain enters what the file looks like after it was read: one that changed
// meanwhile waits again when this reading ends.
func (l *Library) seenAgain(ctx context.Context, d index.Document) error {
	info, err := os.Lstat(d.Path)
	if err != nil || info.Size() == d.Size && info.ModTime().Equal(d.ModTime) {
		return nil // one that vanished has an event of its own
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	for _, r := range l.roots.of(d.Path) {
		if _, err := l.store.Found(ctx, []index.FileSeen{seenFile(r, d.Path, info)}); err != nil {
			return err
		}
	}
	return nil
}

// keepsOld tells whether a status says nothing about the file's content, so
// that what was read before stays searchable.
func keepsOld(s rag.FileStatus) bool {
	return s == rag.FileTimedOut || s == rag.FileNoPermission || s == rag.FileParked
}

// replace stores what was read and makes it searchable by words, with the
// vectors that its content has already.
func (l *Library) replace(ctx context.Context, d index.Document, hash string, modified time.Time, took *taken, ex rag.Extraction) error {
	content := index.DocumentContent{Document: d.ID, Status: string(ex.Status), Reason: ex.Reason, Kind: ex.Kind, Title: ex.Title, TitleSource: ex.TitleSource,
		Language: ex.Language, Encoding: ex.Encoding, Hash: hash, Pages: ex.Pages, ExtractorVersion: extract.Version, ChunkerVersion: chunk.Version}
	class, _ := chunk.Class(d.Path, ex.Kind, modified, l.clock.Now())
	content.Class = string(class)
	if ex.Status.Searchable() {
		content.Text = ex.Text
		began := time.Now()
		chunks, parents := chunk.Split(ex, d.Path)
		took.chunk, took.passages = time.Since(began), len(chunks)
		for _, p := range parents {
			content.Parents = append(content.Parents, index.StoredParent{Ordinal: p.Ordinal, Text: p.Text, Locator: p.Locator.String(), Offset: p.Offset, Length: p.Length, Tokens: p.Tokens})
		}
		for _, c := range chunks {
			content.Chunks = append(content.Chunks, index.StoredChunk{Ordinal: c.Ordinal, Parent: c.Parent, ContentHash: c.ContentHash, Header: c.Header, Text: c.Text,
				Heading: strings.Join(c.Heading, " > "), Locator: c.Locator.String(), Offset: c.Offset, Length: c.Length, Tokens: c.Tokens, LowRank: c.LowRank})
		}
	}
	began := time.Now()
	if _, _, err := l.store.Replace(ctx, content); err != nil {
		return err
	}
	if err := l.show(ctx, d.ID); err != nil {
		return err
	}
	took.write = time.Since(began)
	l.wakeMeaning()
	return nil
}

// hashFile is the SHA-256 of the file's bytes, in hexadecimal.
func hashFile(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(reader{ctx, f}, maxFileSize+1)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func (l *Library) setReading(path string, on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if on {
		l.reading[path] = true
	} else {
		delete(l.reading, path)
	}
}

func (l *Library) password(path string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.passwords[path]
}

// setTrouble keeps why no file can be read; empty: they can.
func (l *Library) setTrouble(sentence string) {
	l.mu.Lock()
	changed := l.trouble != sentence
	l.trouble = sentence
	l.mu.Unlock()
	if changed {
		l.changed(Event{Kind: EventProgress, Reason: sentence})
	}
}

// endRun forgets the tally when the queue is empty and nobody reads.
func (l *Library) endRun() {
	l.saveMeasured(context.Background())
	l.mu.Lock()
	if len(l.reading) == 0 {
		l.run = tally{}
	}
	l.mu.Unlock()
	l.signal.raise()
}

// sentence is what an error says to a person.
func sentence(err error) string {
	var stored *storage.Error
	var known *rag.Error
	var model *inference.Error
	switch {
	case errors.As(err, &stored):
		return stored.Error()
	case errors.As(err, &known):
		return known.Error()
	case errors.As(err, &model):
		return model.Error()
	}
	return "The program that reads files could not be started. It is tried again."
}
