-- A row holds what a start reads of all documents whose number divided by 1000
-- is "page": a copy in one piece, in the form of column_page.go, since reading
-- them one by one was most of a start. Whatever changes one of them deletes the
-- row in the same transaction; the program writes it again when there is time.
CREATE TABLE column_pages (
    page      INTEGER PRIMARY KEY,
    documents BLOB NOT NULL
) STRICT;

CREATE TRIGGER column_page_document_added AFTER INSERT ON documents BEGIN
    DELETE FROM column_pages WHERE page = new.id / 1000;
END;
CREATE TRIGGER column_page_document_removed AFTER DELETE ON documents BEGIN
    DELETE FROM column_pages WHERE page = old.id / 1000;
END;
CREATE TRIGGER column_page_document_changed
AFTER UPDATE OF path, mtime, kind, language, class, restricted, chunk_count, missing_at, revision ON documents BEGIN
    DELETE FROM column_pages WHERE page = new.id / 1000;
END;
CREATE TRIGGER column_page_placed AFTER INSERT ON placements BEGIN
    DELETE FROM column_pages WHERE page = new.document / 1000;
END;
CREATE TRIGGER column_page_displaced AFTER DELETE ON placements BEGIN
    DELETE FROM column_pages WHERE page = old.document / 1000;
END;
CREATE TRIGGER column_page_moved AFTER UPDATE ON placements BEGIN
    DELETE FROM column_pages WHERE page IN (old.document / 1000, new.document / 1000);
END;
CREATE TRIGGER column_page_tagged AFTER INSERT ON tags BEGIN
    DELETE FROM column_pages WHERE page = new.document / 1000;
END;
CREATE TRIGGER column_page_untagged AFTER DELETE ON tags BEGIN
    DELETE FROM column_pages WHERE page = old.document / 1000;
END;
CREATE TRIGGER column_page_retagged AFTER UPDATE ON tags BEGIN
    DELETE FROM column_pages WHERE page IN (old.document / 1000, new.document / 1000);
END;
CREATE TRIGGER column_page_member_added AFTER INSERT ON memberships BEGIN
    DELETE FROM column_pages;
END;
CREATE TRIGGER column_page_member_removed AFTER DELETE ON memberships BEGIN
    DELETE FROM column_pages;
END;
CREATE TRIGGER column_page_member_changed AFTER UPDATE OF folder, collection ON memberships BEGIN
    DELETE FROM column_pages;
END;
