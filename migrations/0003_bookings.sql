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
  customer_email TEXT,
  customer_phone_prefix TEXT,
  customer_phone TEXT,
  customer_document_id TEXT,
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
  -- What a cancellation keeps of what was paid; the rest is to be given back.
  cancellation_fee_cents INTEGER NOT NULL DEFAULT 0 CHECK (cancellation_fee_cents >= 0),
  cancellation_reason TEXT CHECK (cancellation_reason IN ('cancelled', 'no_show', 'expired')),
  -- By how much the company lowered or raised the price by hand, and why.
  price_difference_cents INTEGER NOT NULL DEFAULT 0,
  price_reason TEXT,
  -- A contract that was closed and is put right: its vehicles are back, its readings and sums are not final.
  reopened_at INTEGER,
  -- The version with which the office last changed what was agreed: field work that saw an older one is told so.
  agreed_version INTEGER NOT NULL DEFAULT 1,
  -- What of a done contract was credited and not invoiced again: nobody owes it.
  credited_cents INTEGER NOT NULL DEFAULT 0 CHECK (credited_cents >= 0),
  -- Where a website's booking came from, as a keyed hash; forgotten after a week.
  visitor_network TEXT,
  -- The customer who was signed in when it was booked: what one whose address is not proved sees.
  made_by_customer_id INTEGER,
  -- What an agency agreed to, kept when the first vehicle goes out: what its customer buys and is charged from then on is the contract's.
  agreed_with_agency TEXT CHECK (agreed_with_agency IS NULL OR json_valid(agreed_with_agency)),
  -- What is held of each contract's deposit: received, less what went back and what is kept. A contract that is over and still has one waits for a person.
  deposit_held_cents INTEGER NOT NULL DEFAULT 0,

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

CREATE INDEX bookings_expiring ON bookings (expires_at) WHERE expires_at IS NOT NULL;

-- Extraction by a branch, with the order of the ids inside.
CREATE INDEX bookings_by_branch ON bookings (branch_code);

CREATE INDEX bookings_by_branch_group ON bookings (branch_group_id);

CREATE INDEX bookings_to_collect ON bookings (return_branch_code, date_to) WHERE status = 'in_progress';

CREATE TRIGGER bookings_update_prevent_kind_change BEFORE UPDATE OF kind ON bookings WHEN NEW.kind <> OLD.kind
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
  offer_id INTEGER REFERENCES offers (id),
  -- What chosen extras took off a line's deposit and guarantee, of each unit: the amounts beside are what is left.
  deposit_reduction_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (deposit_reduction_unit_cents >= 0),
  guarantee_reduction_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (guarantee_reduction_unit_cents >= 0)
) STRICT;

CREATE INDEX booking_lines_by_booking ON booking_lines (booking_id);

-- One row for each unit of a line; the vehicle once it is assigned.
CREATE TABLE booking_units (
  id INTEGER PRIMARY KEY,
  booking_line_id INTEGER NOT NULL REFERENCES booking_lines (id),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  vehicle_reference TEXT REFERENCES vehicles (reference),
  delivered_at INTEGER,
  collected_at INTEGER,
  delivery_usage_units INTEGER CHECK (delivery_usage_units >= 0),
  collection_usage_units INTEGER CHECK (collection_usage_units >= 0),
  delivery_fuel TEXT,
  collection_fuel TEXT,
  -- A unit of such a contract that waits for its right collection.
  reopened INTEGER NOT NULL DEFAULT 0 CHECK (reopened IN (0, 1))
) STRICT;

CREATE INDEX booking_units_by_booking ON booking_units (booking_id);

CREATE INDEX booking_units_by_line ON booking_units (booking_line_id);

-- A vehicle is with one customer at a time, whoever hands it over and whoever corrects it.
CREATE INDEX booking_units_out ON booking_units (vehicle_reference) WHERE delivered_at IS NOT NULL AND collected_at IS NULL;

CREATE TRIGGER booking_units_update_prevent_double_delivery BEFORE UPDATE OF vehicle_reference, delivered_at, collected_at ON booking_units
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

