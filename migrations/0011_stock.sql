-- What a booking takes from the stock, computed in one place; the life of a booking; its history.

-- How the account counts its stock (docs/interfaces/rules.md#units): how long after now a vehicle that is out too long is seen back, what
-- a one-way rental to another branch group does with its unit, and how many days a unit needs until its home counts on it again.
ALTER TABLE settings ADD COLUMN overdue_minutes INTEGER NOT NULL DEFAULT 240 CHECK (overdue_minutes BETWEEN 0 AND 10080);
ALTER TABLE settings ADD COLUMN one_way_mode TEXT NOT NULL DEFAULT 'returns_home' CHECK (one_way_mode IN ('returns_home', 'stays'));
ALTER TABLE settings ADD COLUMN repatriation_days INTEGER NOT NULL DEFAULT 3 CHECK (repatriation_days BETWEEN 0 AND 365);
-- Between a transfer's arrival and its return trip, and between two trips of one vehicle whose way is not known.
ALTER TABLE settings ADD COLUMN transfer_stop_over_minutes INTEGER NOT NULL DEFAULT 15 CHECK (transfer_stop_over_minutes BETWEEN 0 AND 1440);
ALTER TABLE settings ADD COLUMN transfer_way_minutes INTEGER NOT NULL DEFAULT 60 CHECK (transfer_way_minutes BETWEEN 0 AND 1440);

-- The days of a pair of branch groups, instead of the account's own: from where a unit was brought back to its home.
CREATE TABLE repatriations (
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  return_branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id) CHECK (return_branch_group_id <> branch_group_id),
  days INTEGER NOT NULL CHECK (days BETWEEN 0 AND 365),
  PRIMARY KEY (branch_group_id, return_branch_group_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER repatriations_insert_moves_catalogue AFTER INSERT ON repatriations
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER repatriations_update_moves_catalogue AFTER UPDATE ON repatriations
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER repatriations_delete_moves_catalogue AFTER DELETE ON repatriations
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;

-- By how many minutes the account's clock is ahead of UTC from a moment (epoch ms) on, clock changes included. SQLite knows no time zones, and a
-- trigger has nobody to ask what time it is: whoever reads the catalogue sees to it that these rows are those of the settings' time zone, for
-- some years around now. So what is allocated at a moment is compared with the account's own clock of that moment.
CREATE TABLE account_clock (
  from_at INTEGER PRIMARY KEY,
  timezone TEXT NOT NULL,
  offset_minutes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A vehicle that was left at another branch group is away from home until its home counts on it again.
CREATE TABLE vehicle_blocks_before AS SELECT * FROM vehicle_blocks;
DROP TABLE vehicle_blocks;
CREATE TABLE vehicle_blocks (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  kind TEXT NOT NULL CHECK (kind IN ('workshop', 'transfer', 'other', 'away')),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO vehicle_blocks (id, vehicle_reference, kind, starts_at, ends_at, reason)
SELECT id, vehicle_reference, kind, starts_at, ends_at, reason FROM vehicle_blocks_before;
DROP TABLE vehicle_blocks_before;
CREATE INDEX vehicle_blocks_by_vehicle ON vehicle_blocks (vehicle_reference, ends_at, starts_at);
-- What stands still or is away now and later, whatever the history.
CREATE INDEX vehicle_blocks_by_end ON vehicle_blocks (ends_at, vehicle_reference, starts_at);

-- A history of more events: SQLite changes no CHECK of a table that is there.
CREATE TABLE booking_history_before AS SELECT * FROM booking_history;
DROP TABLE booking_history;
CREATE TABLE booking_history (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL, -- 'agency:3', 'staff:1', 'customer:9', 'visitor', 'gateway', 'system'
  event TEXT NOT NULL CHECK (event IN ('created', 'confirmed', 'changed', 'extended', 'early_return', 'exchanged', 'assigned', 'unassigned', 'delivered',
    'collected', 'cancelled', 'no_show', 'expired', 'revived', 'reopened', 'paid', 'refunded')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;
INSERT INTO booking_history (id, booking_id, at, actor, event, detail) SELECT id, booking_id, at, actor, event, detail FROM booking_history_before;
DROP TABLE booking_history_before;
CREATE INDEX booking_history_by_booking ON booking_history (booking_id);

-- The triggers that wrote allocations, each in its own words.
DROP TRIGGER bookings_give_back;
DROP TRIGGER bookings_keep_what_is_confirmed;
DROP TRIGGER bookings_move_forward;
DROP TRIGGER booking_lines_allocate;
DROP TRIGGER booking_extras_allocate;
DROP TRIGGER booking_extras_allocate_more;
DROP TRIGGER transfer_trips_allocate;
DROP TABLE stock_allocations;

-- What the living bookings take from the stock: units of a category or an extra at a branch group, [starts_at, ends_at) in civil minutes,
-- preparation included. Where a unit comes instead of going the quantity is negative. Rows go when the booking is done or cancelled, so the
-- table stays as small as what is open and to come.
CREATE TABLE stock_allocations (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('category', 'extra', 'transfer')),
  code TEXT NOT NULL,
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  preparation_minutes INTEGER NOT NULL DEFAULT 0 CHECK (preparation_minutes >= 0 AND preparation_minutes < ends_at - starts_at),
  -- The agreed return of a rental: what is out later than that is taken until it is back.
  returns_at INTEGER,
  is_out INTEGER NOT NULL DEFAULT 0 CHECK (is_out IN (0, 1)),
  quantity INTEGER NOT NULL,
  -- Of a trip: what its vehicle drives from and to.
  origin_point_id INTEGER REFERENCES transfer_points (id),
  destination_point_id INTEGER REFERENCES transfer_points (id),
  expires_at INTEGER, -- a pending booking's hold, epoch ms; 0: about to be replaced
  allocated_at INTEGER NOT NULL -- epoch ms; holds that ended before are not counted
) STRICT;
CREATE INDEX stock_allocations_by_stock ON stock_allocations (branch_group_id, kind, code, starts_at, ends_at, quantity, expires_at, is_out, returns_at);
CREATE INDEX stock_allocations_by_booking ON stock_allocations (booking_id);
-- A trip that was driven gives its vehicle back by the clock.
CREATE INDEX stock_allocations_of_transfers ON stock_allocations (ends_at) WHERE kind = 'transfer';

-- A rental in civil minutes, with what its way does to its units.
CREATE VIEW rental_stretches AS
SELECT booking.id AS booking_id, booking.status, booking.expires_at, booking.last_update, booking.status = 'in_progress' AS is_out,
  booking.branch_group_id, back.branch_group_id AS return_branch_group_id,
  unixepoch(booking.date_from || ' ' || booking.time_from) / 60 AS starts_at, unixepoch(booking.date_to || ' ' || booking.time_to) / 60 AS returns_at,
  coalesce(settings.preparation_minutes, 60) AS preparation_minutes,
  CASE WHEN back.branch_group_id = booking.branch_group_id THEN 0 ELSE 1440 * coalesce(pair.days, settings.repatriation_days, 3) END AS repatriation_minutes,
  back.branch_group_id <> booking.branch_group_id AND coalesce(settings.one_way_mode, 'returns_home') = 'stays' AS stays
FROM bookings AS booking JOIN branches AS back ON back.code = booking.return_branch_code
  LEFT JOIN settings ON settings.id = 1
  LEFT JOIN repatriations AS pair ON pair.branch_group_id = booking.branch_group_id AND pair.return_branch_group_id = back.branch_group_id;

-- What a booking takes, part by part (docs/interfaces/rules.md#units): its lines, its extras, its trips. A unit that was collected is back.
-- 9007199254740991, the largest number of JavaScript, is no end.
CREATE VIEW booking_allocations AS
SELECT rental.booking_id, 'category' AS kind, line.id AS part_id, line.category_code AS code, rental.branch_group_id, rental.starts_at,
  CASE WHEN rental.stays THEN 9007199254740991 ELSE rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes END AS ends_at,
  rental.preparation_minutes, rental.returns_at, rental.is_out,
  line.quantity - (SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL) AS quantity,
  NULL AS origin_point_id, NULL AS destination_point_id, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_lines AS line ON line.booking_id = rental.booking_id
WHERE rental.status NOT IN ('done', 'cancelled')
UNION ALL
-- A unit that stays is the return's from then on. Nobody relies on a hold.
SELECT rental.booking_id, 'category', line.id, line.category_code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes,
  9007199254740991, rental.preparation_minutes, rental.returns_at, rental.is_out,
  (SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL) - line.quantity,
  NULL, NULL, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_lines AS line ON line.booking_id = rental.booking_id
WHERE rental.stays AND rental.status IN ('confirmed', 'in_progress')
UNION ALL
-- Extras always come home.
SELECT rental.booking_id, 'extra', extra.id, extra.extra_code, rental.branch_group_id, rental.starts_at,
  rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes, rental.preparation_minutes, rental.returns_at, rental.is_out,
  extra.quantity, NULL, NULL, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_extras AS extra ON extra.booking_id = rental.booking_id
WHERE rental.status NOT IN ('done', 'cancelled')
UNION ALL
SELECT booking.id, 'transfer', trip.position, CAST(vehicle.id AS TEXT), booking.branch_group_id, unixepoch(trip.date || ' ' || trip.time) / 60,
  unixepoch(trip.date || ' ' || trip.time) / 60 + trip.minutes + vehicle.preparation_minutes, vehicle.preparation_minutes, NULL, 0,
  1, trip.origin_point_id, trip.destination_point_id, booking.expires_at, booking.last_update
FROM bookings AS booking JOIN transfer_bookings AS reserved ON reserved.booking_id = booking.id
  JOIN transfer_vehicles AS vehicle ON vehicle.id = reserved.transfer_vehicle_id JOIN transfer_trips AS trip ON trip.booking_id = booking.id
WHERE booking.status NOT IN ('done', 'cancelled');

-- How long a vehicle drives from a point to another, by its prices; the most particular one holds (worker/domain/transfers/transfers.ts: findWay).
CREATE VIEW transfer_ways AS
SELECT price.id AS price_id, price.transfer_vehicle_id, origin.id AS origin_point_id, destination.id AS destination_point_id, price.minutes,
  3 + 4 * (price.from_point_id IS NOT NULL) + 2 * (price.to_point_id IS NOT NULL) AS rank
FROM transfer_prices AS price JOIN transfer_points AS origin ON origin.id = price.from_point_id OR origin.zone_id = price.from_zone_id
  JOIN transfer_points AS destination ON destination.id = price.to_point_id OR destination.zone_id = price.to_zone_id
WHERE origin.active = 1 AND destination.active = 1
UNION ALL
SELECT price.id, price.transfer_vehicle_id, origin.id, destination.id, price.minutes,
  2 + 4 * (price.to_point_id IS NOT NULL) + 2 * (price.from_point_id IS NOT NULL)
FROM transfer_prices AS price JOIN transfer_points AS origin ON origin.id = price.to_point_id OR origin.zone_id = price.to_zone_id
  JOIN transfer_points AS destination ON destination.id = price.from_point_id OR destination.zone_id = price.from_zone_id
WHERE price.both_ways = 1 AND origin.active = 1 AND destination.active = 1;

-- What was taken until now, by the same words.
INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
  origin_point_id, destination_point_id, expires_at, allocated_at)
SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
  origin_point_id, destination_point_id, expires_at, last_update
FROM booking_allocations WHERE quantity <> 0;

-- Lines, extras and trips of a living booking take their units as they are written: no code path can forget to, not even an import into an
-- account whose settings are not there yet.
CREATE TRIGGER booking_lines_allocate AFTER INSERT ON booking_lines
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND part_id = NEW.id;
END;
CREATE TRIGGER booking_extras_allocate AFTER INSERT ON booking_extras
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'extra' AND part_id = NEW.id;
END;
-- More of an extra that is booked already takes what is more like the first ones.
CREATE TRIGGER booking_extras_allocate_more AFTER UPDATE OF quantity ON booking_extras WHEN NEW.quantity > OLD.quantity
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, NEW.quantity - OLD.quantity, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'extra' AND part_id = NEW.id;
END;
CREATE TRIGGER transfer_trips_allocate AFTER INSERT ON transfer_trips
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, origin_point_id,
    destination_point_id, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, origin_point_id, destination_point_id, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'transfer' AND part_id = NEW.position;
END;

-- A booking named here takes its units anew, as it stands: what it had goes, what it has comes, and what is more than it had passes the
-- guard. `at` is the moment of the change, epoch ms; a hold that ended before has nothing. Nothing is ever kept here.
CREATE TABLE reallocations (
  booking_id INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER reallocations_take_anew BEFORE INSERT ON reallocations
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at <= NEW.at;
  UPDATE stock_allocations SET expires_at = 0 WHERE booking_id = NEW.booking_id;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
    origin_point_id, destination_point_id, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, sum(quantity),
    origin_point_id, destination_point_id, expires_at, NEW.at
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND quantity <> 0
  GROUP BY kind, code, branch_group_id, starts_at;
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0;
  SELECT RAISE(IGNORE);
END;

-- pending_confirmation → confirmed → in_progress → done; the first two → cancelled; a contract that is done may be opened again, and a hold
-- that expired revived (docs/interfaces/rules.md#bookings).
CREATE TRIGGER bookings_move_forward BEFORE UPDATE OF status ON bookings
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_confirmation' AND NEW.status IN ('confirmed', 'cancelled'))
  OR (OLD.status = 'confirmed' AND NEW.status IN ('in_progress', 'cancelled'))
  OR (OLD.status = 'in_progress' AND NEW.status = 'done')
  OR (OLD.status = 'done' AND NEW.status = 'in_progress')
  OR (OLD.status = 'cancelled' AND NEW.status = 'confirmed' AND 'expired' IS (
    SELECT event FROM booking_history WHERE booking_id = NEW.id AND event IN ('cancelled', 'no_show', 'expired') ORDER BY id DESC LIMIT 1)))
BEGIN
  SELECT RAISE(ABORT, 'booking_transition');
END;
CREATE TRIGGER bookings_give_back AFTER UPDATE OF status ON bookings WHEN NEW.status IN ('done', 'cancelled')
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.id;
END;
-- A confirmed booking keeps its units for good. Those of a hold that has ended may be somebody else's: they are taken anew, as are those of a
-- booking that lives again.
CREATE TRIGGER bookings_take_what_is_confirmed AFTER UPDATE OF status ON bookings
WHEN NEW.status <> OLD.status AND (NEW.status = 'confirmed' OR (OLD.status = 'done' AND NEW.status = 'in_progress'))
BEGIN
  INSERT INTO reallocations (booking_id, at) VALUES (NEW.id, NEW.last_update);
END;
CREATE TRIGGER bookings_are_out AFTER UPDATE OF status ON bookings WHEN OLD.status = 'confirmed' AND NEW.status = 'in_progress'
BEGIN
  UPDATE stock_allocations SET is_out = 1 WHERE booking_id = NEW.id;
END;

-- A unit that is collected takes nothing any more, though others of its booking are out. Where its way ended at another branch group its vehicle
-- is at home there from now on (`stays`), or away until its home counts on it again.
CREATE TRIGGER booking_units_give_back AFTER UPDATE OF collected_at ON booking_units WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET quantity = quantity - (CASE WHEN quantity > 0 THEN 1 ELSE -1 END)
  WHERE id IN (SELECT min(id) FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category'
    AND code = (SELECT category_code FROM booking_lines WHERE id = NEW.booking_line_id) GROUP BY branch_group_id);
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND quantity = 0;
  UPDATE vehicles SET branch_group_id = (SELECT return_branch_group_id FROM rental_stretches WHERE booking_id = NEW.booking_id)
  WHERE reference = NEW.vehicle_reference AND (SELECT stays FROM rental_stretches WHERE booking_id = NEW.booking_id);
  INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at)
  SELECT vehicle.reference, 'away', collected.minute, collected.minute + max(rental.preparation_minutes + rental.repatriation_minutes, 1)
  FROM rental_stretches AS rental JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference,
    (SELECT NEW.collected_at / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.collected_at ORDER BY from_at DESC LIMIT 1), 0) AS minute) AS collected
  WHERE rental.booking_id = NEW.booking_id AND NOT rental.stays AND rental.return_branch_group_id <> rental.branch_group_id
    AND vehicle.branch_group_id <> rental.return_branch_group_id;
END;
-- A collection that is taken back: the vehicle is out again.
CREATE TRIGGER booking_units_take_again AFTER UPDATE OF collected_at ON booking_units WHEN OLD.collected_at IS NOT NULL AND NEW.collected_at IS NULL
BEGIN
  UPDATE vehicles SET branch_group_id = (SELECT branch_group_id FROM bookings WHERE id = NEW.booking_id)
  WHERE reference = NEW.vehicle_reference AND (SELECT stays FROM rental_stretches WHERE booking_id = NEW.booking_id);
  DELETE FROM vehicle_blocks WHERE vehicle_reference = OLD.vehicle_reference AND kind = 'away' AND starts_at = OLD.collected_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= OLD.collected_at ORDER BY from_at DESC LIMIT 1), 0);
  INSERT INTO reallocations (booking_id, at) SELECT id, last_update FROM bookings WHERE id = NEW.booking_id;
END;

-- Rows are replaced and not changed. Only what was collected makes them smaller.
CREATE TRIGGER stock_allocations_are_replaced_not_changed BEFORE UPDATE OF kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes ON stock_allocations
WHEN (NEW.kind, NEW.code, NEW.branch_group_id, NEW.starts_at, NEW.ends_at, NEW.preparation_minutes)
  IS NOT (OLD.kind, OLD.code, OLD.branch_group_id, OLD.starts_at, OLD.ends_at, OLD.preparation_minutes)
  OR NEW.quantity NOT BETWEEN min(0, OLD.quantity) AND max(0, OLD.quantity)
  OR abs(NEW.quantity - OLD.quantity) > (SELECT abs(total(quantity)) FROM stock_allocations
      WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
    - (SELECT abs(total(quantity)) FROM booking_allocations
      WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
BEGIN
  SELECT RAISE(ABORT, 'stock_allocations_are_replaced');
END;

-- The guard (docs/interfaces/rules.md#never-overbooked). It runs in the transaction that inserts, so no client, race or code path can take more
-- than there is. It counts what a search counts (worker/store/bookings/stock.ts): what is taken, what of it is out too long and moves on with the
-- clock, and the vehicles that are not there meanwhile. A booking that is replaced is looked at where it takes more than it had: from the end of
-- a stretch of its own that begins no later and is as large. A contract that is opened again after its time asks nobody.
CREATE TRIGGER stock_allocations_never_exceed_stock BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0
BEGIN
  SELECT RAISE(ABORT, 'sold_out ' || NEW.kind || ' ' || NEW.code)
  FROM (
    SELECT max(NEW.starts_at, coalesce((SELECT CASE WHEN sum(quantity) >= NEW.quantity THEN min(ends_at) END FROM stock_allocations
        WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code AND branch_group_id = NEW.branch_group_id
          AND starts_at <= NEW.starts_at), NEW.starts_at)) AS starts_at,
      NEW.allocated_at / 60000
        + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.allocated_at ORDER BY from_at DESC LIMIT 1), 0) AS now,
      coalesce((SELECT overdue_minutes FROM settings WHERE id = 1), 240) AS overdue
  ) AS asked
  WHERE NEW.kind <> 'transfer' AND asked.starts_at < NEW.ends_at AND NOT (NEW.kind = 'category' AND NEW.is_out AND NEW.ends_at <= asked.now)
    AND (NEW.kind = 'category' OR EXISTS (SELECT 1 FROM extra_stocks WHERE extra_code = NEW.code))
    AND NEW.quantity + (
      SELECT max(taken) FROM (
        SELECT sum(change) OVER (ORDER BY moment, change ROWS UNBOUNDED PRECEDING) AS taken FROM (
          SELECT asked.starts_at AS moment, 0 AS change
          UNION ALL
          SELECT CASE edge.value WHEN 1 THEN max(starts_at, asked.starts_at) ELSE ends_at END, quantity * edge.value
          FROM (
            SELECT CASE WHEN quantity < 0 AND is_out AND returns_at < asked.now THEN asked.now + asked.overdue + starts_at - returns_at ELSE starts_at END AS starts_at,
              CASE WHEN quantity > 0 AND is_out AND returns_at < asked.now THEN asked.now + asked.overdue + ends_at - returns_at ELSE ends_at END AS ends_at,
              quantity
            FROM stock_allocations
            WHERE branch_group_id = NEW.branch_group_id AND kind = NEW.kind AND code = NEW.code AND starts_at < NEW.ends_at
              AND (ends_at > asked.starts_at OR is_out) AND (expires_at IS NULL OR expires_at > NEW.allocated_at)
            UNION ALL
            SELECT max(starts_at, coalesce(max(ends_at) OVER (PARTITION BY reference ORDER BY starts_at, ends_at
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), starts_at)), min(ends_at, NEW.ends_at - NEW.preparation_minutes), 1
            FROM (
              SELECT vehicle.reference, block.starts_at, block.ends_at
              FROM vehicles AS vehicle JOIN vehicle_blocks AS block ON block.vehicle_reference = vehicle.reference
              WHERE NEW.kind = 'category' AND vehicle.branch_group_id = NEW.branch_group_id AND vehicle.category_code = NEW.code
                AND vehicle.active = 1 AND vehicle.assignable = 1
                AND (vehicle.sold_release_date IS NULL OR unixepoch(vehicle.sold_release_date) / 60 > asked.starts_at)
                AND block.ends_at > asked.starts_at AND block.starts_at < NEW.ends_at - NEW.preparation_minutes
              UNION ALL
              SELECT reference, unixepoch(sold_release_date) / 60, 9007199254740991 FROM vehicles
              WHERE NEW.kind = 'category' AND branch_group_id = NEW.branch_group_id AND category_code = NEW.code AND active = 1 AND assignable = 1
                AND sold_release_date IS NOT NULL AND unixepoch(sold_release_date) / 60 > asked.starts_at
                AND unixepoch(sold_release_date) / 60 < NEW.ends_at - NEW.preparation_minutes
            )
          ) AS stretch JOIN json_each('[1,-1]') AS edge
          WHERE starts_at < ends_at AND starts_at < NEW.ends_at AND ends_at > asked.starts_at AND (edge.value = 1 OR ends_at < NEW.ends_at)
        )
      )
    ) > CASE NEW.kind
      WHEN 'category' THEN (
        SELECT count(*) FROM vehicles AS vehicle
        WHERE vehicle.branch_group_id = NEW.branch_group_id AND vehicle.category_code = NEW.code AND vehicle.active = 1 AND vehicle.assignable = 1
          AND (vehicle.sold_release_date IS NULL OR unixepoch(vehicle.sold_release_date) / 60 > asked.starts_at))
      ELSE coalesce((SELECT units FROM extra_stocks WHERE extra_code = NEW.code AND branch_group_id = NEW.branch_group_id), 0)
    END;
  -- A trip is sold where fewer living trips than there are vehicles get in its way: no vehicle can drive both. Each of those could have been given a
  -- vehicle of its own when it came, so that one is left, whatever the ways.
  SELECT RAISE(ABORT, 'sold_out transfer ' || NEW.code)
  WHERE NEW.kind = 'transfer'
    AND NOT EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code
      AND starts_at = NEW.starts_at AND ends_at >= NEW.ends_at AND origin_point_id = NEW.origin_point_id AND destination_point_id = NEW.destination_point_id)
    AND coalesce((SELECT units FROM transfer_vehicles WHERE id = CAST(NEW.code AS INTEGER) AND active = 1), 0) <= (
      SELECT count(*) FROM stock_allocations AS other, (SELECT coalesce((SELECT transfer_way_minutes FROM settings WHERE id = 1), 60) AS way) AS unknown
      WHERE other.branch_group_id = NEW.branch_group_id AND other.kind = NEW.kind AND other.code = NEW.code
        AND other.starts_at > NEW.starts_at - 2880 AND other.starts_at < NEW.starts_at + 2880
        AND (other.expires_at IS NULL OR other.expires_at > NEW.allocated_at)
        AND other.ends_at - other.preparation_minutes
          + max(other.preparation_minutes, CASE WHEN other.destination_point_id = NEW.origin_point_id THEN 0 ELSE coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = other.destination_point_id
                AND destination_point_id = NEW.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way) END) > NEW.starts_at
        AND NEW.ends_at - NEW.preparation_minutes
          + max(NEW.preparation_minutes, CASE WHEN NEW.destination_point_id = other.origin_point_id THEN 0 ELSE coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = NEW.destination_point_id
                AND destination_point_id = other.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way) END) > other.starts_at
    );
END;
