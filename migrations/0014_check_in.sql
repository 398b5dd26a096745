-- What field work finds and the office looks at before it is charged; a vehicle's own state; vehicles that are exchanged within a contract.

-- More kilometres than these for each day out are improbable: the phone asks whether they are right.
ALTER TABLE settings ADD COLUMN kilometres_a_day INTEGER NOT NULL DEFAULT 1500 CHECK (kilometres_a_day > 0);
-- A charge for kilometres or fuel above it is invoiced once the office has looked at it, in minor units.
ALTER TABLE settings ADD COLUMN closing_charge_limit_cents INTEGER NOT NULL DEFAULT 30000 CHECK (closing_charge_limit_cents >= 0);

-- The version with which the office last changed what was agreed: field work that saw an older one is told so.
ALTER TABLE bookings ADD COLUMN agreed_version INTEGER NOT NULL DEFAULT 1;

-- When that happened (epoch ms) by which odometer, fuel and branch are known: what happened before changes none of them.
ALTER TABLE vehicles ADD COLUMN state_at INTEGER;
UPDATE vehicles SET state_at = (SELECT max(max(coalesce(delivered_at, 0), coalesce(collected_at, 0))) FROM booking_units
  WHERE booking_units.vehicle_reference = vehicles.reference AND delivered_at IS NOT NULL);

-- A vehicle that came back in exchange for another while its contract went on, with the readings of its time; the unit itself has the one that
-- is out now.
CREATE TABLE exchanged_vehicles (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  unit_id INTEGER NOT NULL REFERENCES booking_units (id),
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  delivered_at INTEGER NOT NULL,
  returned_at INTEGER NOT NULL CHECK (returned_at >= delivered_at),
  delivery_usage_units INTEGER CHECK (delivery_usage_units >= 0),
  return_usage_units INTEGER CHECK (return_usage_units >= 0),
  delivery_fuel TEXT,
  return_fuel TEXT
) STRICT;
CREATE INDEX exchanged_vehicles_by_booking ON exchanged_vehicles (booking_id);
CREATE INDEX exchanged_vehicles_by_unit ON exchanged_vehicles (unit_id);