-- What a batch writes was decided on a booking that was read before. Its first statement says which version that was;
-- where somebody changed the booking meanwhile the whole batch is refused, and what follows needs no condition of its
-- own. Nothing is ever kept here.
CREATE TABLE version_guards (
  booking_id INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;

CREATE TRIGGER version_guards_insert_check_version BEFORE INSERT ON version_guards
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM bookings WHERE id = NEW.booking_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;

CREATE TABLE booking_history (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL, -- 'agency:3', 'staff:1', 'customer:9', 'visitor', 'gateway', 'system'
  event TEXT NOT NULL CHECK (event IN ('created', 'confirmed', 'changed', 'extended', 'early_return', 'exchanged', 'assigned', 'unassigned', 'delivered',
    'collected', 'cancelled', 'no_show', 'expired', 'revived', 'reopened', 'paid', 'refunded')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;

CREATE INDEX booking_history_by_booking ON booking_history (booking_id);

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
  allocated_at INTEGER NOT NULL, -- epoch ms; holds that ended before are not counted
  -- What went out instead, of another category or from another branch group, is missing where it belongs until it is back: a row of the contract beside those of
  -- what was agreed, which stay. As it goes out it asks no guard; what the contract takes later, when it is extended, does.
  substitute INTEGER NOT NULL DEFAULT 0 CHECK (substitute IN (0, 1) AND (substitute = 0 OR kind = 'category'))
) STRICT;

CREATE INDEX stock_allocations_by_stock ON stock_allocations (branch_group_id, kind, code, starts_at, ends_at, quantity, expires_at, is_out, returns_at);

CREATE INDEX stock_allocations_by_booking ON stock_allocations (booking_id);

-- A trip that was driven gives its vehicle back by the clock.
CREATE INDEX stock_allocations_of_transfers ON stock_allocations (ends_at) WHERE kind = 'transfer';

-- Lines, extras and trips of a living booking take their units as they are written: no code path can forget to, not even an import into an
-- account whose settings are not there yet.
CREATE TRIGGER booking_lines_insert_allocate AFTER INSERT ON booking_lines
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND part_id = NEW.id;
END;

CREATE TRIGGER booking_extras_insert_allocate AFTER INSERT ON booking_extras
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'extra' AND part_id = NEW.id;
END;

-- More of an extra that is booked already takes what is more like the first ones.
CREATE TRIGGER booking_extras_update_allocate AFTER UPDATE OF quantity ON booking_extras WHEN NEW.quantity > OLD.quantity
BEGIN
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, NEW.quantity - OLD.quantity, expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'extra' AND part_id = NEW.id;
END;

-- A booking named here takes its units anew, as it stands: what it had goes, what it has comes, and what is more than it had passes the
-- guard. `at` is the moment of the change, epoch ms; a hold that ended before has nothing. Nothing is ever kept here.
CREATE TABLE reallocations (
  booking_id INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- pending_confirmation → confirmed → in_progress → done; the first two → cancelled; a contract that is done may be opened again, and a hold
-- that expired revived (docs/interfaces/rules.md#bookings).
CREATE TRIGGER bookings_update_check_transition BEFORE UPDATE OF status ON bookings
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

CREATE TRIGGER bookings_update_release_allocations AFTER UPDATE OF status ON bookings WHEN NEW.status IN ('done', 'cancelled')
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.id;
END;

-- A confirmed booking keeps its units for good. Those of a hold that has ended may be somebody else's: they are taken anew, as are those of a
-- booking that lives again.
CREATE TRIGGER bookings_update_extend_hold AFTER UPDATE OF status ON bookings
WHEN NEW.status <> OLD.status AND (NEW.status = 'confirmed' OR (OLD.status = 'done' AND NEW.status = 'in_progress'))
BEGIN
  INSERT INTO reallocations (booking_id, at) VALUES (NEW.id, NEW.last_update);
END;

CREATE TRIGGER bookings_update_mark_out AFTER UPDATE OF status ON bookings WHEN OLD.status = 'confirmed' AND NEW.status = 'in_progress'
BEGIN
  UPDATE stock_allocations SET is_out = 1 WHERE booking_id = NEW.id;
END;

-- A collection that is taken back: the vehicle is out again.
CREATE TRIGGER booking_units_update_reallocate AFTER UPDATE OF collected_at ON booking_units WHEN OLD.collected_at IS NOT NULL AND NEW.collected_at IS NULL
BEGIN
  UPDATE vehicles SET branch_group_id = (SELECT branch_group_id FROM bookings WHERE id = NEW.booking_id)
  WHERE reference = NEW.vehicle_reference AND (SELECT stays FROM rental_stretches WHERE booking_id = NEW.booking_id);
  DELETE FROM vehicle_blocks WHERE vehicle_reference = OLD.vehicle_reference AND kind = 'away' AND starts_at = OLD.collected_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= OLD.collected_at ORDER BY from_at DESC LIMIT 1), 0);
  INSERT INTO reallocations (booking_id, at) SELECT id, last_update FROM bookings WHERE id = NEW.booking_id;
END;

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

CREATE INDEX bookings_paid_unconfirmed ON bookings (last_update) WHERE status = 'pending_confirmation' AND total_paid_cents > 0;

CREATE INDEX bookings_reopened ON bookings (reopened_at) WHERE reopened_at IS NOT NULL;

CREATE TABLE mail_cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_history_id INTEGER NOT NULL
) STRICT;

CREATE INDEX bookings_to_remind ON bookings (date_from, time_from) WHERE status = 'confirmed';

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

CREATE INDEX bookings_by_visitor ON bookings (visitor_network, created_at) WHERE visitor_network IS NOT NULL;

CREATE TRIGGER bookings_insert_limit_visitor_holds BEFORE INSERT ON bookings
WHEN NEW.visitor_network IS NOT NULL AND (
  SELECT count(*) FROM bookings INDEXED BY bookings_by_visitor
  WHERE visitor_network = NEW.visitor_network AND created_at > NEW.created_at - 86400000
    AND status IN ('pending_confirmation', 'confirmed') AND total_paid_cents = 0
) >= (SELECT visitor_holds FROM settings WHERE id = 1)
BEGIN
  SELECT RAISE(ABORT, 'too_many_holds');
END;

-- What the office did with what it keeps by lists and forms: who, when, what it was, what it is. The version of a thing is that of its last
-- entry, and 1 where it has none; two who change the same version write the same row, and the second is refused.
CREATE TABLE office_history (
  resource TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  move TEXT NOT NULL CHECK (move IN ('created', 'changed', 'removed', 'renamed')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
  PRIMARY KEY (resource, resource_id, version)
) STRICT, WITHOUT ROWID;

-- What is not done yet, or never will be, is little beside what is.
CREATE INDEX bookings_not_done ON bookings (status) WHERE status <> 'done';

-- Whoever inserts here lets all that living rentals take end as the settings say now, and what stays come to where it stays.
CREATE VIEW rental_ends AS SELECT NULL AS anew;

-- Contracts that leave a branch for another, by their return: a board of days reads them without the pickups of months before.
CREATE INDEX bookings_one_way ON bookings (branch_code, date_to) WHERE return_branch_code <> branch_code;

CREATE INDEX bookings_overpaid ON bookings (last_update)
  WHERE status <> 'cancelled' AND total_paid_cents > total_cents - credited_cents - agent_commission_prepaid_cents;

-- What is done in the order of its ids, as bookings_not_done has the rest: a list by status reads its page and no more.
CREATE INDEX bookings_done ON bookings (status) WHERE status = 'done';

CREATE INDEX booking_units_promised ON booking_units (vehicle_reference, delivered_at, booking_id)
WHERE collected_at IS NULL AND vehicle_reference IS NOT NULL;

-- What is kept of a person is found without looking through everybody's: contracts that nobody has linked to a customer,
-- by their address, documents by their customer, damage by the contract that it is of.
CREATE INDEX bookings_unlinked ON bookings (lower(customer_email)) WHERE customer_id IS NULL;

-- A list of some days is read in the order of its pickups, a page and no more. What is overdue is found without the
-- rest that is out, whatever its branch.
CREATE INDEX bookings_by_moment ON bookings (date_from || 'T' || time_from);

CREATE INDEX bookings_overdue ON bookings (date_to || ' ' || time_to) WHERE status = 'in_progress';

CREATE INDEX bookings_refund_due ON bookings (id) WHERE status = 'cancelled' AND total_paid_cents > cancellation_fee_cents - credited_cents;

-- What a search counts of the stock is remembered with this number and asked for again where it has moved: whatever changes what is taken, where a
-- vehicle belongs or when it stands still moves it, in the same transaction.
CREATE TABLE stock_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  -- What is taken of transfer vehicles has a number of its own: who looks for vehicles that are missing reads it anew where that has moved.
  transfers INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE INDEX bookings_by_customer ON bookings (customer_id) WHERE customer_id IS NOT NULL;

CREATE INDEX booking_units_by_vehicle ON booking_units (vehicle_reference) WHERE vehicle_reference IS NOT NULL;

-- A contract that is cancelled lets go of the vehicles that were assigned to it: who asks to whom a vehicle is promised
-- read those of all that were ever cancelled, and such a contract showed a vehicle that somebody else drives.
CREATE TRIGGER bookings_update_release_vehicles AFTER UPDATE OF status ON bookings WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled'
BEGIN
  UPDATE booking_units SET vehicle_reference = NULL WHERE booking_id = NEW.id AND vehicle_reference IS NOT NULL AND delivered_at IS NULL;
END;

-- How long each rental takes its units, in civil minutes, and where they come back.
CREATE VIEW rental_stretches AS
SELECT booking.id AS booking_id, booking.status, booking.expires_at, booking.last_update, booking.status = 'in_progress' AS is_out,
  booking.branch_group_id, back.branch_group_id AS return_branch_group_id,
  min(unixepoch(booking.date_from || ' ' || booking.time_from) / 60, iif(booking.status = 'in_progress', coalesce((
    SELECT went.at / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= went.at ORDER BY from_at DESC LIMIT 1), 0)
    FROM (SELECT min(at) AS at FROM (SELECT unit.delivered_at AS at FROM booking_units AS unit WHERE unit.booking_id = booking.id
      UNION ALL SELECT before.delivered_at FROM exchanged_vehicles AS before WHERE before.booking_id = booking.id)) AS went WHERE went.at IS NOT NULL
  ), 9007199254740991), 9007199254740991)) AS starts_at,
  unixepoch(booking.date_to || ' ' || booking.time_to) / 60 AS returns_at,
  coalesce(settings.preparation_minutes, 60) AS preparation_minutes,
  CASE WHEN back.branch_group_id = booking.branch_group_id THEN 0 ELSE 1440 * coalesce(pair.days, settings.repatriation_days, 3) END AS repatriation_minutes,
  back.branch_group_id <> booking.branch_group_id AND coalesce(settings.one_way_mode, 'returns_home') = 'stays' AS stays
