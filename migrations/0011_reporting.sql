-- The analytics ledger, list totals and expenses.
CREATE TABLE ledger_entries (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('product', 'extra', 'supplement')),
  code TEXT NOT NULL,
  year INTEGER NOT NULL,
  month INTEGER NOT NULL CHECK (month BETWEEN 1 AND 12),
  branch_code TEXT NOT NULL REFERENCES branches (code),
  customer_class TEXT NOT NULL CHECK (customer_class IN ('individual', 'legal_entity', 'other')),
  cents INTEGER NOT NULL,
  cents_without_taxes INTEGER NOT NULL,
  days INTEGER NOT NULL DEFAULT 0 CHECK (days >= 0),
  first_day INTEGER NOT NULL DEFAULT 0 CHECK (first_day BETWEEN 0 AND 31),
  last_day INTEGER NOT NULL DEFAULT 0 CHECK (last_day BETWEEN first_day AND 31),
  contracts INTEGER NOT NULL DEFAULT 0,
  usage_units INTEGER NOT NULL DEFAULT 0,
  -- One in the five bits of each rented day, see ledger_products.
  rented_a INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN days > 0 AND first_day <= 10 AND last_day > 0 THEN ((1 << (5 * (min(last_day, 10) - 0))) - (1 << (5 * (max(first_day, 1) - 0 - 1)))) / 31 ELSE 0 END) VIRTUAL,
  rented_b INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN days > 0 AND first_day <= 20 AND last_day > 10 THEN ((1 << (5 * (min(last_day, 20) - 10))) - (1 << (5 * (max(first_day, 11) - 10 - 1)))) / 31 ELSE 0 END) VIRTUAL,
  rented_c INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN days > 0 AND first_day <= 30 AND last_day > 20 THEN ((1 << (5 * (min(last_day, 30) - 20))) - (1 << (5 * (max(first_day, 21) - 20 - 1)))) / 31 ELSE 0 END) VIRTUAL,
  rented_d INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN days > 0 AND first_day <= 40 AND last_day > 30 THEN ((1 << (5 * (min(last_day, 40) - 30))) - (1 << (5 * (max(first_day, 31) - 30 - 1)))) / 31 ELSE 0 END) VIRTUAL
) STRICT;

CREATE INDEX ledger_entries_by_booking ON ledger_entries (booking_id);

CREATE TRIGGER ledger_entries_delete_subtract_product AFTER DELETE ON ledger_entries WHEN OLD.kind = 'product'
BEGIN
  UPDATE ledger_products SET cents = cents - OLD.cents, cents_without_taxes = cents_without_taxes - OLD.cents_without_taxes, days = days - OLD.days,
    rented_a = rented_a - OLD.rented_a, rented_b = rented_b - OLD.rented_b, rented_c = rented_c - OLD.rented_c, rented_d = rented_d - OLD.rented_d,
    contracts = contracts - OLD.contracts, usage_units = usage_units - OLD.usage_units
  WHERE year = OLD.year AND reference = OLD.code AND month = OLD.month AND customer_class IN ('all', OLD.customer_class);
END;

