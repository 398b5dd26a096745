-- What is found after a contract is done: a fine, a toll, damage, a cleaning. Each is a charge of its own beside the extras that were agreed,
-- counted among them (`extras_cents`) and never taken from the stock.
CREATE TABLE surcharges (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  extra_code TEXT NOT NULL REFERENCES extras (code),
  extra_description TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  extra_unit_cents INTEGER NOT NULL CHECK (extra_unit_cents >= 1),
  extra_cents INTEGER NOT NULL CHECK (extra_cents = extra_unit_cents * quantity),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  charged_on TEXT NOT NULL CHECK (charged_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]') -- the account's own day
) STRICT;
CREATE INDEX surcharges_by_booking ON surcharges (booking_id);
