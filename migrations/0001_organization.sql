-- Document 3: branch groups, branches, pickup and return places. One database holds one account.
-- Money is integer minor units (…_cents). Moments are epoch milliseconds, UTC. Times of rentals are civil
-- (decision 0003): a date, a time, and minutes since 1970-01-01 00:00 on the account's own clock.

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
CREATE INDEX branches_by_storage ON branches (branch_group_id);
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
