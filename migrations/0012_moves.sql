-- The whole life of a contract: the rights of the desk, terms of cancellation, what a move keeps of a booking, and
-- requests of the office that are done once.

-- A user's role may be `agent`: the desk. A CHECK cannot be changed, so the table is made anew. What refers to its rows waits for them: a row that
-- comes back under its id settles what dropping it left open. What goes with a user is put aside and comes back, too.
PRAGMA defer_foreign_keys = on;
CREATE TABLE users_put_aside AS SELECT * FROM users;
CREATE TABLE user_branches_put_aside AS SELECT * FROM user_branches;
CREATE TABLE user_sessions_put_aside AS SELECT * FROM user_sessions;
CREATE TABLE password_resets_put_aside AS SELECT * FROM password_resets;
DROP TABLE users;
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('staff', 'customer')),
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  full_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('customer', 'operator', 'agent', 'manager', 'administrator') AND (role = 'customer') = (kind = 'customer')),
  customer_id INTEGER UNIQUE REFERENCES customers (id),
  all_branches INTEGER NOT NULL DEFAULT 0 CHECK (all_branches IN (0, 1)),
  language TEXT CHECK (length(language) = 2),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  tokens_valid_from INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((kind = 'customer') = (customer_id IS NOT NULL))
) STRICT;
INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, active,
  tokens_valid_from, created_at, last_update)
SELECT id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, active,
  tokens_valid_from, created_at, last_update FROM users_put_aside;
INSERT INTO user_branches (user_id, branch_code) SELECT user_id, branch_code FROM user_branches_put_aside;
INSERT INTO user_sessions (id, user_id, created_at, expires_at, revoked_at)
SELECT id, user_id, created_at, expires_at, revoked_at FROM user_sessions_put_aside;
INSERT INTO password_resets (token_hash, user_id, expires_at, used_at)
SELECT token_hash, user_id, expires_at, used_at FROM password_resets_put_aside;
DROP TABLE users_put_aside;
DROP TABLE user_branches_put_aside;
DROP TABLE user_sessions_put_aside;
DROP TABLE password_resets_put_aside;

-- Up to how much the desk gives away by itself (a refund, a discount, a fee), in minor units.
ALTER TABLE settings ADD COLUMN agent_limit_cents INTEGER NOT NULL DEFAULT 10000 CHECK (agent_limit_cents >= 0);
-- What a vehicle that comes back before its time gives back: nothing, or the days that were not used.
ALTER TABLE settings ADD COLUMN early_return_refund TEXT NOT NULL DEFAULT 'none' CHECK (early_return_refund IN ('none', 'unused_days'));
-- So long after the pickup time a contract that nobody came for is shown as a no-show to be decided on.
ALTER TABLE settings ADD COLUMN no_show_minutes INTEGER NOT NULL DEFAULT 120 CHECK (no_show_minutes >= 0);
-- Whether customers cancel and change their own bookings.
ALTER TABLE settings ADD COLUMN customer_changes_allowed INTEGER NOT NULL DEFAULT 0 CHECK (customer_changes_allowed IN (0, 1));

-- What cancelling costs: the row with the fewest hours that holds so long before the pickup, of the booking's own
-- sales channel where it has any. fee_value: basis points of the total, days, or minor units. `no_show` is what a
-- contract costs that nobody came for.
CREATE TABLE cancellation_terms (
  id INTEGER PRIMARY KEY,
  occasion TEXT NOT NULL CHECK (occasion IN ('cancellation', 'no_show')),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  hours_before INTEGER CHECK (hours_before >= 0),
  fee_type TEXT NOT NULL CHECK (fee_type IN ('percentage', 'days', 'amount')),
  fee_value INTEGER NOT NULL CHECK (fee_value >= 0 AND (fee_type <> 'percentage' OR fee_value <= 10000)),
  CHECK ((occasion = 'no_show') = (hours_before IS NULL))
) STRICT;
CREATE UNIQUE INDEX cancellation_terms_once ON cancellation_terms (occasion, coalesce(sales_channel_code, ''), coalesce(hours_before, -1));

-- What a cancellation keeps of what was paid; the rest is to be given back.
ALTER TABLE bookings ADD COLUMN cancellation_fee_cents INTEGER NOT NULL DEFAULT 0 CHECK (cancellation_fee_cents >= 0);
ALTER TABLE bookings ADD COLUMN cancellation_reason TEXT CHECK (cancellation_reason IN ('cancelled', 'no_show', 'expired'));
-- By how much the company lowered or raised the price by hand, and why.
ALTER TABLE bookings ADD COLUMN price_difference_cents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN price_reason TEXT;
-- A contract that was closed and is put right: its vehicles are back, its readings and sums are not final.
ALTER TABLE bookings ADD COLUMN reopened_at INTEGER;
-- A unit of such a contract that waits for its right collection.
ALTER TABLE booking_units ADD COLUMN reopened INTEGER NOT NULL DEFAULT 0 CHECK (reopened IN (0, 1));

