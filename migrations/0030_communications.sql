-- SES.HOSPEDAJES: who rents which vehicle is communicated to the Spanish ministry of the interior (RD 933/2021), at booking
-- and at hand-over (docs/interfaces/ses.md).
ALTER TABLE settings ADD COLUMN ses_mode TEXT NOT NULL DEFAULT 'none' CHECK (ses_mode IN ('none', 'dry_run', 'ses'));
ALTER TABLE settings ADD COLUMN ses_environment TEXT NOT NULL DEFAULT 'test' CHECK (ses_environment IN ('test', 'production'));
ALTER TABLE settings ADD COLUMN ses_lessor_code TEXT;
ALTER TABLE settings ADD COLUMN ses_user TEXT;
ALTER TABLE settings ADD COLUMN ses_password_sealed TEXT;
-- The ministry's codes of makes and colours, by the words of the fleet: {"brand:Seat": "SEAT", "color:Blanco": "BLANCO"}.
ALTER TABLE settings ADD COLUMN ses_codes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(ses_codes));
ALTER TABLE branches ADD COLUMN ses_establishment_code TEXT;
ALTER TABLE vehicles ADD COLUMN vin TEXT;

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
  answered_at INTEGER
) STRICT;
CREATE INDEX communications_by_booking ON communications (booking_id, id);
CREATE INDEX communications_open ON communications (next_at) WHERE state IN ('waiting', 'sent', 'annulling');
CREATE INDEX communications_refused ON communications (answered_at) WHERE state = 'refused';
-- One row: since when contracts are communicated, and up to which change they were looked at (epoch ms).
CREATE TABLE communication_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;

-- Whose data was erased, when, by whom and why: never who it was.
CREATE TABLE erasures (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  kept TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(kept))
) STRICT;
ALTER TABLE customers ADD COLUMN marketing_consent_at INTEGER;
ALTER TABLE customers ADD COLUMN erased_at INTEGER;
