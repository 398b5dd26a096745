-- Tariffs, seasons, brackets, offers, promotion codes, driver ages, extras (decisions, section 5).

CREATE TABLE seasons (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Inclusive dates. A day belongs to one season at most: the trigger refuses an overlap.
CREATE TABLE season_periods (
  id INTEGER PRIMARY KEY,
  season_id INTEGER NOT NULL REFERENCES seasons (id),
  date_from TEXT NOT NULL CHECK (date_from IS date(date_from)),
  date_to TEXT NOT NULL CHECK (date_to IS date(date_to) AND date_to >= date_from)
) STRICT;
CREATE INDEX season_periods_by_date ON season_periods (date_from);
CREATE TRIGGER season_periods_do_not_overlap_on_insert BEFORE INSERT ON season_periods
BEGIN
  SELECT RAISE(ABORT, 'season_overlap') WHERE EXISTS (
    SELECT 1 FROM season_periods WHERE date_from <= NEW.date_to AND date_to >= NEW.date_from);
END;
CREATE TRIGGER season_periods_do_not_overlap_on_update BEFORE UPDATE ON season_periods
BEGIN
  SELECT RAISE(ABORT, 'season_overlap') WHERE EXISTS (
    SELECT 1 FROM season_periods WHERE id <> OLD.id AND date_from <= NEW.date_to AND date_to >= NEW.date_from);
END;

-- season_id NULL: every day no season of its own has a tariff for. sales_channel_code NULL: every channel without its own.
CREATE TABLE tariffs (
  id INTEGER PRIMARY KEY,
  category_code TEXT NOT NULL REFERENCES categories (code),
  season_id INTEGER REFERENCES seasons (id),
  sales_channel_code TEXT REFERENCES sales_channels (code)
) STRICT;
CREATE UNIQUE INDEX tariffs_once ON tariffs (category_code, coalesce(season_id, 0), coalesce(sales_channel_code, ''));

-- price_per 'day': for each day. 'bracket': for the whole rental, shared out over its days. to_days NULL: no upper end.
CREATE TABLE tariff_brackets (
  tariff_id INTEGER NOT NULL REFERENCES tariffs (id) ON DELETE CASCADE,
  from_days INTEGER NOT NULL CHECK (from_days >= 1),
  to_days INTEGER CHECK (to_days >= from_days),
  price_per TEXT NOT NULL DEFAULT 'day' CHECK (price_per IN ('day', 'bracket')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  PRIMARY KEY (tariff_id, from_days)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER tariff_brackets_do_not_overlap_on_insert BEFORE INSERT ON tariff_brackets
BEGIN
  SELECT RAISE(ABORT, 'bracket_overlap') WHERE EXISTS (
    SELECT 1 FROM tariff_brackets WHERE tariff_id = NEW.tariff_id
      AND from_days <= coalesce(NEW.to_days, from_days) AND coalesce(to_days, NEW.from_days) >= NEW.from_days);
END;
CREATE TRIGGER tariff_brackets_do_not_overlap_on_update BEFORE UPDATE ON tariff_brackets
BEGIN
  SELECT RAISE(ABORT, 'bracket_overlap') WHERE EXISTS (
    SELECT 1 FROM tariff_brackets WHERE tariff_id = NEW.tariff_id AND NOT (tariff_id = OLD.tariff_id AND from_days = OLD.from_days)
      AND from_days <= coalesce(NEW.to_days, from_days) AND coalesce(to_days, NEW.from_days) >= NEW.from_days);
END;

-- value: basis points when the discount is a percentage, minor units off one unit when it is an amount.
CREATE TABLE offers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  discount_type TEXT NOT NULL CHECK (discount_type IN ('percentage', 'amount')),
  value INTEGER NOT NULL CHECK (value > 0 AND (discount_type = 'amount' OR value <= 10000)),
  category_code TEXT REFERENCES categories (code),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  booking_from TEXT CHECK (booking_from IS date(booking_from)),
  booking_to TEXT CHECK (booking_to IS date(booking_to)),
  rental_from TEXT CHECK (rental_from IS date(rental_from)),
  rental_to TEXT CHECK (rental_to IS date(rental_to)),
  minimum_days INTEGER NOT NULL DEFAULT 1 CHECK (minimum_days >= 1),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

CREATE TABLE promotion_codes (
  code TEXT PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 40 AND code = upper(code)),
  discount_type TEXT NOT NULL CHECK (discount_type IN ('percentage', 'amount')),
  value INTEGER NOT NULL CHECK (value > 0 AND (discount_type = 'amount' OR value <= 10000)),
  category_code TEXT REFERENCES categories (code),
  booking_from TEXT CHECK (booking_from IS date(booking_from)),
  booking_to TEXT CHECK (booking_to IS date(booking_to)),
  rental_from TEXT CHECK (rental_from IS date(rental_from)),
  rental_to TEXT CHECK (rental_to IS date(rental_to)),
  minimum_days INTEGER NOT NULL DEFAULT 1 CHECK (minimum_days >= 1),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Ages in full years, both ends inclusive. cost_per 'day': for each rental day; 'rental': once.
CREATE TABLE driver_age_rules (
  id INTEGER PRIMARY KEY,
  description TEXT NOT NULL,
  age_from INTEGER NOT NULL CHECK (age_from >= 0),
  age_to INTEGER NOT NULL CHECK (age_to >= age_from),
  allowed INTEGER NOT NULL DEFAULT 1 CHECK (allowed IN (0, 1)),
  cost_per TEXT NOT NULL DEFAULT 'rental' CHECK (cost_per IN ('day', 'rental')),
  cost_cents INTEGER NOT NULL DEFAULT 0 CHECK (cost_cents >= 0),
  deposit_cents INTEGER NOT NULL DEFAULT 0 CHECK (deposit_cents >= 0)
) STRICT;
CREATE TRIGGER driver_age_rules_do_not_overlap_on_insert BEFORE INSERT ON driver_age_rules
BEGIN
  SELECT RAISE(ABORT, 'driver_age_overlap') WHERE EXISTS (
    SELECT 1 FROM driver_age_rules WHERE age_from <= NEW.age_to AND age_to >= NEW.age_from);
END;
CREATE TRIGGER driver_age_rules_do_not_overlap_on_update BEFORE UPDATE ON driver_age_rules
BEGIN
  SELECT RAISE(ABORT, 'driver_age_overlap') WHERE EXISTS (
    SELECT 1 FROM driver_age_rules WHERE id <> OLD.id AND age_from <= NEW.age_to AND age_to >= NEW.age_from);
END;

-- price_per 'day': each day, up to maximum_price_cents where there is one. 'rental': once.
CREATE TABLE extras (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 30),
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  photo_path TEXT, photo_full_path TEXT,
  price_per TEXT NOT NULL CHECK (price_per IN ('day', 'rental')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  maximum_price_cents INTEGER CHECK (maximum_price_cents >= 0),
  max_quantity INTEGER NOT NULL DEFAULT 1 CHECK (max_quantity >= 1),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  position INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Units of an extra at a branch group. An extra without any row is never short.
CREATE TABLE extra_stocks (
  extra_code TEXT NOT NULL REFERENCES extras (code),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  units INTEGER NOT NULL CHECK (units >= 0),
  PRIMARY KEY (extra_code, branch_group_id)
) STRICT, WITHOUT ROWID;
