-- VERI*FACTU: the records of invoices that the Spanish tax agency wants, chained, and what became of them
-- (docs/interfaces/verifactu.md). Of each tax territory the account says which law it answers to.
ALTER TABLE settings ADD COLUMN tax_records_iva TEXT NOT NULL DEFAULT 'none' CHECK (tax_records_iva IN ('none', 'verifactu', 'sii', 'foral', 'exempt'));
ALTER TABLE settings ADD COLUMN tax_records_igic TEXT NOT NULL DEFAULT 'none' CHECK (tax_records_igic IN ('none', 'verifactu', 'sii', 'foral', 'exempt'));
ALTER TABLE settings ADD COLUMN tax_records_ipsi TEXT NOT NULL DEFAULT 'none' CHECK (tax_records_ipsi IN ('none', 'verifactu', 'sii', 'foral', 'exempt'));
-- The agency's service, and the chain that goes with it.
ALTER TABLE settings ADD COLUMN tax_environment TEXT NOT NULL DEFAULT 'test' CHECK (tax_environment IN ('test', 'production'));
-- What each rate is to the agency, where it is not the territory's general regime: {"0.00": "E5"}.
ALTER TABLE settings ADD COLUMN tax_rate_codes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(tax_rate_codes));
-- The day on which the company signed that the platform's owner sends in its name; without it nothing is sent.
ALTER TABLE settings ADD COLUMN tax_representation_date TEXT CHECK (tax_representation_date IS date(tax_representation_date));
ALTER TABLE branches ADD COLUMN tax_territory TEXT NOT NULL DEFAULT 'iva' CHECK (tax_territory IN ('iva', 'igic', 'ipsi'));

-- Made with the database, and never again: an account of the same name that comes later is another installation.
CREATE TABLE tax_installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number TEXT NOT NULL
) STRICT;
INSERT INTO tax_installation (id, number) VALUES (1, lower(hex(randomblob(8))));
CREATE TRIGGER settings_are_an_installation AFTER INSERT ON settings WHEN NOT EXISTS (SELECT 1 FROM tax_installation)
BEGIN
  INSERT INTO tax_installation (id, number) VALUES (1, lower(hex(randomblob(8))));
END;

-- One chain for each taxpayer, installation and environment.
CREATE TABLE tax_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chain TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('registration', 'annulment')),
  document_id INTEGER NOT NULL REFERENCES documents (id),
  issuer TEXT NOT NULL,
  number TEXT NOT NULL, -- serie and number, as printed
  date TEXT NOT NULL CHECK (date IS date(date)),
  hashed TEXT NOT NULL, -- the text whose hash it is, as it was hashed
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  content TEXT NOT NULL CHECK (json_valid(content)), -- all of the record, its amounts as they were hashed
  generated_at INTEGER NOT NULL, -- epoch ms; as text in the record
  UNIQUE (chain, position)
) STRICT;
CREATE INDEX tax_records_by_document ON tax_records (document_id, id);

-- Two that issue at once cannot fork the chain, and a record names the number that its document was given. What was decided
-- on another end of the chain is decided again.
CREATE TRIGGER tax_records_follow BEFORE INSERT ON tax_records
BEGIN
  SELECT RAISE(ABORT, 'chain_moved')
  WHERE NEW.position <> coalesce((SELECT max(position) FROM tax_records WHERE chain = NEW.chain), 0) + 1
    OR NEW.previous_hash <> coalesce((SELECT hash FROM tax_records WHERE chain = NEW.chain AND position = NEW.position - 1), '')
    OR (SELECT serie || '/' || number || ' ' || date FROM documents WHERE id = NEW.document_id) IS NOT NEW.number || ' ' || NEW.date;
END;
CREATE TRIGGER tax_records_stay BEFORE UPDATE ON tax_records
BEGIN
  SELECT RAISE(ABORT, 'tax_record_kept');
END;
CREATE TRIGGER tax_records_never_go BEFORE DELETE ON tax_records
BEGIN
  SELECT RAISE(ABORT, 'tax_record_kept');
END;

-- What the agency said of each record.
CREATE TABLE tax_record_states (
  record_id INTEGER PRIMARY KEY REFERENCES tax_records (id),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'accepted', 'accepted_with_errors', 'refused')),
  code TEXT, -- the agency's, of an error
  description TEXT,
  csv TEXT, -- given once, the proof of a submission
  attempts INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER,
  answered_at INTEGER
) STRICT;
CREATE INDEX tax_record_states_waiting ON tax_record_states (record_id) WHERE state = 'waiting';
CREATE INDEX tax_record_states_troubled ON tax_record_states (answered_at) WHERE state IN ('refused', 'accepted_with_errors');
CREATE TRIGGER tax_records_wait AFTER INSERT ON tax_records
BEGIN
  INSERT INTO tax_record_states (record_id) VALUES (NEW.id);
END;

-- Each chain: its end, and its sending: when it may be tried again, and since when nothing could be sent.
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
CREATE TRIGGER tax_records_end_their_chain AFTER INSERT ON tax_records
BEGIN
  INSERT INTO tax_chains (chain, issuer, last_record_id) VALUES (NEW.chain, NEW.issuer, NEW.id)
  ON CONFLICT DO UPDATE SET last_record_id = excluded.last_record_id;
END;