FROM bookings AS booking JOIN branches AS back ON back.code = booking.return_branch_code
  LEFT JOIN settings ON settings.id = 1
  LEFT JOIN repatriations AS pair ON pair.branch_group_id = booking.branch_group_id AND pair.return_branch_group_id = back.branch_group_id;

-- Nobody asks the guard: what is out is out, and where somebody else relied on it, it waits for a person as a shortage. The phones' and the desk's work, and
-- what is brought from elsewhere; a contract is in progress before its first unit is out.
CREATE TRIGGER booking_units_update_mark_out AFTER UPDATE OF delivered_at ON booking_units WHEN OLD.delivered_at IS NULL AND NEW.delivered_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET starts_at = went.at FROM (SELECT NEW.delivered_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at) AS went
  WHERE booking_id = NEW.booking_id AND kind <> 'transfer' AND quantity > 0 AND starts_at > went.at;
END;

CREATE TRIGGER booking_units_insert_mark_out AFTER INSERT ON booking_units WHEN NEW.delivered_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET starts_at = went.at FROM (SELECT NEW.delivered_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at) AS went
  WHERE booking_id = NEW.booking_id AND kind <> 'transfer' AND quantity > 0 AND starts_at > went.at;
END;

CREATE TRIGGER booking_units_update_prevent_double_assignment BEFORE UPDATE OF vehicle_reference ON booking_units
WHEN NEW.vehicle_reference IS NOT NULL AND NEW.delivered_at IS NULL AND NEW.vehicle_reference IS NOT OLD.vehicle_reference
BEGIN
  SELECT RAISE(ABORT, 'vehicle_promised')
  WHERE EXISTS (SELECT 1 FROM bookings AS mine
    JOIN booking_units AS other INDEXED BY booking_units_promised ON other.vehicle_reference = NEW.vehicle_reference AND other.collected_at IS NULL
    JOIN bookings AS theirs ON theirs.id = other.booking_id
    WHERE mine.id = NEW.booking_id AND other.id <> NEW.id AND theirs.status IN ('confirmed', 'in_progress')
      AND (other.delivered_at IS NOT NULL OR theirs.date_from || theirs.time_from < mine.date_to || mine.time_to)
      AND mine.date_from || mine.time_from < theirs.date_to || theirs.time_to);
  SELECT RAISE(ABORT, 'vehicle_blocked')
  WHERE EXISTS (SELECT 1 FROM bookings AS mine JOIN vehicle_blocks AS block ON block.vehicle_reference = NEW.vehicle_reference
    WHERE mine.id = NEW.booking_id
      AND block.ends_at > unixepoch(mine.date_from || ' ' || mine.time_from) / 60
      AND block.starts_at < unixepoch(mine.date_to || ' ' || mine.time_to) / 60);
