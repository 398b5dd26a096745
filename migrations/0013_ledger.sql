-- The ledger of analytics (document 1): what each counted contract earned in each month, and its sums, from which the reports read. The
-- entries of a contract are replaced in the batch that changes it; the sums follow by triggers, so that they cannot differ.

CREATE TABLE ledger_entries (
  id INTEGER PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('product', 'extra', 'supplement')),
  code TEXT NOT NULL,
  year INTEGER NOT NULL,
  month INTEGER NOT NULL CHECK (month BETWEEN 1 AND 12),
  rental_location_code TEXT NOT NULL REFERENCES rental_locations (code),
  customer_class TEXT NOT NULL CHECK (customer_class IN ('individual', 'legal_entity', 'other')),
  cents INTEGER NOT NULL,
  cents_without_taxes INTEGER NOT NULL,
  days INTEGER NOT NULL DEFAULT 0 CHECK (days >= 0),
  first_day INTEGER NOT NULL DEFAULT 0 CHECK (first_day BETWEEN 0 AND 31),
  last_day INTEGER NOT NULL DEFAULT 0 CHECK (last_day BETWEEN first_day AND 31),
  contracts INTEGER NOT NULL DEFAULT 0,
  usage_units INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX ledger_entries_by_booking ON ledger_entries (booking_id);
CREATE INDEX ledger_entries_by_month ON ledger_entries (kind, code, year, month);

-- A vehicle's months. `all` is every customer, also those of neither class.
CREATE TABLE ledger_products (
  year INTEGER NOT NULL,
  customer_class TEXT NOT NULL CHECK (customer_class IN ('all', 'individual', 'legal_entity')),
  reference TEXT NOT NULL,
  month INTEGER NOT NULL,
  cents INTEGER NOT NULL DEFAULT 0,
  cents_without_taxes INTEGER NOT NULL DEFAULT 0,
  days INTEGER NOT NULL DEFAULT 0,
  -- Different days: a day on which one rental ended and the next began counts once.
  occupied_days INTEGER NOT NULL DEFAULT 0,
  contracts INTEGER NOT NULL DEFAULT 0,
  usage_units INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (year, customer_class, reference, month)
) STRICT, WITHOUT ROWID;

-- Extras and supplements by branch, in the month of pickup.
CREATE TABLE ledger_sales (
  kind TEXT NOT NULL CHECK (kind IN ('extra', 'supplement')),
  year INTEGER NOT NULL,
  code TEXT NOT NULL,
  rental_location_code TEXT NOT NULL,
  month INTEGER NOT NULL,
  cents INTEGER NOT NULL DEFAULT 0,
  cents_without_taxes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, year, code, rental_location_code, month)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_entries_add_product AFTER INSERT ON ledger_entries WHEN NEW.kind = 'product'
BEGIN
  INSERT INTO ledger_products (year, customer_class, reference, month, cents, cents_without_taxes, days, contracts, usage_units)
  SELECT NEW.year, class.value, NEW.code, NEW.month, NEW.cents, NEW.cents_without_taxes, NEW.days, NEW.contracts, NEW.usage_units
  FROM json_each(CASE NEW.customer_class WHEN 'other' THEN '["all"]' ELSE json_array('all', NEW.customer_class) END) AS class WHERE true
  ON CONFLICT (year, customer_class, reference, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes, days = days + excluded.days,
    contracts = contracts + excluded.contracts, usage_units = usage_units + excluded.usage_units;
  UPDATE ledger_products SET occupied_days = (SELECT count(*) FROM
      json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31]') AS day
      WHERE EXISTS (SELECT 1 FROM ledger_entries AS entry WHERE entry.kind = 'product' AND entry.code = NEW.code AND entry.year = NEW.year
        AND entry.month = NEW.month AND entry.days > 0 AND day.value BETWEEN entry.first_day AND entry.last_day
        AND ledger_products.customer_class IN ('all', entry.customer_class)))
  WHERE year = NEW.year AND reference = NEW.code AND month = NEW.month AND customer_class IN ('all', NEW.customer_class);
END;
CREATE TRIGGER ledger_entries_take_product AFTER DELETE ON ledger_entries WHEN OLD.kind = 'product'
BEGIN
  UPDATE ledger_products SET cents = cents - OLD.cents, cents_without_taxes = cents_without_taxes - OLD.cents_without_taxes,
    days = days - OLD.days, contracts = contracts - OLD.contracts, usage_units = usage_units - OLD.usage_units,
    occupied_days = (SELECT count(*) FROM
      json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31]') AS day
      WHERE EXISTS (SELECT 1 FROM ledger_entries AS entry WHERE entry.kind = 'product' AND entry.code = OLD.code AND entry.year = OLD.year
        AND entry.month = OLD.month AND entry.days > 0 AND day.value BETWEEN entry.first_day AND entry.last_day
        AND ledger_products.customer_class IN ('all', entry.customer_class)))
  WHERE year = OLD.year AND reference = OLD.code AND month = OLD.month AND customer_class IN ('all', OLD.customer_class);
END;
CREATE TRIGGER ledger_entries_add_sale AFTER INSERT ON ledger_entries WHEN NEW.kind <> 'product'
BEGIN
  INSERT INTO ledger_sales (kind, year, code, rental_location_code, month, cents, cents_without_taxes)
  VALUES (NEW.kind, NEW.year, NEW.code, NEW.rental_location_code, NEW.month, NEW.cents, NEW.cents_without_taxes)
  ON CONFLICT (kind, year, code, rental_location_code, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes;
END;
CREATE TRIGGER ledger_entries_take_sale AFTER DELETE ON ledger_entries WHEN OLD.kind <> 'product'
BEGIN
  UPDATE ledger_sales SET cents = cents - OLD.cents, cents_without_taxes = cents_without_taxes - OLD.cents_without_taxes
  WHERE kind = OLD.kind AND year = OLD.year AND code = OLD.code AND rental_location_code = OLD.rental_location_code AND month = OLD.month;
END;
CREATE TRIGGER ledger_entries_are_replaced BEFORE UPDATE ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger_entries_are_replaced');
END;

-- Expenses of a branch or a branch group over a year.
CREATE INDEX expenses_by_location ON expenses (rental_location_code, date, id);
CREATE INDEX expenses_by_storage ON expenses (rental_storage_id, date, id);
