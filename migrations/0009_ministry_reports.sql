-- Reports of a contract in order. A change annuls the accepted report and sends a new one.
CREATE TABLE ministry_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('RV', 'AV')),
  -- For an AV, because each vehicle is a separate rental. Null once the office removed the unit.
  unit_id INTEGER REFERENCES booking_units (id) ON DELETE SET NULL,
  -- waiting: to be sent. sent: processed by the ministry. annulling, annulled: revoked.
  state TEXT NOT NULL CHECK (state IN ('waiting', 'dry', 'sent', 'accepted', 'refused', 'annulling', 'annulled')),
  xml TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- of its content
  lot TEXT, -- the ministry's lot ID
  code TEXT, -- the ministry's code, once accepted
  annulment_lot TEXT,
  error TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  answered_at INTEGER,
  -- A report holds one additional driver. Each further driver is reported in a separate part, from 1.
  part INTEGER NOT NULL DEFAULT 1 CHECK (part >= 1),
  -- Vehicle of the unit, from 1. Each exchange adds one, because both vehicles were rented.
  vehicle_number INTEGER NOT NULL DEFAULT 1 CHECK (vehicle_number >= 1)
) STRICT;

CREATE INDEX ministry_reports_by_booking ON ministry_reports (booking_id, id);

CREATE INDEX ministry_reports_open ON ministry_reports (next_at) WHERE state IN ('waiting', 'sent', 'annulling');

CREATE INDEX ministry_reports_refused ON ministry_reports (answered_at) WHERE state = 'refused';

-- One row: start of reporting, and time of the last change that was checked (epoch ms).
CREATE TABLE ministry_report_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- Last check of due but unreported contracts. A fix to a vehicle or a code doesn't change the contract.
  reviewed_at INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Official codes of makes, colours, vehicle kinds and municipalities, as downloaded (docs/interfaces/ses.md#lists).
CREATE TABLE ministry_report_lists (
  name TEXT NOT NULL, -- brand, color, type, licence. municipalities:07 is a province's
  environment TEXT NOT NULL CHECK (environment IN ('test', 'production')),
  entries TEXT NOT NULL CHECK (json_valid(entries)), -- [["SEAT", "Seat"], …]: code and word
  fetched_at INTEGER NOT NULL,
  PRIMARY KEY (name, environment)
) STRICT;
