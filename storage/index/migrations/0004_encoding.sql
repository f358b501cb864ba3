-- "encoding_choice" is the encoding that the person has set for the file; empty:
-- it is found out. "encoding" stays the one that its text was read in.
ALTER TABLE documents ADD COLUMN encoding_choice TEXT NOT NULL DEFAULT '';
