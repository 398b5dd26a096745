-- Mails that couldn't be handed over. Encrypted, because they contain links that open accounts. Each is retried until
-- it expires.
CREATE TABLE outgoing_mails (
  id INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL,
  subject TEXT NOT NULL, -- the part that staff can see
  attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts >= 1),
  next_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_error TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX outgoing_mails_by_next ON outgoing_mails (next_at);

-- Sent mails for the page /dev/mailbox. Only development builds write them.
CREATE TABLE development_mails (
  id INTEGER PRIMARY KEY,
  sent_at INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL
) STRICT;

-- Dismissed tasks, for those that need only a review.
CREATE TABLE dismissed_tasks (
  item TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Texts of messages that the company wrote itself. A template without a row has the platform's text.
CREATE TABLE message_templates (
  template TEXT NOT NULL,
  language TEXT NOT NULL CHECK (length(language) = 2),
  subject TEXT NOT NULL CHECK (length(subject) BETWEEN 1 AND 150),
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 5000),
  PRIMARY KEY (template, language)
) STRICT, WITHOUT ROWID;

-- Notes of staff about a booking or a customer.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER REFERENCES bookings (id),
  customer_id INTEGER REFERENCES customers (id),
  text TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((booking_id IS NULL) <> (customer_id IS NULL))
) STRICT;

CREATE INDEX notes_by_booking ON notes (booking_id) WHERE booking_id IS NOT NULL;

CREATE INDEX notes_by_customer ON notes (customer_id) WHERE customer_id IS NOT NULL;

-- Tasks of staff about a booking or a customer.
CREATE TABLE office_tasks (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER REFERENCES bookings (id),
  customer_id INTEGER REFERENCES customers (id),
  text TEXT NOT NULL,
  due_date TEXT CHECK (due_date IS date(due_date)),
  assignee_id INTEGER REFERENCES users (id),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  done_by TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  last_update INTEGER NOT NULL,
  CHECK ((booking_id IS NULL) <> (customer_id IS NULL)),
  CHECK ((done_at IS NULL) = (done_by IS NULL))
) STRICT;

CREATE INDEX office_tasks_by_booking ON office_tasks (booking_id) WHERE booking_id IS NOT NULL;

CREATE INDEX office_tasks_by_customer ON office_tasks (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX office_tasks_open ON office_tasks (due_date) WHERE done_at IS NULL;

-- Each change is decided on a version. A change based on an older one fails.
CREATE TRIGGER office_tasks_update_check_version BEFORE UPDATE ON office_tasks WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile');
END;

-- Mails about a booking, including hand-over, return and invoice, or about a document without a booking.
CREATE TABLE booking_mails (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER REFERENCES bookings (id),
  document_id INTEGER REFERENCES documents (id),
  kind TEXT NOT NULL CHECK (kind IN ('request_received', 'confirmed', 'changed', 'cancelled', 'payment_received', 'refunded',
    'deposit_returned', 'reminder', 'hold_ending', 'delivered', 'collected', 'invoiced', 'payment_link', 'message')),
  -- History entry of the mail. 0: sent once per booking. A message of staff or a document's mail has its own number.
  history_id INTEGER NOT NULL,
  recipient TEXT NOT NULL CHECK (recipient IN ('customer', 'branch', 'payer')),
  at INTEGER NOT NULL,
  -- Delivery of each booking mail, and the end of its retries. Older mails weren't tracked.
  address TEXT,
  expires_at INTEGER,
  sent_at INTEGER,
  -- Error type of the last attempt. The mail service's message isn't stored, because it may name the person.
  last_error TEXT,
  subject TEXT,
  body TEXT, -- plain text that staff wrote
  UNIQUE (booking_id, kind, history_id, recipient),
  CHECK ((booking_id IS NULL) <> (document_id IS NULL))
) STRICT;

CREATE INDEX booking_mails_by_document ON booking_mails (document_id) WHERE document_id IS NOT NULL;

-- One row: last run and current lease of each maintenance job (epoch ms).
CREATE TABLE upkeep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL,
  backed_up_at INTEGER, -- last complete backup, verified by reading
  backup_rows INTEGER,
  backup_problem TEXT, -- error type of the last attempt
  backup_leased_until INTEGER NOT NULL DEFAULT 0,
  backup_verified_at INTEGER, -- last test restore of a backup
  photos_until INTEGER NOT NULL DEFAULT 0, -- earlier files are copied
  purged_at INTEGER,
  file_sweep_after TEXT, -- objects up to this path were compared with their rows; NULL: the sweep starts again
  file_sweep_from INTEGER NOT NULL DEFAULT 0, -- no sweep before, because a restore can be undone until then
  size_bytes INTEGER NOT NULL DEFAULT 0, -- of the database, at the last cleanup
  -- Faults found by the last check of the tax record chain: the count, and the first as JSON.
  tax_record_faults INTEGER NOT NULL DEFAULT 0,
  tax_record_fault TEXT CHECK (json_valid(tax_record_fault)),
  -- Progress of a backup that takes several cron runs, as JSON (decision 0043).
  backup_progress TEXT CHECK (backup_progress IS NULL OR json_valid(backup_progress)),
  -- Progress of the weekly export as JSON, from the backup that starts it until it is complete (decision 0043).
  export_progress TEXT CHECK (export_progress IS NULL OR json_valid(export_progress))
) STRICT;

-- Deleted expired data by kind, time and count, without its content.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  count INTEGER NOT NULL
) STRICT;

CREATE INDEX deletions_by_kind ON deletions (kind, at);

INSERT INTO upkeep (id, since, backup_leased_until, photos_until, size_bytes, tax_record_faults) VALUES (1, unixepoch() * 1000, 0, 0, 0, 0);
