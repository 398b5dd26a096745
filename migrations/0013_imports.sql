-- Imports. Each row is written in the batch of its data, so both exist or neither does.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files)), -- name, added, changed and unchanged rows of each
  undone_at INTEGER,
  -- User who imported: `staff:7` in the office, NULL on the command line.
  actor TEXT
) STRICT;

-- Rows that the last import added and changed, with their previous values, so it can be reverted. One row of text each.
CREATE TABLE import_changes (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  position INTEGER NOT NULL,
  rows TEXT NOT NULL CHECK (json_valid(rows)),
  PRIMARY KEY (import_id, position)
) STRICT, WITHOUT ROWID;

-- Keys of rows in another system, so its next file matches them.
CREATE TABLE import_keys (
  entity TEXT NOT NULL,
  key TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (entity, key)
) STRICT, WITHOUT ROWID;
