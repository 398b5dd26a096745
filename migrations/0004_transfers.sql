-- Transfers: points, prices, vehicles, and reservations as a separate kind of booking.
CREATE TABLE transfer_zones (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE transfer_points (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  point_type TEXT NOT NULL CHECK (point_type IN ('location', 'airport', 'harbor', 'bus_station', 'train_station')),
  zone_id INTEGER REFERENCES transfer_zones (id),
  position INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

-- Adults and children need one seat each. Infants have separate places or use a seat.
CREATE TABLE transfer_vehicles (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  short_description TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  branch_code TEXT NOT NULL REFERENCES branches (code),
  seats INTEGER NOT NULL CHECK (seats >= 1),
  infant_places INTEGER NOT NULL DEFAULT 0 CHECK (infant_places >= 0),
  luggage INTEGER NOT NULL DEFAULT 0 CHECK (luggage >= 0),
  units INTEGER NOT NULL CHECK (units >= 0),
  -- Minutes between arrival and next departure, for the way back and cleaning.
  preparation_minutes INTEGER NOT NULL DEFAULT 30 CHECK (preparation_minutes BETWEEN 0 AND 1440),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  photo_path TEXT,
  photo_full_path TEXT,
  position INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

-- One-way price of a vehicle between two ends, each a point or a zone. The most specific price applies.
CREATE TABLE transfer_prices (
  id INTEGER PRIMARY KEY,
  transfer_vehicle_id INTEGER NOT NULL REFERENCES transfer_vehicles (id),
  from_point_id INTEGER REFERENCES transfer_points (id),
  from_zone_id INTEGER REFERENCES transfer_zones (id),
  to_point_id INTEGER REFERENCES transfer_points (id),
  to_zone_id INTEGER REFERENCES transfer_zones (id),
  both_ways INTEGER NOT NULL DEFAULT 1 CHECK (both_ways IN (0, 1)),
  minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  CHECK ((from_point_id IS NULL) <> (from_zone_id IS NULL)),
  CHECK ((to_point_id IS NULL) <> (to_zone_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX transfer_prices_unique ON transfer_prices (transfer_vehicle_id, coalesce(from_point_id, 0), coalesce(from_zone_id, 0),
  coalesce(to_point_id, 0), coalesce(to_zone_id, 0));

CREATE TABLE transfer_extras (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  price_per TEXT NOT NULL CHECK (price_per IN ('trip', 'reservation')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  max_quantity INTEGER NOT NULL DEFAULT 1 CHECK (max_quantity >= 1),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  photo_path TEXT,
  photo_full_path TEXT,
  position INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

-- Trip surcharges by time of day, part of the year or point. An absent condition always matches. A window from 22:00 to
-- 06:00 covers the night. value: basis points of the trip's price, or minor units.
CREATE TABLE transfer_supplements (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  time_from TEXT CHECK (time_from GLOB '[0-2][0-9]:[0-5][0-9]'),
  time_to TEXT CHECK (time_to GLOB '[0-2][0-9]:[0-5][0-9]'),
  date_from TEXT CHECK (date_from IS date(date_from)),
  date_to TEXT CHECK (date_to IS date(date_to)),
  transfer_point_id INTEGER REFERENCES transfer_points (id),
  value_type TEXT NOT NULL CHECK (value_type IN ('percentage', 'amount')),
  value INTEGER NOT NULL CHECK (value > 0),
  position INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  CHECK ((time_from IS NULL) = (time_to IS NULL)),
  CHECK ((date_from IS NULL) = (date_to IS NULL))
) STRICT;

-- Additional data of a booking of kind `transfer`.
CREATE TABLE transfer_bookings (
  booking_id INTEGER PRIMARY KEY REFERENCES bookings (id),
  transfer_vehicle_id INTEGER NOT NULL REFERENCES transfer_vehicles (id),
  vehicle_name TEXT NOT NULL,
  adults INTEGER NOT NULL CHECK (adults >= 0),
  children INTEGER NOT NULL CHECK (children >= 0),
  infants INTEGER NOT NULL CHECK (infants >= 0),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000)
) STRICT;

-- The outward trip is 1, the return 2.
CREATE TABLE transfer_trips (
  booking_id INTEGER NOT NULL REFERENCES transfer_bookings (booking_id),
  position INTEGER NOT NULL CHECK (position IN (1, 2)),
  date TEXT NOT NULL CHECK (date IS date(date)),
  time TEXT NOT NULL CHECK (time GLOB '[0-2][0-9]:[0-5][0-9]'),
  origin_point_id INTEGER NOT NULL REFERENCES transfer_points (id),
  destination_point_id INTEGER NOT NULL REFERENCES transfer_points (id),
  origin_name TEXT NOT NULL,
  destination_name TEXT NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  PRIMARY KEY (booking_id, position)
) STRICT, WITHOUT ROWID;

-- The day's trips in order of time.
CREATE INDEX transfer_trips_by_day ON transfer_trips (date, time);

CREATE TABLE transfer_booking_extras (
  booking_id INTEGER NOT NULL REFERENCES transfer_bookings (booking_id),
  transfer_extra_id INTEGER NOT NULL REFERENCES transfer_extras (id),
  name TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  unit_cents INTEGER NOT NULL CHECK (unit_cents >= 0),
  -- Its part of the booking's discount. Trips absorb the rest (decision 0070).
  discount_cents INTEGER NOT NULL DEFAULT 0 CHECK (discount_cents >= 0),
  extra_cents INTEGER NOT NULL CHECK (extra_cents >= 0 AND extra_cents = unit_cents * quantity - discount_cents),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  PRIMARY KEY (booking_id, transfer_extra_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfer_booking_supplements (
  booking_id INTEGER NOT NULL REFERENCES transfer_bookings (booking_id),
  transfer_supplement_id INTEGER NOT NULL REFERENCES transfer_supplements (id),
  name TEXT NOT NULL,
  supplement_cents INTEGER NOT NULL CHECK (supplement_cents >= 0),
  PRIMARY KEY (booking_id, transfer_supplement_id)
) STRICT, WITHOUT ROWID;

-- Driving time of a vehicle between two points, from its prices. The most specific one applies
-- (worker/domain/catalogue/transfers.ts: findWay).
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

CREATE TRIGGER transfer_trips_insert_allocate AFTER INSERT ON transfer_trips
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, origin_point_id,
    destination_point_id, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, origin_point_id, destination_point_id, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'transfer' AND part_id = NEW.position;
END;

CREATE TRIGGER transfer_vehicles_update_reallocate_trips AFTER UPDATE OF preparation_minutes ON transfer_vehicles WHEN NEW.preparation_minutes <> OLD.preparation_minutes
BEGIN
  UPDATE stock_allocations SET ends_at = ends_at - preparation_minutes + NEW.preparation_minutes, preparation_minutes = NEW.preparation_minutes
  WHERE kind = 'transfer' AND code = CAST(NEW.id AS TEXT);
END;