END;

-- A trip takes its vehicle wherever the vehicle's branch belongs by now: where that had moved to another branch group, or the vehicle to another branch, its
-- trips were counted there as if it had none, and it was sold twice. The ways are looked for where they matter alone: a busy day of one vehicle read them for each of its trips.
CREATE TRIGGER stock_allocations_insert_limit_transfers BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0 AND NEW.kind = 'transfer'
BEGIN
  -- A trip is sold where fewer living trips than there are vehicles get in its way: no vehicle can drive both. Each of those could have been given a
  -- vehicle of its own when it came, so that one is left, whatever the ways.
  SELECT RAISE(ABORT, 'sold_out transfer ' || NEW.code)
  WHERE NOT EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code
      AND starts_at = NEW.starts_at AND ends_at >= NEW.ends_at AND origin_point_id = NEW.origin_point_id AND destination_point_id = NEW.destination_point_id)
    AND coalesce((SELECT units FROM transfer_vehicles WHERE id = CAST(NEW.code AS INTEGER) AND active = 1), 0) <= (
      SELECT count(*) FROM stock_allocations AS other, (
        SELECT way, max(way, coalesce((SELECT max(minutes) FROM transfer_prices WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER)), 0)) AS longest
        FROM (SELECT coalesce((SELECT default_trip_minutes FROM settings WHERE id = 1), 60) AS way)
      ) AS unknown
      WHERE other.branch_group_id IN (SELECT id FROM branch_groups) AND other.kind = NEW.kind AND other.code = NEW.code
        AND other.starts_at > NEW.starts_at - 2880 AND other.starts_at < NEW.starts_at + 2880
        AND (other.expires_at IS NULL OR other.expires_at > NEW.allocated_at)
        -- Whatever the way between them; only then the way is looked for, from the one that departs first to the other.
        AND other.ends_at - other.preparation_minutes + max(other.preparation_minutes, unknown.longest) > NEW.starts_at
        AND NEW.ends_at - NEW.preparation_minutes + max(NEW.preparation_minutes, unknown.longest) > other.starts_at
        AND iif(other.starts_at <= NEW.starts_at, other.ends_at - other.preparation_minutes
          + max(other.preparation_minutes, iif(other.destination_point_id = NEW.origin_point_id, 0, coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = other.destination_point_id
                AND destination_point_id = NEW.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way))) > NEW.starts_at, NEW.ends_at - NEW.preparation_minutes
          + max(NEW.preparation_minutes, iif(NEW.destination_point_id = other.origin_point_id, 0, coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = NEW.destination_point_id
                AND destination_point_id = other.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way))) > other.starts_at)
    );
END;

CREATE INDEX stock_allocations_substitute ON stock_allocations (booking_id) WHERE substitute;

