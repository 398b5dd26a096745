-- What was imported: each import is one row, written in the batch that writes its rows, so that it is there or it never was.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files)), -- name, rows added, changed and unchanged of each
  undone_at INTEGER,
  -- Who imported: `staff:7` where somebody of the company did in the office, nothing where the command line did.
  actor TEXT
) STRICT;

-- What the last import added and changed, with what was there before: enough to take it back. One text of rows each.
CREATE TABLE import_changes (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  position INTEGER NOT NULL,
  rows TEXT NOT NULL CHECK (json_valid(rows)),
  PRIMARY KEY (import_id, position)
) STRICT, WITHOUT ROWID;

-- By what name another system calls a row: the next file of that system finds it again.
CREATE TABLE import_keys (
  entity TEXT NOT NULL,
  key TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (entity, key)
) STRICT, WITHOUT ROWID;
