-- Links of calendars are signed: a calendar says what is signed, a secret of the account signs it. Another version of the
-- link ends the one before. Links that were made at random end.
CREATE TABLE calendars_anew (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  vehicle_reference TEXT REFERENCES vehicles (reference),
  category_code TEXT REFERENCES categories (code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  link_version INTEGER NOT NULL DEFAULT 1 CHECK (link_version BETWEEN 1 AND 999999),
  link TEXT NOT NULL GENERATED ALWAYS AS (id || '/' || link_version || '/' || created_at) VIRTUAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((vehicle_reference IS NULL) <> (category_code IS NULL))
) STRICT;
INSERT INTO calendars_anew (id, name, vehicle_reference, category_code, active, created_at, last_update)
  SELECT id, name, vehicle_reference, category_code, active, created_at, last_update FROM calendars;
DROP TABLE calendars;
ALTER TABLE calendars_anew RENAME TO calendars;
CREATE INDEX calendars_by_vehicle ON calendars (vehicle_reference);
CREATE INDEX calendars_by_category ON calendars (category_code);

CREATE TABLE account_secrets_anew (
  name TEXT PRIMARY KEY CHECK (name IN ('turnstile', 'work_seal', 'calendar_links')),
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO account_secrets_anew (name, sealed) SELECT name, sealed FROM account_secrets;
DROP TABLE account_secrets;
ALTER TABLE account_secrets_anew RENAME TO account_secrets;