CREATE TRIGGER stock_allocations_insert_limit_stock BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0 AND NEW.kind <> 'transfer'
  AND NOT (NEW.substitute AND NOT EXISTS (SELECT 1 FROM stock_allocations
    WHERE booking_id = NEW.booking_id AND expires_at = 0 AND substitute AND code = NEW.code AND branch_group_id = NEW.branch_group_id))
BEGIN
  SELECT RAISE(ABORT, 'sold_out ' || NEW.kind || ' ' || NEW.code)
  FROM (
    SELECT max(NEW.starts_at, coalesce((SELECT iif(sum(quantity) >= NEW.quantity, min(ends_at), NULL) FROM stock_allocations
        WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code AND branch_group_id = NEW.branch_group_id
          AND substitute = NEW.substitute AND starts_at <= NEW.starts_at), NEW.starts_at)) AS starts_at,
      NEW.allocated_at / 60000
        + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.allocated_at ORDER BY from_at DESC LIMIT 1), 0) AS now,
      coalesce((SELECT overdue_minutes FROM settings WHERE id = 1), 240) AS overdue
  ) AS asked
  WHERE asked.starts_at < NEW.ends_at AND NOT (NEW.kind = 'category' AND NEW.is_out AND NEW.ends_at <= asked.now)
    AND (NEW.kind = 'category' OR EXISTS (SELECT 1 FROM extra_stocks WHERE extra_code = NEW.code))
    AND NEW.quantity + (
      SELECT max(taken) FROM (
        SELECT sum(change) OVER (ORDER BY moment, change ROWS UNBOUNDED PRECEDING) AS taken FROM (
          SELECT asked.starts_at AS moment, 0 AS change
          UNION ALL
          SELECT iif(edge.value = 1, max(starts_at, asked.starts_at), ends_at), quantity * edge.value
          FROM (
            SELECT iif(quantity < 0 AND is_out AND returns_at < asked.now, asked.now + asked.overdue + starts_at - returns_at, starts_at) AS starts_at,
              iif(quantity > 0 AND is_out AND returns_at < asked.now, asked.now + asked.overdue + ends_at - returns_at, ends_at) AS ends_at,
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
    ) > iif(NEW.kind = 'category', (
        SELECT count(*) FROM vehicles AS vehicle
        WHERE vehicle.branch_group_id = NEW.branch_group_id AND vehicle.category_code = NEW.code AND vehicle.active = 1 AND vehicle.assignable = 1
          AND (vehicle.sold_release_date IS NULL OR unixepoch(vehicle.sold_release_date) / 60 > asked.starts_at)), coalesce((SELECT units FROM extra_stocks WHERE extra_code = NEW.code AND branch_group_id = NEW.branch_group_id), 0));
END;

CREATE TRIGGER reallocations_insert_allocate BEFORE INSERT ON reallocations
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at <= NEW.at;
  UPDATE stock_allocations SET expires_at = 0 WHERE booking_id = NEW.booking_id;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
    origin_point_id, destination_point_id, expires_at, allocated_at)
  SELECT taken.booking_id, taken.kind, taken.code, taken.branch_group_id, taken.starts_at, taken.ends_at, taken.preparation_minutes, taken.returns_at, taken.is_out,
    taken.quantity, taken.origin_point_id, taken.destination_point_id, taken.expires_at, NEW.at
  FROM booking_allocations AS taken
  WHERE taken.booking_id = NEW.booking_id AND taken.kind = 'transfer'
    AND EXISTS (SELECT 1 FROM stock_allocations AS had WHERE had.booking_id = NEW.booking_id AND had.expires_at = 0 AND had.kind = 'transfer' AND had.code = taken.code
      AND had.starts_at = taken.starts_at AND had.ends_at >= taken.ends_at AND had.origin_point_id = taken.origin_point_id AND had.destination_point_id = taken.destination_point_id);
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
    origin_point_id, destination_point_id, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, sum(quantity),
    origin_point_id, destination_point_id, expires_at, NEW.at
  FROM booking_allocations AS taken
  WHERE booking_id = NEW.booking_id AND quantity <> 0
    AND NOT (kind = 'transfer' AND EXISTS (SELECT 1 FROM stock_allocations AS again WHERE again.booking_id = NEW.booking_id AND again.expires_at IS NOT 0
      AND again.kind = 'transfer' AND again.starts_at = taken.starts_at))
  GROUP BY kind, code, branch_group_id, starts_at;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, substitute)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, NEW.at, 1 FROM substitute_vehicles
  WHERE booking_id = NEW.booking_id;
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0;
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER stock_allocations_update_prevent BEFORE UPDATE OF kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes, substitute ON stock_allocations
WHEN (NEW.kind, NEW.code, NEW.branch_group_id, NEW.substitute) IS NOT (OLD.kind, OLD.code, OLD.branch_group_id, OLD.substitute)
  OR NEW.starts_at <> OLD.starts_at AND (OLD.kind = 'transfer' OR OLD.quantity < 0 OR NEW.starts_at > OLD.starts_at
    OR NOT EXISTS (SELECT 1 FROM booking_units WHERE booking_id = OLD.booking_id AND delivered_at IS NOT NULL))
  OR ((NEW.ends_at, NEW.preparation_minutes) IS NOT (OLD.ends_at, OLD.preparation_minutes)
    AND (OLD.kind = 'transfer' AND NEW.ends_at - NEW.preparation_minutes <> OLD.ends_at - OLD.preparation_minutes
      OR NOT EXISTS (SELECT 1 FROM booking_allocations AS taken WHERE taken.booking_id = OLD.booking_id AND taken.kind = OLD.kind AND taken.code = OLD.code
        AND taken.branch_group_id = OLD.branch_group_id AND taken.starts_at = OLD.starts_at AND taken.returns_at IS OLD.returns_at
        AND taken.ends_at = NEW.ends_at AND taken.preparation_minutes = NEW.preparation_minutes)))
  OR NEW.quantity <> OLD.quantity AND (NEW.quantity NOT BETWEEN min(0, OLD.quantity) AND max(0, OLD.quantity)
    OR abs(NEW.quantity - OLD.quantity) > (SELECT abs(total(quantity)) FROM stock_allocations
        WHERE substitute = 0 AND booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
      - (SELECT abs(total(quantity)) FROM booking_allocations
        WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id))
BEGIN
  SELECT RAISE(ABORT, 'stock_allocations_are_replaced');
END;

-- Where rentals stay, what is out instead of what was agreed comes itself to where it is brought back, and nothing of what was agreed does. A vehicle that
-- cannot be rented is missing nowhere.
CREATE VIEW substitute_units AS
SELECT unit.booking_id, unit.booking_line_id, line.category_code AS agreed_code, vehicle.category_code AS code, vehicle.branch_group_id, vehicle.active = 1 AND vehicle.assignable = 1 AS is_rentable,
  unit.delivered_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= unit.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at
FROM booking_units AS unit JOIN bookings AS booking ON booking.id = unit.booking_id JOIN booking_lines AS line ON line.id = unit.booking_line_id
  JOIN vehicles AS vehicle ON vehicle.reference = unit.vehicle_reference
WHERE unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL AND booking.status = 'in_progress'
  AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id);

-- What they take where they belong.
CREATE VIEW substitute_allocations AS
SELECT substitute.booking_id, substitute.code, substitute.branch_group_id, min(substitute.at) AS starts_at,
  max(CASE WHEN substitute.branch_group_id = rental.return_branch_group_id THEN rental.returns_at + rental.preparation_minutes
      WHEN rental.stays THEN 9007199254740991
      ELSE rental.returns_at + rental.preparation_minutes + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3) END,
    max(substitute.at) + rental.preparation_minutes + 1) AS ends_at,
  rental.preparation_minutes, rental.returns_at, rental.is_out, count(*) AS quantity, rental.last_update
