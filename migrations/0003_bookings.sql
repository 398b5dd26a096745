-- Bookings and contracts, their lines, units and extras, their history, and what they take from the stock.

CREATE TABLE bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  free_access_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('pending_confirmation', 'confirmed', 'in_progress', 'done', 'cancelled')),
  kind TEXT NOT NULL DEFAULT 'rental' CHECK (kind IN ('rental', 'transfer')),
  version INTEGER NOT NULL DEFAULT 1,
  created_by TEXT NOT NULL CHECK (created_by IN ('agency', 'engine', 'staff', 'import')),
  request_fingerprint TEXT,
  cart_id TEXT UNIQUE,
  expires_at INTEGER,

  date_from TEXT NOT NULL CHECK (date_from IS date(date_from)),
  time_from TEXT NOT NULL CHECK (time_from GLOB '[0-2][0-9]:[0-5][0-9]'),
  date_to TEXT NOT NULL CHECK (date_to IS date(date_to)),
  time_to TEXT NOT NULL CHECK (time_to GLOB '[0-2][0-9]:[0-5][0-9]'),
  days INTEGER NOT NULL CHECK (days >= 1),
  hours INTEGER NOT NULL DEFAULT 0 CHECK (hours >= 0),
  minutes INTEGER NOT NULL DEFAULT 0 CHECK (minutes >= 0),
  pickup_place_id INTEGER REFERENCES pickup_places (id),
  return_place_id INTEGER REFERENCES pickup_places (id),
  pickup_place TEXT NOT NULL,
  return_place TEXT NOT NULL,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  return_branch_code TEXT NOT NULL REFERENCES branches (code),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  sales_channel_code TEXT REFERENCES sales_channels (code),

  agency_id INTEGER REFERENCES agencies (id),
  agency_reservation_id TEXT,
  agent_id INTEGER REFERENCES agents (id),
  agent_commission_calculation TEXT CHECK (agent_commission_calculation IN ('fixed_amount', 'percentage')),
  agent_commission_fixed_cents INTEGER NOT NULL DEFAULT 0,
  agent_commission_basis_points INTEGER NOT NULL DEFAULT 0,
  agent_commission_base_cents INTEGER NOT NULL DEFAULT 0,
  agent_commission_total_cents INTEGER NOT NULL DEFAULT 0,
  agent_commission_prepaid_cents INTEGER NOT NULL DEFAULT 0,
  agent_commission_paid INTEGER NOT NULL DEFAULT 0 CHECK (agent_commission_paid IN (0, 1)),
  agent_commission_payment_date TEXT CHECK (agent_commission_payment_date IS date(agent_commission_payment_date)),

  customer_id INTEGER REFERENCES customers (id),
  customer_type TEXT NOT NULL DEFAULT 'individual' CHECK (customer_type IN ('individual', 'legal_entity', 'group_company', 'internal_department')),
  customer_name TEXT NOT NULL,
  customer_surname TEXT NOT NULL DEFAULT '',
  customer_email TEXT, customer_phone_prefix TEXT, customer_phone TEXT, customer_document_id TEXT,
  customer_language TEXT NOT NULL CHECK (length(customer_language) = 2),
  -- What the contract asks beyond the columns above (docs/interfaces/booking-engine-vehicles.md#contract-data): drivers, addresses, flights.
  contract_data TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(contract_data)),
  comments TEXT,
  driver_age INTEGER CHECK (driver_age >= 0),
  driver_age_rule_id INTEGER REFERENCES driver_age_rules (id),
  promotion_code TEXT,

  item_cents INTEGER NOT NULL CHECK (item_cents >= 0),
  extras_cents INTEGER NOT NULL DEFAULT 0 CHECK (extras_cents >= 0),
  time_from_cents INTEGER NOT NULL DEFAULT 0 CHECK (time_from_cents >= 0),
  time_to_cents INTEGER NOT NULL DEFAULT 0 CHECK (time_to_cents >= 0),
  pickup_place_cents INTEGER NOT NULL DEFAULT 0 CHECK (pickup_place_cents >= 0),
  return_place_cents INTEGER NOT NULL DEFAULT 0 CHECK (return_place_cents >= 0),
  driver_age_cents INTEGER NOT NULL DEFAULT 0 CHECK (driver_age_cents >= 0),
  category_supplement_1_cents INTEGER NOT NULL DEFAULT 0 CHECK (category_supplement_1_cents >= 0),
  category_supplement_2_cents INTEGER NOT NULL DEFAULT 0 CHECK (category_supplement_2_cents >= 0),
  category_supplement_3_cents INTEGER NOT NULL DEFAULT 0 CHECK (category_supplement_3_cents >= 0),
  supplement_1_cents INTEGER NOT NULL DEFAULT 0 CHECK (supplement_1_cents >= 0),
  supplement_2_cents INTEGER NOT NULL DEFAULT 0 CHECK (supplement_2_cents >= 0),
  supplement_3_cents INTEGER NOT NULL DEFAULT 0 CHECK (supplement_3_cents >= 0),
  total_cents INTEGER NOT NULL,
  booking_amount_cents INTEGER NOT NULL DEFAULT 0 CHECK (booking_amount_cents >= 0),
  total_paid_cents INTEGER NOT NULL DEFAULT 0,
  -- Paid when its hold had ended, when it was cancelled, or when its units were somebody else's: a person decides.
  paid_after_expiry INTEGER NOT NULL DEFAULT 0 CHECK (paid_after_expiry IN (0, 1)),
  product_deposit_cents INTEGER NOT NULL DEFAULT 0 CHECK (product_deposit_cents >= 0),
  product_guarantee_cents INTEGER NOT NULL DEFAULT 0 CHECK (product_guarantee_cents >= 0),
  product_deposit_reduction_cents INTEGER NOT NULL DEFAULT 0 CHECK (product_deposit_reduction_cents >= 0),
  product_guarantee_reduction_cents INTEGER NOT NULL DEFAULT 0 CHECK (product_guarantee_reduction_cents >= 0),
  driver_age_deposit_cents INTEGER NOT NULL DEFAULT 0 CHECK (driver_age_deposit_cents >= 0),
  total_deposit_cents INTEGER NOT NULL DEFAULT 0,
  payment_status TEXT NOT NULL DEFAULT 'none' CHECK (payment_status IN ('none', 'deposit', 'total', 'refunded')),

  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  cancelled_at INTEGER,

  CHECK (date_to || time_to > date_from || time_from),
  CHECK ((agency_id IS NULL) = (agency_reservation_id IS NULL)),
  CHECK (status = 'pending_confirmation' OR expires_at IS NULL),
  CHECK (total_cents = item_cents + extras_cents + time_from_cents + time_to_cents + pickup_place_cents + return_place_cents
    + driver_age_cents + category_supplement_1_cents + category_supplement_2_cents + category_supplement_3_cents
    + supplement_1_cents + supplement_2_cents + supplement_3_cents),
  CHECK (total_deposit_cents = product_deposit_cents + product_guarantee_cents + driver_age_deposit_cents),
  UNIQUE (agency_id, agency_reservation_id)
) STRICT;
CREATE INDEX bookings_by_update ON bookings (last_update);
CREATE INDEX bookings_by_pickup ON bookings (branch_code, date_from);
CREATE INDEX bookings_by_return ON bookings (return_branch_code, date_to);
CREATE INDEX bookings_by_customer ON bookings (customer_id);
CREATE INDEX bookings_expiring ON bookings (expires_at) WHERE expires_at IS NOT NULL;
CREATE TRIGGER bookings_give_back AFTER UPDATE OF status ON bookings WHEN NEW.status IN ('done', 'cancelled')
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.id;
END;

