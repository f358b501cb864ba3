package app

import (
	"context"
	"os"
	"path/filepath"

	"referent/rag"
	"referent/rag/segment"
	"referent/rag/segment/disk"
	"referent/storage/chats"
	"referent/storage/index"
)

// indexFolder holds the files of the search index, which can be deleted at any
// time.
const indexFolder = "index"

// IndexReport says what is wrong with the search index, in sentences. Repaired:
// it was built anew, and what was wrong is past.
type IndexReport struct {
	Problems []string `json:"problems"`
	Repaired bool     `json:"repaired"`
}

// IndexSize is what the data folder takes, in bytes.
type IndexSize struct {
	Library       int64 `json:"library"`       // index.db: documents, chunks, stored vectors
	Conversations int64 `json:"conversations"` // chats.db
	Search        int64 `json:"search"`        // the search index, which can be built anew
	Backups       int64 `json:"backups"`
	Chunks        int   `json:"chunks"`
	Vectors       int   `json:"vectors"`
}

// openIndex opens the search index from its files.
func (a *App) openIndex(ctx context.Context) (err error) {
	a.segment, err = segment.OpenStored(ctx, a.index, a.embedModel(), segment.Files{
		Dir: filepath.Join(a.config.DataDir, indexFolder), Manifest: a.index, Notice: a.indexNotice,
		Spares: func() bool { return a.settings().Bool("ingest.spare_battery") && onBattery(a.config) }})
	if err == nil {
		a.close = append(a.close, a.segment.Close)
	}
	return err
}

// indexNotice keeps a sentence about the search index for the notice at the
// top.
func (a *App) indexNotice(sentence string) {
	a.config.Log("search index: " + sentence)
	a.mu.Lock()
	a.events = append(a.events, StatusNote{Kind: "warn", Sentence: sentence})
	a.mu.Unlock()
	a.changed()
}

// VerifyIndex implements UseCases.
func (a *App) VerifyIndex(ctx context.Context) (IndexReport, error) {
	report := IndexReport{Problems: []string{}}
	damage, err := a.index.IntegrityCheck(ctx)
	if err != nil {
		return report, storageError(err)
	}
	if len(damage) > 0 {
		report.Problems = append(report.Problems, "The file index.db is damaged. Restore a backup, or move the file away and add the folders again.")
	}
	wrong, err := a.segment.Verify(ctx, a.index)
	report.Problems = append(report.Problems, wrong...)
	return report, storageError(err)
}

// IndexProgress is how many documents of how many are in the new index.
type IndexProgress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// counted is the truth, which tells of each document that is read.
type counted struct {
	segment.StoredSource
	read func()
}

// DocumentChunks implements segment.StoredSource.
func (c counted) DocumentChunks(ctx context.Context, document int64) ([]index.Chunk, error) {
	c.read()
	return c.StoredSource.DocumentChunks(ctx, document)
}

// RebuildIndex implements UseCases.
func (a *App) RebuildIndex(ctx context.Context, progress func(IndexProgress)) error {
	if progress == nil {
		return storageError(a.segment.Rebuild(ctx, a.index))
	}
	counts, err := a.index.CountsByStatus(ctx, 0)
	if err != nil {
		return storageError(err)
	}
	var p IndexProgress
	for status, n := range counts {
		if searchable(status) {
			p.Total += n
		}
	}
	progress(p)
	return storageError(a.segment.Rebuild(ctx, counted{a.index, func() {
		p.Done = min(p.Done+1, p.Total)
		progress(p)
	}}))
}

// RepairIndex implements UseCases.
func (a *App) RepairIndex(ctx context.Context) (IndexReport, error) {
	report, err := a.VerifyIndex(ctx)
	if err != nil || len(report.Problems) == 0 {
		return report, err
	}
	if err := a.RebuildIndex(ctx, nil); err != nil {
		return report, err
	}
	left, err := a.VerifyIndex(ctx)
	report.Repaired = len(left.Problems) == 0
	return report, err
}

// IndexSize implements UseCases.
func (a *App) IndexSize(context.Context) (IndexSize, error) {
	snapshot := a.segment.Snapshot()
	size := IndexSize{Chunks: snapshot.Chunks(), Vectors: snapshot.Dense().Count(),
		Library: a.databaseSize(index.FileName), Conversations: a.databaseSize(chats.FileName)}
	var err error
	if size.Search, err = disk.Size(filepath.Join(a.config.DataDir, indexFolder)); err != nil {
		return size, storageError(err)
	}
	size.Backups, err = disk.Size(filepath.Join(a.config.DataDir, "backup"))
	return size, storageError(err)
}

// databaseSize counts the file with what waits beside it.
func (a *App) databaseSize(name string) (total int64) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(filepath.Join(a.config.DataDir, name+suffix)); err == nil {
			total += info.Size()
		}
	}
	return total
}

// Backup implements UseCases.
func (a *App) Backup(ctx context.Context, path string) error {
	if !filepath.IsAbs(path) {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "The place of the backup is not a full path.", Hint: "Begin it at the root of the disk."}
	}
	return storageError(writeBackup(ctx, a.config.DataDir, path, map[string]func(context.Context, string) error{
		index.FileName: a.index.BackupTo, chats.FileName: a.chats.BackupTo}, a.addLab))
}
