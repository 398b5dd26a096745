-- Files of an operation. A photo can be named twice.
CREATE TABLE check_in_operation_files (
  op_id TEXT NOT NULL REFERENCES check_in_operations (op_id),
  position INTEGER NOT NULL,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  view TEXT NOT NULL,
  -- Whether the file has arrived. It may arrive before or after its operation.
  arrived INTEGER NOT NULL DEFAULT 0 CHECK (arrived IN (0, 1)),
  PRIMARY KEY (op_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX check_in_operation_files_by_hash ON check_in_operation_files (booking_id, hash);

CREATE INDEX check_in_operation_files_missing ON check_in_operation_files (op_id) WHERE arrived = 0;

CREATE TRIGGER check_in_operation_files_insert_mark_arrived AFTER INSERT ON check_in_operation_files
WHEN EXISTS (SELECT 1 FROM check_in_files WHERE booking_id = NEW.booking_id AND hash = NEW.hash)
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE op_id = NEW.op_id AND position = NEW.position;
END;

-- Files in the object store by hash. Never deleted, because they are evidence.
CREATE TABLE check_in_files (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  content_type TEXT NOT NULL CHECK (content_type IN ('image/jpeg', 'image/png', 'image/webp', 'image/heic')),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  uploaded_by INTEGER NOT NULL REFERENCES users (id),
  uploaded_at INTEGER NOT NULL,
  removed_at INTEGER, -- marked on the device as taken by mistake
  PRIMARY KEY (booking_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER check_in_files_insert_mark_arrived AFTER INSERT ON check_in_files
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE booking_id = NEW.booking_id AND hash = NEW.hash;
END;

-- Devices number their operations, so gaps show missing ones.
CREATE TABLE check_in_devices (
  device_id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  last_seq INTEGER NOT NULL,
  received INTEGER NOT NULL DEFAULT 0,
  last_seen_at INTEGER NOT NULL,
  -- Last device report of unsent work as JSON, and its time (epoch ms).
  report TEXT,
  reported_at INTEGER,
  -- Number of repeated sequence numbers, caused by a device restored to an older copy. They are reported to the office
  -- and hide no missing numbers.
  repeated INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

-- Damage stays with the vehicle across rentals until it is repaired.
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

-- Signed contract texts, stored under their hash in the object store with photos and signatures. Never deleted.
CREATE TABLE check_in_contracts (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  uploaded_by INTEGER NOT NULL REFERENCES users (id),
  uploaded_at INTEGER NOT NULL,
  PRIMARY KEY (booking_id, hash)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER check_in_contracts_insert_mark_arrived AFTER INSERT ON check_in_contracts
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE booking_id = NEW.booking_id AND hash = NEW.hash;
END;

CREATE TRIGGER check_in_operation_files_insert_mark_contract_arrived AFTER INSERT ON check_in_operation_files
WHEN EXISTS (SELECT 1 FROM check_in_contracts WHERE booking_id = NEW.booking_id AND hash = NEW.hash)
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE op_id = NEW.op_id AND position = NEW.position;
END;

CREATE INDEX check_in_files_by_time ON check_in_files (uploaded_at) WHERE removed_at IS NULL;

CREATE TABLE check_in_operations (
  op_id TEXT PRIMARY KEY CHECK (length(op_id) = 36),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  unit_id INTEGER REFERENCES booking_units (id) ON DELETE SET NULL,
  kind TEXT NOT NULL CHECK (kind IN ('delivery', 'collection', 'exchange', 'evidence', 'correction')),
  state TEXT NOT NULL CHECK (state IN ('applied', 'held', 'conflict', 'accepted', 'dismissed')),
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  flags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(flags)),
  warnings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(warnings)),
  -- Whether part of the operation couldn't be applied and needs review.
  needs_review INTEGER NOT NULL DEFAULT 0 CHECK (needs_review IN (0, 1)),
  fingerprint TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (json_valid(operation)),
  by_name TEXT, -- user who did the same operation earlier
  by_at INTEGER,
  version INTEGER NOT NULL,
  author TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id), -- sender
  device_id TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq >= 1),
  recorded_at INTEGER NOT NULL, -- by the device's clock, corrected
  received_at INTEGER NOT NULL,
  held_until INTEGER,
  resolved_by INTEGER REFERENCES users (id),
  resolved_at INTEGER,
  resolution_note TEXT,
  CHECK ((state = 'held') = (held_until IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX check_in_operations_by_booking ON check_in_operations (booking_id, received_at);

CREATE INDEX check_in_operations_unsettled ON check_in_operations (state, received_at) WHERE state IN ('held', 'conflict');

CREATE INDEX check_in_operations_to_review ON check_in_operations (received_at) WHERE needs_review = 1;

-- Counts the operations of each device.
CREATE TRIGGER check_in_operations_insert_count AFTER INSERT ON check_in_operations
BEGIN
  INSERT INTO check_in_devices (device_id, user_id, last_seq, received, last_seen_at)
  VALUES (NEW.device_id, NEW.user_id, NEW.seq, 1, NEW.received_at)
  ON CONFLICT (device_id) DO UPDATE SET user_id = excluded.user_id, last_seq = max(last_seq, excluded.last_seq),
    received = received + 1, last_seen_at = max(last_seen_at, excluded.last_seen_at);
END;

CREATE INDEX vehicle_damages_by_booking ON vehicle_damages (booking_id) WHERE booking_id IS NOT NULL;

CREATE INDEX check_in_operations_by_device ON check_in_operations (device_id, seq);

CREATE TRIGGER check_in_operations_insert_mark_repeated AFTER INSERT ON check_in_operations
WHEN NEW.device_id <> 'office' AND EXISTS (SELECT 1 FROM check_in_operations AS other
  WHERE other.device_id = NEW.device_id AND other.seq = NEW.seq AND other.op_id <> NEW.op_id)
BEGIN
  UPDATE check_in_devices SET repeated = repeated + 1 WHERE device_id = NEW.device_id;
END;

-- No-shows of trips reported by drivers, to be confirmed by the office. There are few, found without reading other
-- device work.
CREATE INDEX check_in_operations_no_show ON check_in_operations (recorded_at)
  WHERE operation ->> '$.trip.moment' = 'nobody_came';