-- A confirmed booking keeps its units for good. They are taken anew through the guard, because the hold may have
-- ended meanwhile and its units may be somebody else's.
CREATE TRIGGER bookings_keep_what_is_confirmed AFTER UPDATE OF status ON bookings
WHEN OLD.status = 'pending_confirmation' AND NEW.status = 'confirmed'
BEGIN
  UPDATE stock_allocations SET expires_at = 0 WHERE booking_id = NEW.id;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, NULL, NEW.last_update
  FROM stock_allocations WHERE booking_id = NEW.id AND expires_at = 0;
  DELETE FROM stock_allocations WHERE booking_id = NEW.id AND expires_at = 0;
END;

-- pending_confirmation → confirmed → in_progress → done; the first two → cancelled (docs/interfaces/rules.md,
-- bookings).
CREATE TRIGGER bookings_move_forward BEFORE UPDATE OF status ON bookings
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_confirmation' AND NEW.status IN ('confirmed', 'cancelled'))
  OR (OLD.status = 'confirmed' AND NEW.status IN ('in_progress', 'cancelled'))
  OR (OLD.status = 'in_progress' AND NEW.status = 'done'))
BEGIN
  SELECT RAISE(ABORT, 'booking_transition');
END;

-- Extraction by a branch, with the order of the ids inside.
CREATE INDEX bookings_by_branch ON bookings (branch_code);
CREATE INDEX bookings_by_branch_group ON bookings (branch_group_id);