CREATE TRIGGER ledger_entries_insert_add_sale AFTER INSERT ON ledger_entries WHEN NEW.kind <> 'product'
BEGIN
  INSERT INTO ledger_sales (kind, year, code, branch_code, month, cents, cents_without_taxes)
  VALUES (NEW.kind, NEW.year, NEW.code, NEW.branch_code, NEW.month, NEW.cents, NEW.cents_without_taxes)
  ON CONFLICT (kind, year, code, branch_code, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes;
END;

CREATE TRIGGER ledger_entries_delete_subtract_sale AFTER DELETE ON ledger_entries WHEN OLD.kind <> 'product'
BEGIN
  UPDATE ledger_sales SET cents = cents - OLD.cents, cents_without_taxes = cents_without_taxes - OLD.cents_without_taxes
  WHERE kind = OLD.kind AND year = OLD.year AND code = OLD.code AND branch_code = OLD.branch_code AND month = OLD.month;
END;

CREATE TRIGGER ledger_entries_update_prevent BEFORE UPDATE ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger_entries_update_prevent');
END;

-- Monthly figures of a vehicle. `all` covers every customer, including those in neither class.
CREATE TABLE ledger_products (
  year INTEGER NOT NULL,
  customer_class TEXT NOT NULL CHECK (customer_class IN ('all', 'individual', 'legal_entity')),
  reference TEXT NOT NULL,
  month INTEGER NOT NULL,
  cents INTEGER NOT NULL DEFAULT 0,
  cents_without_taxes INTEGER NOT NULL DEFAULT 0,
  days INTEGER NOT NULL DEFAULT 0,
  -- Number of contracts per day, five bits each: days 1 to 10, 11 to 20, 21 to 30, 31. Adding or subtracting one needs
  -- no read, and every number is safe in JavaScript.
  rented_a INTEGER NOT NULL DEFAULT 0,
  rented_b INTEGER NOT NULL DEFAULT 0,
  rented_c INTEGER NOT NULL DEFAULT 0,
  rented_d INTEGER NOT NULL DEFAULT 0,
  -- Distinct days. A day with both a return and a pickup counts once.
  occupied_days INTEGER NOT NULL GENERATED ALWAYS AS (((rented_a >> 0) & 31 > 0) + ((rented_a >> 5) & 31 > 0) + ((rented_a >> 10) & 31 > 0) + ((rented_a >> 15) & 31 > 0)
    + ((rented_a >> 20) & 31 > 0) + ((rented_a >> 25) & 31 > 0) + ((rented_a >> 30) & 31 > 0) + ((rented_a >> 35) & 31 > 0)
    + ((rented_a >> 40) & 31 > 0) + ((rented_a >> 45) & 31 > 0) + ((rented_b >> 0) & 31 > 0) + ((rented_b >> 5) & 31 > 0)
    + ((rented_b >> 10) & 31 > 0) + ((rented_b >> 15) & 31 > 0) + ((rented_b >> 20) & 31 > 0) + ((rented_b >> 25) & 31 > 0)
    + ((rented_b >> 30) & 31 > 0) + ((rented_b >> 35) & 31 > 0) + ((rented_b >> 40) & 31 > 0) + ((rented_b >> 45) & 31 > 0)
    + ((rented_c >> 0) & 31 > 0) + ((rented_c >> 5) & 31 > 0) + ((rented_c >> 10) & 31 > 0) + ((rented_c >> 15) & 31 > 0)
    + ((rented_c >> 20) & 31 > 0) + ((rented_c >> 25) & 31 > 0) + ((rented_c >> 30) & 31 > 0) + ((rented_c >> 35) & 31 > 0)
    + ((rented_c >> 40) & 31 > 0) + ((rented_c >> 45) & 31 > 0) + ((rented_d >> 0) & 31 > 0)) STORED,
  contracts INTEGER NOT NULL DEFAULT 0,
  usage_units INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (year, customer_class, reference, month)
) STRICT, WITHOUT ROWID;

-- Extras and supplements by branch, in the month of pickup.
CREATE TABLE ledger_sales (
  kind TEXT NOT NULL CHECK (kind IN ('extra', 'supplement')),
  year INTEGER NOT NULL,
  code TEXT NOT NULL,
  branch_code TEXT NOT NULL,
  month INTEGER NOT NULL,
  cents INTEGER NOT NULL DEFAULT 0,
  cents_without_taxes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, year, code, branch_code, month)
) STRICT, WITHOUT ROWID;

