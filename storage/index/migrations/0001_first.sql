-- A row is one fact about the whole file under a name: the embedding model in
-- use, versions, marks that later starts must see.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is a named set of folders and files. Its label counts for everything
-- in it.
CREATE TABLE collections (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT    NOT NULL UNIQUE,
    label   TEXT    NOT NULL CHECK (label IN ('public', 'restricted')),
    created INTEGER NOT NULL -- milliseconds since 1970
) STRICT;

-- A row is a root that the user added: a watched folder or a single file.
CREATE TABLE folders (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    path         TEXT    NOT NULL UNIQUE,
    label        TEXT    NOT NULL CHECK (label IN ('public', 'restricted')),
    exclude      TEXT    NOT NULL, -- JSON list of patterns
    state        TEXT    NOT NULL CHECK (state IN ('watching', 'polling', 'offline', 'paused')),
    reason       TEXT    NOT NULL, -- a sentence; empty when all is well
    last_checked INTEGER NOT NULL, -- milliseconds since 1970; 0: never
    single_file  INTEGER NOT NULL CHECK (single_file IN (0, 1))
) STRICT;

-- A row says that a folder is in a collection; the lowest "position" of a
-- folder is the one that it is shown in.
CREATE TABLE memberships (
    position   INTEGER PRIMARY KEY AUTOINCREMENT,
    folder     INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    UNIQUE (folder, collection)
) STRICT;
CREATE INDEX memberships_collection ON memberships (collection);

-- A row is a file that was seen in a folder, in whatever state: it is the
-- ledger that a reconcile compares with the disk, the queue of work, and what
-- the library shows. A file is one row, also where folders overlap.
--
-- "size", "mtime" and "inode" are what was last seen on the disk; "hash" and
-- "verdict…" belong to the bytes that were last judged, which may be older.
-- Chunks and text stay those of the last judged version until it is replaced.
CREATE TABLE documents (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    path              TEXT    NOT NULL UNIQUE,
    size              INTEGER NOT NULL, -- bytes
    mtime             INTEGER NOT NULL, -- nanoseconds since 1970
    inode             INTEGER NOT NULL, -- 0: not known
    status            TEXT    NOT NULL, -- the closed list of file statuses
    reason            TEXT    NOT NULL, -- a sentence; empty when all is well
    verdict_status    TEXT    NOT NULL, -- the last final status; empty: never judged
    verdict_reason    TEXT    NOT NULL,
    hash              TEXT    NOT NULL, -- of the judged bytes; empty: not known
    stale             INTEGER NOT NULL CHECK (stale IN (0, 1)), -- it changed while it was being read
    attempts          INTEGER NOT NULL, -- begun since the file last changed or was judged
    kind              TEXT    NOT NULL,
    title             TEXT    NOT NULL,
    title_source      TEXT    NOT NULL,
    language          TEXT    NOT NULL, -- ISO 639-1; empty: not known
    encoding          TEXT    NOT NULL,
    class             TEXT    NOT NULL, -- retention class
    class_source      TEXT    NOT NULL, -- rule | user; a user's choice outlives a new version
    label             TEXT    NOT NULL CHECK (label IN ('public', 'restricted')), -- its own
    restricted        INTEGER NOT NULL CHECK (restricted IN (0, 1)), -- the strictest of its own, its folders' and their collections' labels
    pages             INTEGER NOT NULL,
    chunk_count       INTEGER NOT NULL,
    extractor_version INTEGER NOT NULL,
    chunker_version   INTEGER NOT NULL,
    updated           INTEGER NOT NULL, -- milliseconds since 1970
    missing_at        INTEGER           -- milliseconds since 1970 when its path vanished; null: it is there
) STRICT;
-- The order of the queue: small before large, then recent before old.
CREATE INDEX documents_queue ON documents (
    (CASE WHEN size <= 262144 THEN 0 WHEN size <= 4194304 THEN 1 ELSE 2 END), mtime DESC, id
) WHERE status = 'waiting' AND missing_at IS NULL;
CREATE INDEX documents_status ON documents (status);
CREATE INDEX documents_hash ON documents (hash, size);
CREATE INDEX documents_missing ON documents (missing_at) WHERE missing_at IS NOT NULL;

-- A row says that a folder reaches a document. The first one is the folder that
-- the document is shown in; a document without any is gone.
CREATE TABLE placements (
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    folder   INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
    PRIMARY KEY (document, folder)
) STRICT, WITHOUT ROWID;
CREATE INDEX placements_folder ON placements (folder);

-- A row is the normalised text of a document, which offsets refer to.
CREATE TABLE texts (
    document INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    text     TEXT NOT NULL
) STRICT;

-- A row is the section or page around chunks. Numbers are never used again.
CREATE TABLE parents (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal  INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    locator  TEXT    NOT NULL, -- JSON
    start    INTEGER NOT NULL, -- code points in the document's text
    length   INTEGER NOT NULL, -- code points
    tokens   INTEGER NOT NULL, -- estimate
    UNIQUE (document, ordinal)
) STRICT;

-- A row is a chunk: what is indexed and cited. Numbers are never used again,
-- because segments and old turns hold them; a chunk whose header and text did
-- not change keeps its number when its document is read again. "parent" is not
-- a foreign key: parents and chunks of a document change together.
CREATE TABLE chunks (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    document     INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    parent       INTEGER NOT NULL, -- 0: none
    content_hash TEXT    NOT NULL, -- of header and text
    header       TEXT    NOT NULL,
    text         TEXT    NOT NULL,
    heading      TEXT    NOT NULL,
    locator      TEXT    NOT NULL, -- JSON
    start        INTEGER NOT NULL, -- code points in the document's text
    length       INTEGER NOT NULL, -- code points
    tokens       INTEGER NOT NULL, -- estimate
    low_rank     INTEGER NOT NULL CHECK (low_rank IN (0, 1)),
    class        TEXT    NOT NULL, -- empty: the document's
    pinned       INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    UNIQUE (document, ordinal)
) STRICT;
CREATE INDEX chunks_content_hash ON chunks (content_hash);

-- A row gives a short number to a model's or tokenizer's hash.
CREATE TABLE models (
    id  INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE
) STRICT;

-- A row is the vector of one content, in half precision, little-endian. It
-- lives while any public chunk has that content; restricted content has none.
CREATE TABLE vectors (
    model        INTEGER NOT NULL REFERENCES models (id),
    content_hash TEXT    NOT NULL,
    v            BLOB    NOT NULL,
    PRIMARY KEY (model, content_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_content_hash ON vectors (content_hash);

-- A row is the number of tokens of one chunk's text in one tokenizer.
CREATE TABLE token_counts (
    tokenizer    INTEGER NOT NULL REFERENCES models (id),
    content_hash TEXT    NOT NULL,
    tokens       INTEGER NOT NULL,
    PRIMARY KEY (tokenizer, content_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX token_counts_content_hash ON token_counts (content_hash);