-- The day of a branch, and what is overdue, without reading its history.
CREATE INDEX bookings_to_deliver ON bookings (branch_code, date_from) WHERE status = 'confirmed';
CREATE INDEX bookings_to_collect ON bookings (return_branch_code, date_to) WHERE status = 'in_progress';
CREATE TRIGGER bookings_stay_of_their_kind BEFORE UPDATE OF kind ON bookings WHEN NEW.kind <> OLD.kind
BEGIN
  SELECT RAISE(ABORT, 'booking_kind');
END;
CREATE INDEX bookings_paid_too_late ON bookings (last_update) WHERE paid_after_expiry = 1;

CREATE TABLE booking_lines (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  category_code TEXT NOT NULL REFERENCES categories (code),
  item_description TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  item_unit_base_cents INTEGER NOT NULL CHECK (item_unit_base_cents >= 0),
  item_unit_cents INTEGER NOT NULL CHECK (item_unit_cents >= 0),
  item_cents INTEGER NOT NULL CHECK (item_cents = item_unit_cents * quantity),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  category_supplement_1_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (category_supplement_1_unit_cents >= 0),
  category_supplement_2_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (category_supplement_2_unit_cents >= 0),
  category_supplement_3_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (category_supplement_3_unit_cents >= 0),
  product_deposit_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (product_deposit_unit_cents >= 0),
  product_guarantee_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (product_guarantee_unit_cents >= 0),
  offer_id INTEGER REFERENCES offers (id)
) STRICT;
CREATE INDEX booking_lines_by_booking ON booking_lines (booking_id);

-- Lines and extras of a living booking take their units as they are written: no code path can forget to, not even an
-- import into an account whose settings are not there yet.
CREATE TRIGGER booking_lines_allocate AFTER INSERT ON booking_lines
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, expires_at, allocated_at)
  SELECT booking.id, 'category', NEW.category_code, booking.branch_group_id,
    unixepoch(booking.date_from || ' ' || booking.time_from) / 60,
    unixepoch(booking.date_to || ' ' || booking.time_to) / 60 + coalesce(settings.preparation_minutes, 60),
    coalesce(settings.preparation_minutes, 60), NEW.quantity, booking.expires_at, booking.last_update
  FROM bookings AS booking LEFT JOIN settings ON settings.id = 1
  WHERE booking.id = NEW.booking_id AND booking.status NOT IN ('done', 'cancelled');
END;

