-- The catalogue: settings, branches and places, hours, categories and vehicles, seasons, prices, offers, extras, and
-- its version.

CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  account_name TEXT NOT NULL,
  product_type TEXT NOT NULL DEFAULT 'car',
  country_code TEXT NOT NULL CHECK (length(country_code) = 2),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  currency_decimals INTEGER NOT NULL DEFAULT 2 CHECK (currency_decimals BETWEEN 0 AND 3),
  timezone TEXT NOT NULL,
  languages TEXT NOT NULL CHECK (json_valid(languages) AND json_array_length(languages) > 0),
  default_language TEXT NOT NULL CHECK (length(default_language) = 2),
  base_url TEXT,
  grace_minutes INTEGER NOT NULL DEFAULT 120 CHECK (grace_minutes BETWEEN 0 AND 1440),
  preparation_minutes INTEGER NOT NULL DEFAULT 60 CHECK (preparation_minutes BETWEEN 0 AND 10080),
  hold_minutes INTEGER NOT NULL DEFAULT 1440 CHECK (hold_minutes > 0),
  cart_idle_minutes INTEGER NOT NULL DEFAULT 1440 CHECK (cart_idle_minutes > 0),
  minimum_days INTEGER NOT NULL DEFAULT 1 CHECK (minimum_days >= 1),
  maximum_days INTEGER NOT NULL DEFAULT 365 CHECK (maximum_days >= minimum_days),
  out_of_hours_allowed INTEGER NOT NULL DEFAULT 0 CHECK (out_of_hours_allowed IN (0, 1)),
  out_of_hours_pickup_cents INTEGER NOT NULL DEFAULT 0 CHECK (out_of_hours_pickup_cents >= 0),
  out_of_hours_return_cents INTEGER NOT NULL DEFAULT 0 CHECK (out_of_hours_return_cents >= 0),
  deposit_basis_points INTEGER NOT NULL DEFAULT 10000 CHECK (deposit_basis_points BETWEEN 0 AND 10000),
  automatic_confirmation INTEGER NOT NULL DEFAULT 0 CHECK (automatic_confirmation IN (0, 1)),
  request_allowed INTEGER NOT NULL DEFAULT 1 CHECK (request_allowed IN (0, 1)),
  engine_requires_api_key INTEGER NOT NULL DEFAULT 0 CHECK (engine_requires_api_key IN (0, 1)),
  -- Websites that may call from the browser without an engine key: origins, or "*" for any.
  engine_origins TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(engine_origins)),
  payment_options TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(payment_options)),
  payment_methods TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(payment_methods))
) STRICT;

