-- A row says that the person gave a document a tag: small letters, NFC, single
-- spaces. Tags outlive a new version of the file and go with the document.
CREATE TABLE tags (
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    tag      TEXT    NOT NULL CHECK (tag <> ''),
    PRIMARY KEY (document, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_tag ON tags (tag);