-- One row for each unit of a line; the vehicle once it is assigned.
CREATE TABLE booking_units (
  id INTEGER PRIMARY KEY,
  booking_line_id INTEGER NOT NULL REFERENCES booking_lines (id),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  vehicle_reference TEXT REFERENCES vehicles (reference),
  delivered_at INTEGER, collected_at INTEGER,
  delivery_usage_units INTEGER CHECK (delivery_usage_units >= 0),
  collection_usage_units INTEGER CHECK (collection_usage_units >= 0),
  delivery_fuel TEXT, collection_fuel TEXT
) STRICT;
CREATE INDEX booking_units_by_booking ON booking_units (booking_id);
CREATE INDEX booking_units_by_line ON booking_units (booking_line_id);
CREATE INDEX booking_units_by_vehicle ON booking_units (vehicle_reference);

-- A vehicle is with one customer at a time, whoever hands it over and whoever corrects it.
CREATE INDEX booking_units_out ON booking_units (vehicle_reference) WHERE delivered_at IS NOT NULL AND collected_at IS NULL;
CREATE TRIGGER vehicles_are_out_once BEFORE UPDATE OF vehicle_reference, delivered_at, collected_at ON booking_units
WHEN NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND NEW.vehicle_reference IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'vehicle_out')
  WHERE EXISTS (SELECT 1 FROM booking_units INDEXED BY booking_units_out
    WHERE vehicle_reference = NEW.vehicle_reference AND id <> NEW.id AND delivered_at IS NOT NULL AND collected_at IS NULL);
END;

CREATE TABLE booking_extras (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  extra_code TEXT NOT NULL REFERENCES extras (code),
  extra_description TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  extra_unit_cents INTEGER NOT NULL CHECK (extra_unit_cents >= 0),
  extra_cents INTEGER NOT NULL CHECK (extra_cents = extra_unit_cents * quantity),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  UNIQUE (booking_id, extra_code)
) STRICT;
CREATE TRIGGER booking_extras_allocate AFTER INSERT ON booking_extras
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, expires_at, allocated_at)
  SELECT booking.id, 'extra', NEW.extra_code, booking.branch_group_id,
    unixepoch(booking.date_from || ' ' || booking.time_from) / 60,
    unixepoch(booking.date_to || ' ' || booking.time_to) / 60 + coalesce(settings.preparation_minutes, 60),
    coalesce(settings.preparation_minutes, 60), NEW.quantity, booking.expires_at, booking.last_update
  FROM bookings AS booking LEFT JOIN settings ON settings.id = 1
  WHERE booking.id = NEW.booking_id AND booking.status NOT IN ('done', 'cancelled');
END;

-- More of an extra that is booked already takes its units from the stock like the first ones.
CREATE TRIGGER booking_extras_allocate_more AFTER UPDATE OF quantity ON booking_extras WHEN NEW.quantity > OLD.quantity
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, expires_at, allocated_at)
  SELECT booking.id, 'extra', NEW.extra_code, booking.branch_group_id,
    unixepoch(booking.date_from || ' ' || booking.time_from) / 60,
    unixepoch(booking.date_to || ' ' || booking.time_to) / 60 + coalesce(settings.preparation_minutes, 60),
    coalesce(settings.preparation_minutes, 60), NEW.quantity - OLD.quantity, booking.expires_at, booking.last_update
  FROM bookings AS booking LEFT JOIN settings ON settings.id = 1
  WHERE booking.id = NEW.booking_id AND booking.status NOT IN ('done', 'cancelled');
END;