CREATE TABLE classifiers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE sales_channels (
  code TEXT PRIMARY KEY,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE branch_groups (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  classifier_id INTEGER REFERENCES classifiers (id),
  external_code TEXT,
  timezone TEXT NOT NULL,
  address_street_address TEXT, address_city TEXT, address_state TEXT, address_zip TEXT,
  address_country_code TEXT CHECK (length(address_country_code) = 2),
  address_lat REAL, address_lng REAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;
CREATE INDEX branch_groups_by_update ON branch_groups (last_update);

CREATE TABLE branches (
  code TEXT PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 30),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  name TEXT NOT NULL,
  classifier_id INTEGER REFERENCES classifiers (id),
  external_code TEXT,
  place_type TEXT NOT NULL CHECK (place_type IN ('location', 'airport', 'harbor', 'bus_station', 'train_station', 'accommodation', 'hotel')),
  timezone TEXT NOT NULL,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  company_id INTEGER NOT NULL DEFAULT 1,
  company_name TEXT, document_id TEXT, phone_number TEXT, whatsapp_number TEXT, email TEXT, emergency_number TEXT, commercial_register TEXT,
  address_street_address TEXT, address_city TEXT, address_state TEXT, address_zip TEXT,
  address_country_code TEXT CHECK (length(address_country_code) = 2),
  address_lat REAL, address_lng REAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;
CREATE INDEX branches_by_group ON branches (branch_group_id);
CREATE INDEX branches_by_update ON branches (last_update);

-- A branch with no row at all is open at any time. Weekdays count from Monday = 1 to Sunday = 7.
CREATE TABLE opening_hours (
  branch_code TEXT NOT NULL REFERENCES branches (code),
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  opens TEXT NOT NULL CHECK (opens GLOB '[0-2][0-9]:[0-5][0-9]'),
  closes TEXT NOT NULL CHECK (closes GLOB '[0-2][0-9]:[0-5][0-9]' AND closes > opens),
  PRIMARY KEY (branch_code, weekday, opens)
) STRICT, WITHOUT ROWID;

CREATE TABLE closed_dates (
  branch_code TEXT NOT NULL REFERENCES branches (code),
  date TEXT NOT NULL CHECK (date IS date(date)),
  reason TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (branch_code, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE pickup_places (
  id INTEGER PRIMARY KEY,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  name TEXT NOT NULL,
  classifier_id INTEGER REFERENCES classifiers (id),
  place_type TEXT NOT NULL CHECK (place_type IN ('location', 'airport', 'harbor', 'bus_station', 'train_station', 'accommodation', 'hotel')),
  is_pickup INTEGER NOT NULL DEFAULT 1 CHECK (is_pickup IN (0, 1)),
  is_return INTEGER NOT NULL DEFAULT 1 CHECK (is_return IN (0, 1)),
  web_public INTEGER NOT NULL DEFAULT 1 CHECK (web_public IN (0, 1)),
  price_cents INTEGER NOT NULL DEFAULT 0 CHECK (price_cents >= 0),
  iata TEXT,
  position INTEGER NOT NULL DEFAULT 0,
  address_street_address TEXT, address_city TEXT, address_state TEXT, address_zip TEXT,
  address_country_code TEXT CHECK (length(address_country_code) = 2),
  address_lat REAL, address_lng REAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;
CREATE INDEX pickup_places_by_location ON pickup_places (branch_code);
CREATE INDEX pickup_places_by_update ON pickup_places (last_update);

-- The return places valid for a pickup place. A pickup place with no row accepts every return place.
CREATE TABLE return_places (
  pickup_place_id INTEGER NOT NULL REFERENCES pickup_places (id),
  return_place_id INTEGER NOT NULL REFERENCES pickup_places (id),
  PRIMARY KEY (pickup_place_id, return_place_id)
) STRICT, WITHOUT ROWID;

-- Text in the account's other languages; the entity's own column holds the text in the default language.
CREATE TABLE translations (
  entity TEXT NOT NULL CHECK (entity IN ('pickup_place', 'booking_category', 'extra', 'family', 'driver_age_rule', 'offer', 'transfer_point', 'transfer_vehicle', 'transfer_extra', 'supplement')),
  entity_id TEXT NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('name', 'description', 'short_description')),
  language TEXT NOT NULL CHECK (length(language) = 2),
  text TEXT NOT NULL,
  PRIMARY KEY (entity, entity_id, field, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE families (
  id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES families (id),
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE categories (
  code TEXT PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 30),
  name TEXT NOT NULL,
  short_description TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  family_id INTEGER REFERENCES families (id),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  web_public INTEGER NOT NULL DEFAULT 1 CHECK (web_public IN (0, 1)),
  position INTEGER NOT NULL DEFAULT 0,
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  deposit_cents INTEGER NOT NULL DEFAULT 0 CHECK (deposit_cents >= 0),
  guarantee_cents INTEGER NOT NULL DEFAULT 0 CHECK (guarantee_cents >= 0),
  supplement_1_cents INTEGER NOT NULL DEFAULT 0 CHECK (supplement_1_cents >= 0), -- fuel
  supplement_2_cents INTEGER NOT NULL DEFAULT 0 CHECK (supplement_2_cents >= 0),
  supplement_3_cents INTEGER NOT NULL DEFAULT 0 CHECK (supplement_3_cents >= 0),
  doors INTEGER, seats INTEGER, suitcases INTEGER,
  transmission TEXT CHECK (transmission IN ('manual', 'automatic')),
  fuel TEXT CHECK (fuel IN ('none', 'petrol', 'diesel', 'electric', 'hybrid')),
  air_conditioner INTEGER NOT NULL DEFAULT 0 CHECK (air_conditioner IN (0, 1)),
  -- What is charged when a vehicle comes back.
  fuel_eighth_cents INTEGER NOT NULL DEFAULT 0 CHECK (fuel_eighth_cents >= 0),
  kilometres_per_day INTEGER CHECK (kilometres_per_day >= 0), -- NULL: without limit
  extra_kilometre_cents INTEGER NOT NULL DEFAULT 0 CHECK (extra_kilometre_cents >= 0),
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX categories_by_update ON categories (last_update);

CREATE TABLE category_photos (
  category_code TEXT NOT NULL REFERENCES categories (code),
  position INTEGER NOT NULL,
  photo_path TEXT NOT NULL,
  full_photo_path TEXT NOT NULL,
  PRIMARY KEY (category_code, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE vehicles (
  id INTEGER PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE CHECK (length(reference) BETWEEN 1 AND 50),
  name TEXT NOT NULL,
  category_code TEXT NOT NULL REFERENCES categories (code),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  owner_branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  branch_code TEXT NOT NULL REFERENCES branches (code),
  brand TEXT, model TEXT, plate TEXT, alias TEXT, color TEXT,
  characteristic_1 TEXT, characteristic_2 TEXT, characteristic_3 TEXT, characteristic_4 TEXT,
  own_property INTEGER NOT NULL DEFAULT 1 CHECK (own_property IN (0, 1)),
  acquisition_mode TEXT NOT NULL DEFAULT 'purchase' CHECK (acquisition_mode IN ('purchase', 'renting', 'rented', 'supplier', 'virtual')),
  acquisition_date TEXT CHECK (acquisition_date IS date(acquisition_date)),
  sold_release_date TEXT CHECK (sold_release_date IS date(sold_release_date)),
  purchase_price_cents INTEGER CHECK (purchase_price_cents >= 0),
  purchase_units INTEGER CHECK (purchase_units >= 0),
  sale_price_cents INTEGER CHECK (sale_price_cents >= 0),
  renting_monthly_fee_cents INTEGER CHECK (renting_monthly_fee_cents >= 0),
  insurance_monthly_fee_cents INTEGER CHECK (insurance_monthly_fee_cents >= 0),
  renting_duration INTEGER CHECK (renting_duration >= 0),
  usage_units INTEGER NOT NULL DEFAULT 0 CHECK (usage_units >= 0),
  usage_available_fuel TEXT,
  fuel TEXT NOT NULL DEFAULT 'none' CHECK (fuel IN ('none', 'petrol', 'diesel', 'electric', 'hybrid')),
  tank_capacity_hundredths INTEGER CHECK (tank_capacity_hundredths >= 0),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  assignable INTEGER NOT NULL DEFAULT 1 CHECK (assignable IN (0, 1)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;
CREATE INDEX vehicles_by_update ON vehicles (last_update);
CREATE INDEX vehicles_by_plate ON vehicles (plate);

-- The stock of a branch group, counted without touching the table.
CREATE INDEX vehicles_stock ON vehicles (branch_group_id, category_code, active, assignable, sold_release_date, reference);

-- Periods in which a vehicle cannot be rented. [starts_at, ends_at) in civil minutes.
CREATE TABLE vehicle_blocks (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  kind TEXT NOT NULL CHECK (kind IN ('workshop', 'transfer', 'other')),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX vehicle_blocks_by_vehicle ON vehicle_blocks (vehicle_reference, ends_at);

-- What is blocked now or will be, whatever was blocked before.
CREATE INDEX vehicle_blocks_by_end ON vehicle_blocks (ends_at, vehicle_reference, starts_at);

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

-- season_id NULL: every day no season of its own has a tariff for. sales_channel_code NULL: every channel without its
-- own.
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

CREATE TABLE catalogue_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO catalogue_version (id, version) VALUES (1, 1);
