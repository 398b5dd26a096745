-- What partners and websites were refused, counted by key, operation, reason and day of the account's clock: for 90 days. A key is there
-- by its hash, as in a backup: the key of a partner that need not sign is its secret. No body, and nobody's data.
CREATE TABLE refused_calls (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('partner', 'website')),
  key_hash TEXT NOT NULL,
  key_name TEXT NOT NULL,
  agency_id INTEGER,
  operation TEXT NOT NULL,
  code TEXT NOT NULL,
  field TEXT NOT NULL,
  kind_of_message TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 1),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_message TEXT NOT NULL,
  last_request_id TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX refused_calls_once ON refused_calls (day, kind, key_hash, operation, code, field, kind_of_message);
