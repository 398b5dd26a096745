-- Field work: what is handed over and taken back, with its evidence.

-- Every operation that a phone has sent, whatever became of it: the same id is never done twice, and what was refused
-- is evidence.
CREATE TABLE check_in_operations (
  op_id TEXT PRIMARY KEY CHECK (length(op_id) = 36),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  unit_id INTEGER REFERENCES booking_units (id),
  kind TEXT NOT NULL CHECK (kind IN ('delivery', 'collection', 'evidence', 'correction')),
  state TEXT NOT NULL CHECK (state IN ('applied', 'held', 'conflict', 'accepted', 'dismissed')),
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  flags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(flags)),
  warnings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(warnings)),
  -- Something of it could not be done with the rest: a person has to look.
  needs_look INTEGER NOT NULL DEFAULT 0 CHECK (needs_look IN (0, 1)),
  fingerprint TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (json_valid(operation)),
  by_name TEXT, -- who did before what this one wanted to do
  by_at INTEGER,
  version INTEGER NOT NULL,
  author TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id), -- who sent it
  device_id TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq >= 1),
  recorded_at INTEGER NOT NULL, -- by the phone's clock, corrected
  received_at INTEGER NOT NULL,
  held_until INTEGER,
  resolved_by INTEGER REFERENCES users (id),
  resolved_at INTEGER,
  resolution_note TEXT,
  CHECK ((state = 'held') = (held_until IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX check_in_operations_by_booking ON check_in_operations (booking_id, received_at);
CREATE INDEX check_in_operations_unsettled ON check_in_operations (state, received_at) WHERE state IN ('held', 'conflict');
CREATE INDEX check_in_operations_to_look_at ON check_in_operations (received_at) WHERE needs_look = 1;
CREATE TRIGGER check_in_operations_are_counted AFTER INSERT ON check_in_operations
BEGIN
  INSERT INTO check_in_devices (device_id, user_id, last_seq, received, last_seen_at)
  VALUES (NEW.device_id, NEW.user_id, NEW.seq, 1, NEW.received_at)
  ON CONFLICT (device_id) DO UPDATE SET user_id = excluded.user_id, last_seq = max(last_seq, excluded.last_seq),
    received = received + 1, last_seen_at = max(last_seen_at, excluded.last_seen_at);
END;

-- The files that an operation speaks of; the same photo may be named twice.
CREATE TABLE check_in_operation_files (
  op_id TEXT NOT NULL REFERENCES check_in_operations (op_id),
  position INTEGER NOT NULL,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  view TEXT NOT NULL,
  -- Whether its bytes are there: a file may come before or after its operation.
  arrived INTEGER NOT NULL DEFAULT 0 CHECK (arrived IN (0, 1)),
  PRIMARY KEY (op_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX check_in_operation_files_by_hash ON check_in_operation_files (booking_id, hash);
CREATE INDEX check_in_operation_files_missing ON check_in_operation_files (op_id) WHERE arrived = 0;
CREATE TRIGGER check_in_operation_files_arrived AFTER INSERT ON check_in_operation_files
WHEN EXISTS (SELECT 1 FROM check_in_files WHERE booking_id = NEW.booking_id AND hash = NEW.hash)
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE op_id = NEW.op_id AND position = NEW.position;
END;

-- What lies in the object store, by the hash of its bytes. Never deleted: it is evidence.
CREATE TABLE check_in_files (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  content_type TEXT NOT NULL CHECK (content_type IN ('image/jpeg', 'image/png', 'image/webp', 'image/heic')),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  uploaded_by INTEGER NOT NULL REFERENCES users (id),
  uploaded_at INTEGER NOT NULL,
  removed_at INTEGER, -- taken by mistake, says the phone
  PRIMARY KEY (booking_id, hash)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER check_in_files_arrive AFTER INSERT ON check_in_files
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE booking_id = NEW.booking_id AND hash = NEW.hash;
END;

-- A phone counts its operations: what it has counted and not sent is missing.
CREATE TABLE check_in_devices (
  device_id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  last_seq INTEGER NOT NULL,
  received INTEGER NOT NULL DEFAULT 0,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Damage goes with the vehicle from rental to rental until it is repaired.
CREATE TABLE vehicle_damages (
  id INTEGER PRIMARY KEY,
  damage_id TEXT NOT NULL UNIQUE,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  part TEXT NOT NULL,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('light', 'medium', 'severe')),
  x INTEGER NOT NULL CHECK (x BETWEEN 0 AND 1000),
  y INTEGER NOT NULL CHECK (y BETWEEN 0 AND 1000),
  note TEXT,
  photos TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(photos)),
  booking_id INTEGER REFERENCES bookings (id),
  op_id TEXT REFERENCES check_in_operations (op_id),
  since TEXT NOT NULL CHECK (since IS date(since)),
  repaired_at INTEGER
) STRICT;
CREATE INDEX vehicle_damages_by_vehicle ON vehicle_damages (vehicle_reference) WHERE repaired_at IS NULL;
