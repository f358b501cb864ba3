-- "vectors_file" is the number in the name of a segment's file of vectors. A
-- file that is written anew gets a new number, so that a name always stands
-- for one content. 0: there is no file.
ALTER TABLE segments ADD COLUMN vectors_file INTEGER NOT NULL DEFAULT 0;
UPDATE segments SET vectors_file = id WHERE model <> '';