-- What somebody of the office asked for, under a key of their own: the same key is done once, and answered alike for
-- thirty days.
CREATE TABLE office_requests (
  request_key TEXT PRIMARY KEY CHECK (length(request_key) BETWEEN 1 AND 300),
  fingerprint TEXT NOT NULL,
  -- The one thing that was made or changed.
  resource TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX office_requests_by_time ON office_requests (at);

CREATE TRIGGER cancellation_terms_insert_moves_catalogue AFTER INSERT ON cancellation_terms
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER cancellation_terms_update_moves_catalogue AFTER UPDATE ON cancellation_terms
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER cancellation_terms_delete_moves_catalogue AFTER DELETE ON cancellation_terms
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;

-- A vehicle is promised to one contract at a time, and to none while it is blocked; whoever assigns it.
CREATE INDEX booking_units_promised ON booking_units (vehicle_reference) WHERE collected_at IS NULL AND vehicle_reference IS NOT NULL;
CREATE TRIGGER vehicles_are_promised_once BEFORE UPDATE OF vehicle_reference ON booking_units
WHEN NEW.vehicle_reference IS NOT NULL AND NEW.delivered_at IS NULL AND NEW.vehicle_reference IS NOT OLD.vehicle_reference
BEGIN
  SELECT RAISE(ABORT, 'vehicle_promised')
  WHERE EXISTS (SELECT 1 FROM bookings AS mine
    JOIN booking_units AS other INDEXED BY booking_units_promised ON other.vehicle_reference = NEW.vehicle_reference AND other.collected_at IS NULL
    JOIN bookings AS theirs ON theirs.id = other.booking_id
    WHERE mine.id = NEW.booking_id AND other.id <> NEW.id AND theirs.status IN ('confirmed', 'in_progress')
      AND theirs.date_from || theirs.time_from < mine.date_to || mine.time_to
      AND mine.date_from || mine.time_from < theirs.date_to || theirs.time_to);
  SELECT RAISE(ABORT, 'vehicle_blocked')
  WHERE EXISTS (SELECT 1 FROM bookings AS mine JOIN vehicle_blocks AS block ON block.vehicle_reference = NEW.vehicle_reference
    WHERE mine.id = NEW.booking_id
      AND block.ends_at > unixepoch(mine.date_from || ' ' || mine.time_from) / 60
      AND block.starts_at < unixepoch(mine.date_to || ' ' || mine.time_to) / 60);
END;

-- A block is changed by the version that was read.
ALTER TABLE vehicle_blocks ADD COLUMN version INTEGER NOT NULL DEFAULT 1;

-- What the office did with a vehicle: who, when, what it was, what it is.
CREATE TABLE vehicle_history (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('created', 'changed', 'blocked', 'block_changed', 'unblocked', 'moved', 'retired', 'repaired')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;
CREATE INDEX vehicle_history_by_vehicle ON vehicle_history (vehicle_reference);

-- What a batch of the office writes of a vehicle or a block was decided on the version that is named first. Nothing is
-- ever kept here.
CREATE TABLE expected_fleet_versions (
  vehicle_reference TEXT,
  block_id INTEGER,
  version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER expected_fleet_versions_hold BEFORE INSERT ON expected_fleet_versions
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM vehicles WHERE reference = NEW.vehicle_reference AND version = NEW.version
    UNION ALL SELECT 1 FROM vehicle_blocks WHERE id = NEW.block_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;

-- What waits for a person is found without reading what is in order.
CREATE INDEX bookings_owed_back ON bookings (last_update) WHERE status = 'cancelled' AND total_paid_cents > cancellation_fee_cents;
CREATE INDEX bookings_overpaid ON bookings (last_update) WHERE status <> 'cancelled' AND total_paid_cents > total_cents;
CREATE INDEX bookings_paid_unconfirmed ON bookings (last_update) WHERE status = 'pending_confirmation' AND total_paid_cents > 0;
CREATE INDEX bookings_reopened ON bookings (reopened_at) WHERE reopened_at IS NOT NULL;

-- What somebody has looked at, where looking is all there is to do.
CREATE TABLE attention_done (
  item TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails of a booking's life are written from its history: what comes after the cursor is still to be told. The kinds
-- that an account does not send, when it reminds, and what was told to whom already.
ALTER TABLE settings ADD COLUMN mails_off TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(mails_off));
ALTER TABLE settings ADD COLUMN reminder_hours INTEGER NOT NULL DEFAULT 24 CHECK (reminder_hours BETWEEN 0 AND 720);
ALTER TABLE settings ADD COLUMN hold_reminder_minutes INTEGER NOT NULL DEFAULT 60 CHECK (hold_reminder_minutes BETWEEN 0 AND 10080);
CREATE TABLE mail_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_history_id INTEGER NOT NULL
) STRICT;
INSERT INTO mail_cursor (id, last_history_id) SELECT 1, coalesce(max(id), 0) FROM booking_history;
CREATE TABLE booking_mails (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('request_received', 'confirmed', 'changed', 'cancelled', 'payment_received', 'reminder', 'hold_ending')),
  -- The entry of the history that it tells; 0: told once in a booking's life.
  history_id INTEGER NOT NULL,
  recipient TEXT NOT NULL CHECK (recipient IN ('customer', 'branch')),
  at INTEGER NOT NULL,
  PRIMARY KEY (booking_id, kind, history_id, recipient)
) STRICT, WITHOUT ROWID;
CREATE INDEX bookings_to_remind ON bookings (date_from, time_from) WHERE status = 'confirmed';