FROM substitute_units AS substitute JOIN rental_stretches AS rental ON rental.booking_id = substitute.booking_id
  LEFT JOIN repatriations AS home ON home.branch_group_id = substitute.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id
WHERE substitute.is_rentable
GROUP BY substitute.booking_id, substitute.code, substitute.branch_group_id;

CREATE VIEW substitute_vehicles AS
SELECT * FROM substitute_allocations
UNION ALL
SELECT substitute.booking_id, substitute.code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes, 9007199254740991,
  rental.preparation_minutes, rental.returns_at, rental.is_out, -count(*), rental.last_update
FROM substitute_units AS substitute JOIN rental_stretches AS rental ON rental.booking_id = substitute.booking_id
WHERE substitute.is_rentable AND rental.stays AND substitute.branch_group_id <> rental.return_branch_group_id
GROUP BY substitute.booking_id, substitute.code;

CREATE VIEW booking_allocations AS
SELECT rental.booking_id, 'category' AS kind, line.id AS part_id, line.category_code AS code, rental.branch_group_id, rental.starts_at,
  CASE WHEN rental.stays THEN 9007199254740991 ELSE rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes END AS ends_at,
  rental.preparation_minutes, rental.returns_at, rental.is_out,
  line.quantity - (SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL) AS quantity,
  NULL AS origin_point_id, NULL AS destination_point_id, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_lines AS line ON line.booking_id = rental.booking_id
WHERE rental.status NOT IN ('done', 'cancelled')
UNION ALL
-- A unit that stays is the return's from then on, unless another vehicle is out instead. Nobody relies on a hold.
SELECT rental.booking_id, 'category', line.id, line.category_code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes,
  9007199254740991, rental.preparation_minutes, rental.returns_at, rental.is_out,
  (SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL)
    + (SELECT count(*) FROM substitute_units AS substitute WHERE substitute.booking_line_id = line.id) - line.quantity,
  NULL, NULL, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_lines AS line ON line.booking_id = rental.booking_id
WHERE rental.stays AND rental.status IN ('confirmed', 'in_progress')
UNION ALL
-- Extras always come home. Those of a contract that is open again are back, as its vehicles are.
SELECT rental.booking_id, 'extra', extra.id, extra.extra_code, rental.branch_group_id, rental.starts_at,
  rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes, rental.preparation_minutes, rental.returns_at, rental.is_out,
  extra.quantity, NULL, NULL, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_extras AS extra ON extra.booking_id = rental.booking_id
