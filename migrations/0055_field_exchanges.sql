-- A vehicle that is exchanged on the road is an operation of its own kind (decision 0049). Only a table that is made
-- anew takes another kind; what speaks of operations finds them under the same name when the batch ends.
PRAGMA defer_foreign_keys = on;

CREATE TABLE check_in_operations_put_aside AS SELECT * FROM check_in_operations;
DROP TABLE check_in_operations;
CREATE TABLE check_in_operations (
  op_id TEXT PRIMARY KEY CHECK (length(op_id) = 36),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  unit_id INTEGER REFERENCES booking_units (id),
  kind TEXT NOT NULL CHECK (kind IN ('delivery', 'collection', 'exchange', 'evidence', 'correction')),
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
INSERT INTO check_in_operations SELECT * FROM check_in_operations_put_aside;
DROP TABLE check_in_operations_put_aside;
CREATE INDEX check_in_operations_by_booking ON check_in_operations (booking_id, received_at);
CREATE INDEX check_in_operations_unsettled ON check_in_operations (state, received_at) WHERE state IN ('held', 'conflict');
CREATE INDEX check_in_operations_to_look_at ON check_in_operations (received_at) WHERE needs_look = 1;
-- After the copy: what is counted already is not counted again.
CREATE TRIGGER check_in_operations_are_counted AFTER INSERT ON check_in_operations
BEGIN
  INSERT INTO check_in_devices (device_id, user_id, last_seq, received, last_seen_at)
  VALUES (NEW.device_id, NEW.user_id, NEW.seq, 1, NEW.received_at)
  ON CONFLICT (device_id) DO UPDATE SET user_id = excluded.user_id, last_seq = max(last_seq, excluded.last_seq),
    received = received + 1, last_seen_at = max(last_seen_at, excluded.last_seen_at);
END;
