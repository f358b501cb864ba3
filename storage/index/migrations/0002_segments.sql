-- "revision" counts the changes of what the word index reads of a document:
-- the text and headings of its chunks, its title, its path and its language. A
-- segment notes the revision that it was built from, so that every start can
-- tell which documents it still describes.
ALTER TABLE documents ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER chunks_added AFTER INSERT ON chunks BEGIN
    UPDATE documents SET revision = revision + 1 WHERE id = new.document;
END;
CREATE TRIGGER chunks_removed AFTER DELETE ON chunks BEGIN
    UPDATE documents SET revision = revision + 1 WHERE id = old.document;
END;
CREATE TRIGGER chunks_changed AFTER UPDATE OF text, heading ON chunks
WHEN old.text IS NOT new.text OR old.heading IS NOT new.heading BEGIN
    UPDATE documents SET revision = revision + 1 WHERE id = new.document;
END;
CREATE TRIGGER documents_renamed AFTER UPDATE OF title, path, language ON documents
WHEN old.title IS NOT new.title OR old.path IS NOT new.path OR old.language IS NOT new.language BEGIN
    UPDATE documents SET revision = revision + 1 WHERE id = new.id;
END;

-- A row is a segment of the search index: files in the folder "index" that are
-- complete and may be trusted when size and checksum (CRC-32C of the whole
-- file) agree. A file without a row is a leftover. All of it can be built anew
-- from the tables above.
CREATE TABLE segments (
    id           INTEGER PRIMARY KEY, -- never used again: counted in meta
    analyzer     INTEGER NOT NULL,    -- version of the rules that made the words
    chunks       INTEGER NOT NULL,
    words_size   INTEGER NOT NULL,    -- bytes
    words_sum    INTEGER NOT NULL,
    model        TEXT    NOT NULL,    -- of the vectors; empty: there is no file of vectors
    vectors      INTEGER NOT NULL,    -- chunks that have one in the file
    vectors_size INTEGER NOT NULL,    -- bytes
    vectors_sum  INTEGER NOT NULL
) STRICT;