WHERE rental.status NOT IN ('done', 'cancelled') AND (SELECT reopened_at FROM bookings WHERE id = rental.booking_id) IS NULL
UNION ALL
SELECT booking.id, 'transfer', trip.position, CAST(vehicle.id AS TEXT), booking.branch_group_id, unixepoch(trip.date || ' ' || trip.time) / 60,
  unixepoch(trip.date || ' ' || trip.time) / 60 + trip.minutes + vehicle.preparation_minutes, vehicle.preparation_minutes, NULL, 0,
  1, trip.origin_point_id, trip.destination_point_id, booking.expires_at, booking.last_update
FROM bookings AS booking JOIN transfer_bookings AS reserved ON reserved.booking_id = booking.id
  JOIN transfer_vehicles AS vehicle ON vehicle.id = reserved.transfer_vehicle_id JOIN transfer_trips AS trip ON trip.booking_id = booking.id
WHERE booking.status NOT IN ('done', 'cancelled');

-- What a booking that is named here brings elsewhere, and what is out with it instead of what was agreed, anew. Nothing is ever kept here.
CREATE VIEW reallocated_substitutes AS SELECT NULL AS booking_id;

CREATE TRIGGER reallocated_substitutes_insert_outgoing INSTEAD OF INSERT ON reallocated_substitutes
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND substitute AND quantity > 0;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, substitute)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM substitute_allocations
  WHERE booking_id = NEW.booking_id;
  -- Where no row of it came or went, what nobody needs has changed nonetheless.
  UPDATE stock_allocations SET is_out = is_out
  WHERE id = iif(changes() = 0, (SELECT min(id) FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category'), NULL);
END;

CREATE TRIGGER reallocated_substitutes_insert_incoming INSTEAD OF INSERT ON reallocated_substitutes WHEN (SELECT one_way_mode FROM settings WHERE id = 1) = 'stays'
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND quantity < 0;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, sum(quantity), expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND quantity < 0 GROUP BY code;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, substitute)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM substitute_vehicles
  WHERE booking_id = NEW.booking_id AND quantity < 0;
END;

CREATE TRIGGER booking_units_update_release_allocation AFTER UPDATE OF collected_at ON booking_units WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET quantity = quantity - 1
  WHERE id = (SELECT min(id) FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND substitute = 0 AND quantity > 0
    AND code = (SELECT category_code FROM booking_lines WHERE id = NEW.booking_line_id));
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND quantity = 0;
END;

CREATE TRIGGER booking_units_update_keep_at_return_branch AFTER UPDATE OF collected_at ON booking_units
WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL AND (SELECT one_way_mode FROM settings WHERE id = 1) = 'stays'
BEGIN
  UPDATE vehicles SET branch_group_id = (SELECT return_branch_group_id FROM rental_stretches WHERE booking_id = NEW.booking_id)
  WHERE reference = NEW.vehicle_reference AND (SELECT stays FROM rental_stretches WHERE booking_id = NEW.booking_id);
  INSERT INTO reallocated_substitutes (booking_id) SELECT booking_id FROM rental_stretches WHERE booking_id = NEW.booking_id AND stays;
END;

CREATE TRIGGER booking_units_update_mark_away AFTER UPDATE OF collected_at ON booking_units
WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL AND (SELECT branch_group_id FROM vehicles WHERE reference = NEW.vehicle_reference)
  <> (SELECT back.branch_group_id FROM bookings AS booking JOIN branches AS back ON back.code = booking.return_branch_code WHERE booking.id = NEW.booking_id)
BEGIN
  INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at)
  SELECT vehicle.reference, 'away', collected.minute, collected.minute + max(rental.preparation_minutes
    + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3), 1)
  FROM rental_stretches AS rental JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    LEFT JOIN repatriations AS home ON home.branch_group_id = vehicle.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id,
    (SELECT NEW.collected_at / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.collected_at ORDER BY from_at DESC LIMIT 1), 0) AS minute) AS collected
  WHERE rental.booking_id = NEW.booking_id AND NOT rental.stays AND vehicle.branch_group_id <> rental.return_branch_group_id;
END;

CREATE TRIGGER booking_units_update_substitute AFTER UPDATE OF vehicle_reference, delivered_at, collected_at ON booking_units
WHEN OLD.delivered_at IS NOT NULL AND OLD.collected_at IS NULL AND EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND substitute)
  OR NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND EXISTS (SELECT 1 FROM booking_lines AS line JOIN bookings AS booking ON booking.id = line.booking_id
        JOIN vehicles AS vehicle ON vehicle.reference IN (OLD.vehicle_reference, NEW.vehicle_reference)
      WHERE line.id = NEW.booking_line_id AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id))
BEGIN
  INSERT INTO reallocated_substitutes (booking_id) VALUES (NEW.booking_id);
END;

CREATE TRIGGER booking_units_insert_substitute AFTER INSERT ON booking_units
WHEN NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND EXISTS (SELECT 1 FROM booking_lines AS line JOIN bookings AS booking ON booking.id = line.booking_id
  JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    WHERE line.id = NEW.booking_line_id AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id))
BEGIN
  INSERT INTO reallocated_substitutes (booking_id) VALUES (NEW.booking_id);
