-- Directory of all cells: which company is in which database (decision 0073). It has no data of companies.

-- A cell is a front and an office Worker with their own databases.
CREATE TABLE cells (
  name TEXT PRIMARY KEY CHECK (name GLOB '[0-9][0-9]'),
  -- Last run of the cron job (epoch ms).
  clock_at INTEGER,
  clock_ms INTEGER
) STRICT;

-- Databases of a cell, bound as DB_0001, DB_0002 … They are created and bound in advance.
CREATE TABLE slots (
  cell TEXT NOT NULL REFERENCES cells (name),
  slot INTEGER NOT NULL CHECK (slot BETWEEN 1 AND 9999),
  jurisdiction TEXT NOT NULL DEFAULT '' CHECK (jurisdiction IN ('', 'eu', 'us')),
  -- new: without a schema; spare: migrated and empty; used: of one company; retired: emptied, not used before free_at.
  state TEXT NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'spare', 'used', 'retired')),
  schema_version TEXT,
  -- Time Travel bookmark before the last migration.
  bookmark TEXT,
  error TEXT,
  free_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (cell, slot)
) STRICT;

CREATE TABLE accounts (
  name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 2 AND 31),
  cell TEXT NOT NULL,
  slot INTEGER NOT NULL,
  -- adding, deleting: not served, the command continues; paused: not served; moving: served, but nothing is written.
  state TEXT NOT NULL CHECK (state IN ('adding', 'active', 'paused', 'moving', 'deleting')),
  created_at INTEGER NOT NULL,
  -- Written by the cell's cron job.
  clock_at INTEGER,
  backup_at INTEGER,
  size_bytes INTEGER,
  error TEXT,
  -- A database belongs to one company.
  UNIQUE (cell, slot),
  FOREIGN KEY (cell, slot) REFERENCES slots (cell, slot)
) STRICT;

-- Unfinished moves. Each step can be repeated after it was interrupted.
CREATE TABLE moves (
  account TEXT PRIMARY KEY REFERENCES accounts (name),
  from_cell TEXT NOT NULL,
  from_slot INTEGER NOT NULL,
  to_cell TEXT NOT NULL,
  to_slot INTEGER NOT NULL,
  step TEXT NOT NULL CHECK (step IN ('prepare', 'pause', 'copy', 'verify', 'switch', 'cleanup', 'cancel')),
  -- Table and last key, as JSON, after which copy and verify continue.
  position TEXT,
  rows INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  -- One operator at a time.
  operator TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  error TEXT,
  UNIQUE (to_cell, to_slot),
  FOREIGN KEY (to_cell, to_slot) REFERENCES slots (cell, slot)
) STRICT;

-- Long work that failed in every attempt of its cell's queue. A repeated success deletes the row.
CREATE TABLE failed_jobs (
  account TEXT NOT NULL REFERENCES accounts (name) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  failed_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 1,
  -- The cron job sends it again after this time. 0: an operator retries it.
  held_until INTEGER NOT NULL,
  PRIMARY KEY (account, kind)
) STRICT;
