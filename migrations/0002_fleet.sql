-- Document 3: inventory (categories, fleet).

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

-- Periods in which an item cannot be rented. [starts_at, ends_at) in civil minutes.
CREATE TABLE vehicle_blocks (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  kind TEXT NOT NULL CHECK (kind IN ('workshop', 'transfer', 'other')),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX vehicle_blocks_by_item ON vehicle_blocks (vehicle_reference, ends_at);
