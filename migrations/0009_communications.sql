-- What was communicated of a contract, one after the other: a change annuls what was taken and says it anew.
CREATE TABLE communications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('RV', 'AV')),
  unit_id INTEGER REFERENCES booking_units (id), -- of an AV: each vehicle is a rental of its own
  -- waiting: to be sent; sent: the ministry works on it; annulling, annulled: taken back.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'dry', 'sent', 'accepted', 'refused', 'annulling', 'annulled')),
  xml TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of what it says
  lot TEXT, -- what the ministry works on it as
  code TEXT, -- its own, once accepted
  annulment_lot TEXT,
  error TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  answered_at INTEGER,
  -- A communication has room for one additional driver: each further one is told by a part of its own, from 1.
  part INTEGER NOT NULL DEFAULT 1 CHECK (part >= 1)
) STRICT;

CREATE INDEX communications_by_booking ON communications (booking_id, id);

CREATE INDEX communications_open ON communications (next_at) WHERE state IN ('waiting', 'sent', 'annulling');

CREATE INDEX communications_refused ON communications (answered_at) WHERE state = 'refused';

-- One row: since when contracts are communicated, and up to which change they were looked at (epoch ms).
CREATE TABLE communication_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- When what is due and not communicated yet was looked at last: what mends it (a vehicle, a code) changes no contract.
  reviewed_at INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the authorities call makes, colours, kinds of vehicles and municipalities, as it was fetched (docs/interfaces/ses.md#lists).
CREATE TABLE communication_lists (
  name TEXT NOT NULL, -- brand, color, type, licence; municipalities:07 is a province's
  environment TEXT NOT NULL CHECK (environment IN ('test', 'production')),
  entries TEXT NOT NULL CHECK (json_valid(entries)), -- [["SEAT", "Seat"], …]: code and word
  fetched_at INTEGER NOT NULL,
  PRIMARY KEY (name, environment)
) STRICT;
