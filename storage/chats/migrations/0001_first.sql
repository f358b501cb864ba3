-- A row is a conversation. Its options are what the user chose for it alone;
-- null: the stored setting counts.
CREATE TABLE conversations (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    title              TEXT    NOT NULL,
    created            INTEGER NOT NULL, -- milliseconds since 1970
    updated            INTEGER NOT NULL, -- milliseconds since 1970
    pinned             INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    engine             TEXT,
    mode               TEXT,
    generation_history INTEGER,
    scope              TEXT              -- JSON
) STRICT;
CREATE INDEX conversations_order ON conversations (pinned DESC, updated DESC, id DESC);

-- A row is one turn: a question with its answer, how it was searched, and what
-- it cost. Because both are one row, half a turn cannot exist. The columns of
-- the search may be null: such a turn was searched verbatim, or was stored
-- before the column existed. search_query is null when the user's words were
-- searched.
CREATE TABLE turns (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation      INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    ordinal           INTEGER NOT NULL, -- from 1 in its conversation
    created           INTEGER NOT NULL, -- milliseconds since 1970
    question          TEXT    NOT NULL, -- the user's words, byte for byte
    answer            TEXT    NOT NULL,
    mode              TEXT,
    chat_engine       TEXT,
    search_query      TEXT,
    search_queries    TEXT,    -- JSON list
    rerank_query      TEXT,
    rewrite_status    TEXT,
    rewrite_reason    TEXT,
    rewrite_ms        REAL,
    history_used      INTEGER, -- messages
    blend_alpha       REAL,
    added_words       TEXT,    -- JSON
    warnings          TEXT,    -- JSON
    filters           TEXT,    -- JSON
    answer_check      TEXT,    -- JSON
    citations         TEXT,    -- JSON
    sources           TEXT,    -- JSON
    latency           TEXT,    -- JSON, milliseconds
    usage             TEXT,    -- JSON, tokens
    compression       TEXT,    -- JSON
    detail            TEXT,    -- JSON
    tokens_per_second REAL,
    seed              INTEGER,
    threads           INTEGER,
    budget_tokens     INTEGER,
    packed_tokens     INTEGER,
    floor             REAL,    -- cosine
    restricted_count  INTEGER,
    continued         INTEGER, -- 1: the model worker died once and the answer went on
    UNIQUE (conversation, ordinal)
) STRICT;

-- A row is a passage as a turn saw it: a copy, so that the turn can be shown
-- when the file is gone. "chunk" and "document" are soft references into the
-- library; nothing here depends on them. "withheld": the document became
-- restricted later.
CREATE TABLE evidence (
    turn            INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    rank            INTEGER NOT NULL,
    n               INTEGER NOT NULL, -- citation number; 0: not packed
    chunk           INTEGER NOT NULL,
    document        INTEGER NOT NULL,
    content_hash    TEXT    NOT NULL,
    path            TEXT    NOT NULL,
    title           TEXT    NOT NULL,
    heading         TEXT    NOT NULL,
    locator         TEXT    NOT NULL, -- JSON
    text            TEXT    NOT NULL, -- as in the document
    rendered        TEXT    NOT NULL, -- as in the prompt
    rendered_tokens INTEGER NOT NULL,
    strategy        TEXT    NOT NULL,
    class           TEXT    NOT NULL,
    owner           TEXT    NOT NULL, -- match | hint_extra
    packing         TEXT    NOT NULL,
    trace           TEXT    NOT NULL, -- JSON
    score           REAL    NOT NULL,
    pinned          INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    withheld        INTEGER NOT NULL CHECK (withheld IN (0, 1)),
    forgotten       INTEGER NOT NULL CHECK (forgotten IN (0, 1)), -- its text was erased on request
    PRIMARY KEY (turn, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_document ON evidence (document);

-- The words of questions and answers, for the search over conversations.
CREATE VIRTUAL TABLE turns_words USING fts5 (question, answer, content = 'turns', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
-- Deleted words leave no trace in the index.
INSERT INTO turns_words (turns_words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER turns_words_insert AFTER INSERT ON turns BEGIN
    INSERT INTO turns_words (rowid, question, answer) VALUES (new.id, new.question, new.answer);
END;
CREATE TRIGGER turns_words_delete AFTER DELETE ON turns BEGIN
    INSERT INTO turns_words (turns_words, rowid, question, answer) VALUES ('delete', old.id, old.question, old.answer);
END;

-- A row is one run of a turn, also of one that failed or was stopped: ids,
-- codes and times only, never text. References are soft.
CREATE TABLE runs (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    started      INTEGER NOT NULL, -- milliseconds since 1970
    conversation INTEGER,
    turn         INTEGER,
    engine       TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    code         TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    spans        TEXT    NOT NULL -- JSON
) STRICT;

-- A row is a setting that the user changed.
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row is text that was typed and not sent; conversation 0 is a new one.
CREATE TABLE drafts (
    conversation INTEGER PRIMARY KEY,
    text         TEXT NOT NULL
) STRICT;