CREATE TABLE booking_history (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL, -- 'agency:3', 'staff:1', 'customer:9', 'visitor', 'gateway', 'system'
  event TEXT NOT NULL CHECK (event IN ('created', 'confirmed', 'changed', 'delivered', 'collected', 'cancelled', 'expired', 'paid', 'refunded')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;
CREATE INDEX booking_history_by_booking ON booking_history (booking_id);

-- What the living bookings take from the stock: units of a category or an extra at the pickup's branch group,
-- [starts_at, ends_at) in civil minutes, preparation time included. Rows go when the booking is done or cancelled, so
-- the table stays as small as what is open and to come.
CREATE TABLE stock_allocations (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('category', 'extra', 'transfer')),
  code TEXT NOT NULL,
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  preparation_minutes INTEGER NOT NULL DEFAULT 0 CHECK (preparation_minutes >= 0 AND preparation_minutes < ends_at - starts_at),
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  expires_at INTEGER, -- a pending booking's hold; epoch ms
  allocated_at INTEGER NOT NULL -- epoch ms; holds that ended before are not counted
) STRICT;
CREATE INDEX stock_allocations_by_stock ON stock_allocations (branch_group_id, kind, code, starts_at, ends_at, quantity, expires_at);
CREATE INDEX stock_allocations_by_booking ON stock_allocations (booking_id);

-- A trip that was driven gives its vehicle back by the clock.
CREATE INDEX stock_allocations_of_transfers ON stock_allocations (ends_at) WHERE kind = 'transfer';

-- The guard (docs/interfaces/rules.md: never overbooked). It runs in the transaction that inserts, so no
-- client, race or code path can take more than there is.
CREATE TRIGGER stock_allocations_never_exceed_stock BEFORE INSERT ON stock_allocations
BEGIN
  SELECT RAISE(ABORT, 'sold_out ' || NEW.kind || ' ' || NEW.code)
  WHERE NEW.quantity + coalesce((
    SELECT max(taken) FROM (
      SELECT sum(change) OVER (ORDER BY moment, change ROWS UNBOUNDED PRECEDING) AS taken FROM (
        SELECT max(starts_at, NEW.starts_at) AS moment, quantity AS change FROM stock_allocations
        WHERE branch_group_id = NEW.branch_group_id AND kind = NEW.kind AND code = NEW.code
          AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND (expires_at IS NULL OR expires_at > NEW.allocated_at)
        UNION ALL
        SELECT ends_at, -quantity FROM stock_allocations
        WHERE branch_group_id = NEW.branch_group_id AND kind = NEW.kind AND code = NEW.code
          AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND (expires_at IS NULL OR expires_at > NEW.allocated_at)
      )
    )
  ), 0) > CASE NEW.kind
    WHEN 'category' THEN (
      SELECT count(*) FROM vehicles AS vehicle
      WHERE vehicle.branch_group_id = NEW.branch_group_id AND vehicle.category_code = NEW.code AND vehicle.active = 1 AND vehicle.assignable = 1
        AND (vehicle.sold_release_date IS NULL
          OR unixepoch(vehicle.sold_release_date) / 60 >= NEW.ends_at - NEW.preparation_minutes)
        AND NOT EXISTS (
          SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = vehicle.reference
            AND block.ends_at > NEW.starts_at AND block.starts_at < NEW.ends_at - NEW.preparation_minutes))
    WHEN 'transfer' THEN coalesce((SELECT units FROM transfer_vehicles WHERE id = CAST(NEW.code AS INTEGER) AND active = 1), 0)
    ELSE coalesce(
      (SELECT units FROM extra_stocks WHERE extra_code = NEW.code AND branch_group_id = NEW.branch_group_id),
      CASE WHEN EXISTS (SELECT 1 FROM extra_stocks WHERE extra_code = NEW.code) THEN 0 ELSE 9223372036854775807 END)
  END;
END;
CREATE TRIGGER stock_allocations_are_replaced_not_changed BEFORE UPDATE OF kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes ON stock_allocations
BEGIN
  SELECT RAISE(ABORT, 'stock_allocations_are_replaced');
END;

-- What a batch writes was decided on a booking that was read before. Its first statement says which version that was;
-- where somebody changed the booking meanwhile the whole batch is refused, and what follows needs no condition of its
-- own. Nothing is ever kept here.
CREATE TABLE expected_versions (
  booking_id INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER expected_versions_hold BEFORE INSERT ON expected_versions
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM bookings WHERE id = NEW.booking_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;