END;

CREATE TRIGGER rental_ends_insert_move_allocations INSTEAD OF INSERT ON rental_ends
BEGIN
  UPDATE stock_allocations SET (preparation_minutes, ends_at) = (
    SELECT rental.preparation_minutes, iif(rental.stays AND stock_allocations.kind = 'category', 9007199254740991, rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes)
    FROM rental_stretches AS rental WHERE rental.booking_id = stock_allocations.booking_id)
  WHERE kind <> 'transfer' AND quantity > 0 AND substitute = 0 AND booking_id IN (SELECT booking_id FROM rental_stretches);
  DELETE FROM stock_allocations WHERE quantity < 0;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT rental.booking_id, 'category', line.category_code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes, 9007199254740991,
    rental.preparation_minutes, rental.returns_at, rental.is_out,
    sum((SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL)
      + (SELECT count(*) FROM substitute_units AS substitute WHERE substitute.booking_line_id = line.id) - line.quantity) AS change,
    rental.expires_at, rental.last_update
  FROM (SELECT DISTINCT booking_id AS id FROM stock_allocations WHERE kind = 'category') AS living
    JOIN rental_stretches AS rental ON rental.booking_id = living.id JOIN booking_lines AS line ON line.booking_id = living.id
  WHERE rental.stays AND rental.status IN ('confirmed', 'in_progress')
  GROUP BY rental.booking_id, line.category_code HAVING change < 0;
  DELETE FROM stock_allocations WHERE substitute;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, substitute)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM substitute_vehicles;
END;

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

CREATE INDEX bookings_deposit_held ON bookings (id) WHERE status IN ('done', 'cancelled') AND deposit_held_cents > 0;

CREATE INDEX bookings_of_agents ON bookings (agent_id, agent_commission_paid) WHERE agent_id IS NOT NULL;

-- What an agent earns of a booking by its terms and its price as they stand; nothing of what is cancelled (decision 0060).
CREATE VIEW earned_commissions AS
SELECT id AS booking_id,
  iif(agent_id IS NULL OR status = 'cancelled', 0, item_cents) AS base_cents,
  CASE WHEN agent_id IS NULL OR status = 'cancelled' THEN 0
    WHEN agent_commission_calculation = 'percentage' THEN (item_cents * agent_commission_basis_points + 5000) / 10000
    ELSE agent_commission_fixed_cents END AS total_cents
FROM bookings;

CREATE TRIGGER bookings_insert_commission AFTER INSERT ON bookings WHEN NEW.agent_id IS NOT NULL AND NEW.agent_commission_calculation IS NULL
BEGIN
  UPDATE bookings SET (agent_commission_calculation, agent_commission_fixed_cents, agent_commission_basis_points) =
    (SELECT commission_calculation, commission_fixed_cents, commission_basis_points FROM agents WHERE id = NEW.agent_id) WHERE id = NEW.id;
  UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = NEW.id) WHERE id = NEW.id;
END;

CREATE TRIGGER bookings_update_agent_commission AFTER UPDATE OF agent_id ON bookings WHEN NEW.agent_id IS NOT OLD.agent_id AND NEW.agent_commission_paid = 0
BEGIN
  UPDATE bookings SET
      agent_commission_calculation = (SELECT commission_calculation FROM agents WHERE id = NEW.agent_id),
      agent_commission_fixed_cents = coalesce((SELECT commission_fixed_cents FROM agents WHERE id = NEW.agent_id), 0),
      agent_commission_basis_points = coalesce((SELECT commission_basis_points FROM agents WHERE id = NEW.agent_id), 0)
    WHERE id = NEW.id;
  UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = NEW.id) WHERE id = NEW.id;
END;

CREATE TRIGGER bookings_update_earned_commission AFTER UPDATE OF item_cents, status ON bookings
WHEN NEW.agent_id IS NOT NULL AND NEW.agent_commission_paid = 0 AND (NEW.item_cents <> OLD.item_cents OR (NEW.status = 'cancelled') <> (OLD.status = 'cancelled'))
BEGIN
  UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = NEW.id) WHERE id = NEW.id;
END;

-- What the office did with all that it keeps, day by day.
CREATE INDEX office_history_by_time ON office_history (at);

-- Who had a vehicle at a moment: what came back in exchange is found by its vehicle. An exchange writes one entry more.
CREATE INDEX exchanged_vehicles_by_vehicle ON exchanged_vehicles (vehicle_reference);

-- The planning draws each vehicle of an exchange for its own time: what came back within a stretch is found by when it did. An exchange
-- writes one entry more.
CREATE INDEX exchanged_vehicles_by_return ON exchanged_vehicles (returned_at);

-- The deposits that are held are listed and added up, what is due back longest first.
CREATE INDEX bookings_with_deposit ON bookings (date_to, id, status, branch_code, return_branch_code, deposit_held_cents) WHERE deposit_held_cents > 0;

-- What an import brought as pending has no end: it waits for the office.
CREATE INDEX bookings_without_hold_expiry ON bookings (date_to) WHERE status = 'pending_confirmation' AND expires_at IS NULL;

INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0);

INSERT INTO stock_version (id, version, transfers) VALUES (1, 1, 1);