-- Row count of each list, so an unfiltered total reads one row.
CREATE TABLE list_totals (
  list TEXT PRIMARY KEY,
  total INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE expense_accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE expense_concepts (
  id INTEGER PRIMARY KEY,
  expense_account_id INTEGER NOT NULL REFERENCES expense_accounts (id),
  name TEXT NOT NULL
) STRICT;

CREATE TABLE expenses (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  expense_concept_id INTEGER NOT NULL REFERENCES expense_concepts (id),
  date TEXT NOT NULL CHECK (date IS date(date)),
  description TEXT NOT NULL DEFAULT '',
  reference TEXT,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  total_without_taxes_cents INTEGER NOT NULL,
  discount_cents INTEGER NOT NULL DEFAULT 0 CHECK (discount_cents >= 0),
  subtotal_cents INTEGER NOT NULL CHECK (subtotal_cents = total_without_taxes_cents - discount_cents),
  taxes_cents INTEGER NOT NULL,
  total_cents INTEGER NOT NULL CHECK (total_cents = subtotal_cents + taxes_cents),
  supplier TEXT CHECK (length(supplier) BETWEEN 1 AND 120),
  supplier_document_id TEXT CHECK (length(supplier_document_id) BETWEEN 1 AND 40),
  last_update INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;

CREATE INDEX expenses_by_update ON expenses (last_update);

CREATE INDEX expenses_by_date ON expenses (date, id);

-- Expenses of a branch or a branch group over a year.
CREATE INDEX expenses_by_location ON expenses (branch_code, date, id);

CREATE INDEX expenses_by_storage ON expenses (branch_group_id, date, id);

-- Vehicle revenue per contract branch (docs/interfaces/analytics.md#figures). History doesn't move with the vehicle.
-- Totals of all branches stay in ledger_products, so fleet queries skip this table.
CREATE TABLE ledger_branch_products (
  year INTEGER NOT NULL,
  customer_class TEXT NOT NULL CHECK (customer_class IN ('all', 'individual', 'legal_entity')),
  branch_code TEXT NOT NULL,
  reference TEXT NOT NULL,
  month INTEGER NOT NULL,
  cents INTEGER NOT NULL DEFAULT 0,
  cents_without_taxes INTEGER NOT NULL DEFAULT 0,
  days INTEGER NOT NULL DEFAULT 0,
  contracts INTEGER NOT NULL DEFAULT 0,
  usage_units INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (year, customer_class, branch_code, reference, month)
) STRICT, WITHOUT ROWID;

CREATE INDEX ledger_branch_products_by_vehicle ON ledger_branch_products (year, customer_class, reference, month, branch_code, days);

CREATE TRIGGER ledger_entries_delete_subtract_branch_product AFTER DELETE ON ledger_entries WHEN OLD.kind = 'product'
BEGIN
  UPDATE ledger_branch_products SET cents = cents - OLD.cents, cents_without_taxes = cents_without_taxes - OLD.cents_without_taxes, days = days - OLD.days,
    contracts = contracts - OLD.contracts, usage_units = usage_units - OLD.usage_units
  WHERE year = OLD.year AND branch_code = OLD.branch_code AND reference = OLD.code AND month = OLD.month AND customer_class IN ('all', OLD.customer_class);
END;

CREATE VIEW search_lines AS SELECT NULL AS list, NULL AS id, NULL AS before, NULL AS after;

-- Blocks of `width` places from `first_place`, without overlaps. A place is the list's number (bookings 1, customers 2,
-- vehicles 3, documents 4, charges 5) times 2^40 plus the row's ID.
CREATE TABLE search_blocks (
  first_place INTEGER PRIMARY KEY,
  width INTEGER NOT NULL CHECK (width IN (128, 256, 512, 1024, 2048, 8192) AND first_place % width = 0),
  lines TEXT NOT NULL
) STRICT;

-- Vehicle costs by day, for its page and for finding duplicates.
CREATE INDEX expenses_by_vehicle ON expenses (vehicle_reference, date, id);

CREATE TRIGGER ledger_entries_insert_add_product AFTER INSERT ON ledger_entries WHEN NEW.kind = 'product'
BEGIN
  INSERT INTO ledger_products (year, customer_class, reference, month, cents, cents_without_taxes, days, rented_a, rented_b, rented_c, rented_d, contracts, usage_units)
  SELECT NEW.year, class.value, NEW.code, NEW.month, NEW.cents, NEW.cents_without_taxes, NEW.days, NEW.rented_a, NEW.rented_b, NEW.rented_c, NEW.rented_d,
    NEW.contracts, NEW.usage_units
  FROM (SELECT 'all' AS value UNION ALL SELECT NEW.customer_class WHERE NEW.customer_class <> 'other') AS class WHERE true
  ON CONFLICT (year, customer_class, reference, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes, days = days + excluded.days, rented_a = rented_a + excluded.rented_a,
    rented_b = rented_b + excluded.rented_b, rented_c = rented_c + excluded.rented_c, rented_d = rented_d + excluded.rented_d, contracts = contracts + excluded.contracts,
    usage_units = usage_units + excluded.usage_units;
END;

CREATE TRIGGER ledger_entries_insert_add_branch_product AFTER INSERT ON ledger_entries WHEN NEW.kind = 'product'
BEGIN
  INSERT INTO ledger_branch_products (year, customer_class, branch_code, reference, month, cents, cents_without_taxes, days, contracts, usage_units)
  SELECT NEW.year, class.value, NEW.branch_code, NEW.code, NEW.month, NEW.cents, NEW.cents_without_taxes, NEW.days, NEW.contracts, NEW.usage_units
  FROM (SELECT 'all' AS value UNION ALL SELECT NEW.customer_class WHERE NEW.customer_class <> 'other') AS class WHERE true
  ON CONFLICT (year, customer_class, branch_code, reference, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes, days = days + excluded.days, contracts = contracts + excluded.contracts,
    usage_units = usage_units + excluded.usage_units;
END;
