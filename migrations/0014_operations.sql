-- Mails that wait to be sent, and those that development shows.
-- Mails that could not be handed over. They hold links that open accounts, so they are sealed; each is tried again
-- until it is of no use.
CREATE TABLE outgoing_mails (
  id INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL,
  subject TEXT NOT NULL, -- what staff may see of it
  attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts >= 1),
  next_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_error TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX outgoing_mails_by_next ON outgoing_mails (next_at);

-- What was sent, for the page /dev/mailbox. Development builds write it; a production build does not know it.
CREATE TABLE development_mails (
  id INTEGER PRIMARY KEY,
  sent_at INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL
) STRICT;

-- What somebody has looked at, where looking is all there is to do.
CREATE TABLE dismissed_tasks (
  item TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails of the hand-over, the return and an invoice.
CREATE TABLE booking_mails (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('request_received', 'confirmed', 'changed', 'cancelled', 'payment_received', 'reminder', 'hold_ending',
    'delivered', 'collected', 'invoiced')),
  -- The entry of the history that it tells; 0: told once in a booking's life.
  history_id INTEGER NOT NULL,
  recipient TEXT NOT NULL CHECK (recipient IN ('customer', 'branch')),
  at INTEGER NOT NULL,
  -- What became of each mail of a booking. Until when it is tried; of those of before nothing of it was kept.
  address TEXT,
  expires_at INTEGER,
  sent_at INTEGER,
  -- Why it did not go out last, by its kind alone: the post office's own words may name the person.
  last_error TEXT,
  PRIMARY KEY (booking_id, kind, history_id, recipient)
) STRICT, WITHOUT ROWID;

-- What keeps an account's data: its backups, what goes when its time is over, and credentials that a copy must not hold.
-- One row: when the work that keeps the account was done, and by whom it is being done now (leases; epoch ms).
CREATE TABLE upkeep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL,
  backed_up_at INTEGER, -- the last whole backup, read back
  backup_rows INTEGER,
  backup_problem TEXT, -- the kind of trouble of the last attempt
  backup_leased_until INTEGER NOT NULL DEFAULT 0,
  backup_verified_at INTEGER, -- a backup was restored and examined
  photos_until INTEGER NOT NULL DEFAULT 0, -- files that came before are copied
  purged_at INTEGER,
  size_bytes INTEGER NOT NULL DEFAULT 0, -- of the database, when it was last swept
  -- What the last look through the chain of tax records found wrong with it: how much, and the first of it as JSON.
  tax_record_faults INTEGER NOT NULL DEFAULT 0,
  tax_record_fault TEXT CHECK (json_valid(tax_record_fault)),
  -- How far a backup is that takes several turns of the clock, as JSON (decision 0043).
  backup_progress TEXT CHECK (backup_progress IS NULL OR json_valid(backup_progress)),
  -- How far the week's export is, as JSON, from the backup after which it is made until it is whole (decision 0043).
  export_progress TEXT CHECK (export_progress IS NULL OR json_valid(export_progress))
) STRICT;

-- What was deleted because its time was over: of which kind, when and how many; never what it was.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  count INTEGER NOT NULL
) STRICT;

CREATE INDEX deletions_by_kind ON deletions (kind, at);

INSERT INTO upkeep (id, since, backup_leased_until, photos_until, size_bytes, tax_record_faults) VALUES (1, 1795864990000, 0, 0, 0, 0);
