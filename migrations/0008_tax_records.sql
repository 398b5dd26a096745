-- Created with the database and never again. A later account with the same name is another installation.
CREATE TABLE tax_installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number TEXT NOT NULL
) STRICT;

-- One chain per taxpayer, installation and environment.
CREATE TABLE tax_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chain TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('registration', 'annulment')),
  document_id INTEGER NOT NULL REFERENCES documents (id),
  issuer TEXT NOT NULL,
  number TEXT NOT NULL, -- serie and number, as printed
  date TEXT NOT NULL CHECK (date IS date(date)),
  hashed TEXT NOT NULL, -- the exact text that was hashed
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  content TEXT NOT NULL CHECK (json_valid(content)), -- the complete record, with amounts as hashed
  generated_at INTEGER NOT NULL, -- epoch ms. The record contains it as text
  UNIQUE (chain, position)
) STRICT;

CREATE INDEX tax_records_by_document ON tax_records (document_id, id);

-- Prevents forks when two documents are issued at once, and requires the document's assigned number. A batch based on
-- another end of the chain is evaluated again.
CREATE TRIGGER tax_records_insert_check_chain BEFORE INSERT ON tax_records
BEGIN
  SELECT RAISE(ABORT, 'chain_moved')
  WHERE NEW.position <> coalesce((SELECT max(position) FROM tax_records WHERE chain = NEW.chain), 0) + 1
    OR NEW.previous_hash <> coalesce((SELECT hash FROM tax_records WHERE chain = NEW.chain AND position = NEW.position - 1), '')
    OR (SELECT serie || '/' || number || ' ' || date FROM documents WHERE id = NEW.document_id) IS NOT NEW.number || ' ' || NEW.date;
END;

CREATE TRIGGER tax_records_update_prevent BEFORE UPDATE ON tax_records
BEGIN
  SELECT RAISE(ABORT, 'tax_record_immutable');
END;

CREATE TRIGGER tax_records_delete_prevent BEFORE DELETE ON tax_records
BEGIN
  SELECT RAISE(ABORT, 'tax_record_immutable');
END;

-- The agency's response to each record.
CREATE TABLE tax_record_states (
  record_id INTEGER PRIMARY KEY REFERENCES tax_records (id),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'accepted', 'accepted_with_errors', 'refused')),
  code TEXT, -- the agency's error code
  description TEXT,
  csv TEXT, -- assigned once, the proof of a submission
  attempts INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER,
  answered_at INTEGER
) STRICT;

CREATE INDEX tax_record_states_pending ON tax_record_states (record_id) WHERE state = 'waiting';

CREATE INDEX tax_record_states_failed ON tax_record_states (answered_at) WHERE state IN ('refused', 'accepted_with_errors');

CREATE TRIGGER tax_records_insert_pending_state AFTER INSERT ON tax_records
BEGIN
  INSERT INTO tax_record_states (record_id) VALUES (NEW.id);
END;

-- End and sending state of each chain: the time of the next attempt, and the start of an outage.
CREATE TABLE tax_chains (
  chain TEXT PRIMARY KEY,
  issuer TEXT NOT NULL,
  last_record_id INTEGER NOT NULL REFERENCES tax_records (id),
  next_at INTEGER NOT NULL DEFAULT 0,
  wait_seconds INTEGER NOT NULL DEFAULT 60,
  leased_until INTEGER NOT NULL DEFAULT 0,
  failed_since INTEGER,
  problem TEXT
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tax_records_insert_advance_chain AFTER INSERT ON tax_records
BEGIN
  INSERT INTO tax_chains (chain, issuer, last_record_id) VALUES (NEW.chain, NEW.issuer, NEW.id)
  ON CONFLICT DO UPDATE SET last_record_id = excluded.last_record_id;
END;

INSERT INTO tax_installation (id, number) VALUES (1, '96ab37ecfa6ef864');
