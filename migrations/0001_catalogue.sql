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
  -- Website origins that may call from the browser without an engine key. "*" allows any origin.
  engine_origins TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(engine_origins)),
  payment_options TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(payment_options)),
  payment_methods TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(payment_methods)),
  -- Stock rules of the account (docs/interfaces/rules.md#units). An overdue vehicle is expected back overdue_minutes
  -- after now. one_way_mode defines whether a unit returns home after a one-way rental to another branch group.
  -- repatriation_days pass until its home counts on it again.
  overdue_minutes INTEGER NOT NULL DEFAULT 240 CHECK (overdue_minutes BETWEEN 0 AND 10080),
  one_way_mode TEXT NOT NULL DEFAULT 'returns_home' CHECK (one_way_mode IN ('returns_home', 'stays')),
  repatriation_days INTEGER NOT NULL DEFAULT 3 CHECK (repatriation_days BETWEEN 0 AND 365),
  -- Minimum minutes between a transfer's arrival and its return trip, and between two trips of one vehicle with an
  -- unknown route.
  transfer_stop_over_minutes INTEGER NOT NULL DEFAULT 15 CHECK (transfer_stop_over_minutes BETWEEN 0 AND 1440),
  default_trip_minutes INTEGER NOT NULL DEFAULT 60 CHECK (default_trip_minutes BETWEEN 0 AND 1440),
  -- Highest amount the desk can give without approval (refund, discount or fee), in minor units.
  agent_limit_cents INTEGER NOT NULL DEFAULT 10000 CHECK (agent_limit_cents >= 0),
  -- Highest discount of the desk, as a rate of products and extras.
  -- Modes of the checks before a hand-over. Checks that aren't named warn.
  handover_checks TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(handover_checks)),
  agent_discount_basis_points INTEGER NOT NULL DEFAULT 1000 CHECK (agent_discount_basis_points BETWEEN 0 AND 10000),
  -- Refund for an early return: nothing, or the unused days.
  early_return_refund TEXT NOT NULL DEFAULT 'none' CHECK (early_return_refund IN ('none', 'unused_days')),
  -- Minutes after the pickup time until an uncollected contract appears as a possible no-show.
  no_show_minutes INTEGER NOT NULL DEFAULT 120 CHECK (no_show_minutes >= 0),
  -- Whether customers can cancel and change their own bookings.
  customer_changes_allowed INTEGER NOT NULL DEFAULT 0 CHECK (customer_changes_allowed IN (0, 1)),
  -- Booking mails are written from the history entries after the cursor. These settings list the disabled kinds and the
  -- reminder times.
  disabled_mails TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(disabled_mails)),
  reminder_hours INTEGER NOT NULL DEFAULT 24 CHECK (reminder_hours BETWEEN 0 AND 720),
  hold_reminder_minutes INTEGER NOT NULL DEFAULT 60 CHECK (hold_reminder_minutes BETWEEN 0 AND 10080),
  -- Minutes a booking with an online payment in progress is held, instead of hold_minutes.
  payment_hold_minutes INTEGER NOT NULL DEFAULT 30 CHECK (payment_hold_minutes > 0),
  -- Minimum notice and maximum days ahead for every booking.
  minimum_notice_minutes INTEGER NOT NULL DEFAULT 60 CHECK (minimum_notice_minutes >= 0),
  horizon_days INTEGER NOT NULL DEFAULT 730 CHECK (horizon_days > 0),
  -- More kilometres per day out are unlikely, so the device asks for confirmation.
  max_km_per_day INTEGER NOT NULL DEFAULT 1500 CHECK (max_km_per_day > 0),
  -- A charge for kilometres or fuel above this amount is invoiced after review by the office, in minor units.
  closing_charge_limit_cents INTEGER NOT NULL DEFAULT 30000 CHECK (closing_charge_limit_cents >= 0),
  -- Document numbering of the account: the letters of each kind, and the series pattern of kind, branch and year
  -- ({kind}, {branch}, {year}, {yy}).
  series_pattern TEXT NOT NULL DEFAULT '{kind}-{branch}-{yy}' CHECK (instr(series_pattern, '{kind}') > 0),
  series_letters TEXT NOT NULL
  DEFAULT '{"full":"A","advance":"A","simplified":"T","credit_note":"R","internal_bond":"B"}' CHECK (json_valid(series_letters)),
  -- Highest total of a simplified invoice for a customer without tax ID or address, in minor units.
  simplified_limit_cents INTEGER NOT NULL DEFAULT 40000 CHECK (simplified_limit_cents >= 0),
  -- A refund above this amount needs another manager's approval, in minor units.
  refund_approval_cents INTEGER NOT NULL DEFAULT 50000 CHECK (refund_approval_cents >= 0),
  -- Limits that keep one visitor from reserving all stock: vehicles per website cart, and unpaid bookings per day and
  -- network.
  visitor_units INTEGER NOT NULL DEFAULT 3 CHECK (visitor_units >= 1),
  visitor_holds INTEGER NOT NULL DEFAULT 3 CHECK (visitor_holds >= 1),
  -- Site key of Cloudflare Turnstile. If set, a website checkout must prove that a person is using it.
  turnstile_site_key TEXT,
  -- Lowest role that needs a second factor. NULL means no role.
  second_factor_from TEXT CHECK (second_factor_from IN ('operator', 'agent', 'manager', 'administrator')),
  -- Account settings that websites show (docs/interfaces/booking-engine-vehicles.md#settings).
  engine_customer_access INTEGER NOT NULL DEFAULT 0 CHECK (engine_customer_access IN (0, 1)),
  frontend_date_format TEXT NOT NULL DEFAULT 'DD/MM/YYYY' CHECK (frontend_date_format IN ('DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD.MM.YYYY')),
  default_time_start TEXT NOT NULL DEFAULT '10:00' CHECK (default_time_start GLOB '[0-2][0-9]:[0-5][0-9]'),
  default_time_end TEXT NOT NULL DEFAULT '10:00' CHECK (default_time_end GLOB '[0-2][0-9]:[0-5][0-9]'),
  same_pickup_return_time INTEGER NOT NULL DEFAULT 0 CHECK (same_pickup_return_time IN (0, 1)),
  prefill_selector INTEGER NOT NULL DEFAULT 1 CHECK (prefill_selector IN (0, 1)),
  selector_date_to_days INTEGER NOT NULL DEFAULT 7 CHECK (selector_date_to_days >= 1),
  select_family INTEGER NOT NULL DEFAULT 0 CHECK (select_family IN (0, 1)),
  selector_rental_location INTEGER NOT NULL DEFAULT 0 CHECK (selector_rental_location IN (0, 1)),
  calendar_show_availability_not_selectable INTEGER NOT NULL DEFAULT 1 CHECK (calendar_show_availability_not_selectable IN (0, 1)),
  renting_form_fill_data_address INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_address IN (0, 1)),
  renting_form_fill_data_driver_detail INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_driver_detail IN (0, 1)),
  renting_form_fill_data_flight INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_flight IN (0, 1)),
  renting_form_fill_data_additional_driver_1 INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_additional_driver_1 IN (0, 1)),
  renting_form_fill_data_additional_driver_2 INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_additional_driver_2 IN (0, 1)),
  hide_price_if_zero INTEGER NOT NULL DEFAULT 0 CHECK (hide_price_if_zero IN (0, 1)),
  hide_price_if_not_available INTEGER NOT NULL DEFAULT 0 CHECK (hide_price_if_not_available IN (0, 1)),
  literal_deposit_franchise TEXT NOT NULL DEFAULT 'deposit' CHECK (literal_deposit_franchise IN ('deposit', 'franchise')),
  deposit_literal TEXT,
  deposit_reduction_literal TEXT,
  guarantee_literal TEXT,
  guarantee_reduction_literal TEXT,
  driver_deposit_literal TEXT,
  deposit_total_literal TEXT,
  transfer_allow_select_return_origin_destination INTEGER NOT NULL DEFAULT 1 CHECK (transfer_allow_select_return_origin_destination IN (0, 1)),
  transfer_origin_destination_detailed_info_mode TEXT NOT NULL DEFAULT 'trip' CHECK (transfer_origin_destination_detailed_info_mode IN ('trip', 'only_address', 'flight_address')),
  transfer_form_fill_billing_address INTEGER NOT NULL DEFAULT 0 CHECK (transfer_form_fill_billing_address IN (0, 1)),
  -- VERI*FACTU: chained invoice records for the Spanish tax agency and their states (docs/interfaces/verifactu.md). The
  -- account sets the legal regime of each tax territory.
  tax_records_iva TEXT NOT NULL DEFAULT 'none' CHECK (tax_records_iva IN ('none', 'verifactu', 'sii', 'foral', 'exempt')),
  tax_records_igic TEXT NOT NULL DEFAULT 'none' CHECK (tax_records_igic IN ('none', 'verifactu', 'sii', 'foral', 'exempt')),
  tax_records_ipsi TEXT NOT NULL DEFAULT 'none' CHECK (tax_records_ipsi IN ('none', 'verifactu', 'sii', 'foral', 'exempt')),
  -- The agency's environment, which also determines the chain.
  tax_environment TEXT NOT NULL DEFAULT 'test' CHECK (tax_environment IN ('test', 'production')),
  -- Tax agency code of each rate outside the territory's general regime: {"0.00": "E5"}.
  tax_rate_codes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(tax_rate_codes)),
  -- Day the company authorized the platform's owner to send in its name. Nothing is sent without it.
  tax_representation_date TEXT CHECK (tax_representation_date IS date(tax_representation_date)),
  -- SES.HOSPEDAJES: reports of renters and vehicles to the Spanish ministry of the interior (RD 933/2021), at booking
  -- and at hand-over (docs/interfaces/ses.md).
  ses_mode TEXT NOT NULL DEFAULT 'none' CHECK (ses_mode IN ('none', 'dry_run', 'ses')),
  ses_environment TEXT NOT NULL DEFAULT 'test' CHECK (ses_environment IN ('test', 'production')),
  ses_lessor_code TEXT,
  ses_user TEXT,
  ses_password_sealed TEXT,
  -- The ministry's codes of makes and colours, by the fleet's own words: {"brand:Seat": "SEAT", "color:Blanco":
  -- "BLANCO"}.
  ses_codes TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(ses_codes)),
  -- Format of electronic invoices (docs/interfaces/office.md).
  einvoice_format TEXT NOT NULL DEFAULT 'none' CHECK (einvoice_format IN ('none', 'ubl', 'xrechnung', 'cii', 'facturx', 'facturae')),
  -- Ledger accounts by purpose, where they differ from the defaults, and the bank account that electronic invoices name:
  -- {"sales": "70500000", "iban": "ES…"}. A column of its own would be one too many for D1 (100 with those of the office).
  accounts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(accounts)),
  -- Exchange of a simplified invoice for a full one (docs/interfaces/documents.md). Either a credit note and a new
  -- invoice (R5 and F1), or a full invoice that names and replaces it (F3).
  simplified_exchange TEXT NOT NULL DEFAULT 'credit_note' CHECK (simplified_exchange IN ('credit_note', 'replacement')),
  -- Choices that websites offer visitors, set by the account
  -- (docs/interfaces/booking-engine-vehicles.md#account-settings).
  pickup_return_places_same_rental_location INTEGER NOT NULL DEFAULT 0 CHECK (pickup_return_places_same_rental_location IN (0, 1)),
  rent_dates_selector TEXT NOT NULL DEFAULT 'date_from_date_to' CHECK (rent_dates_selector IN ('date_from_date_to', 'date_from_duration')),
  multiple_products_selection INTEGER NOT NULL DEFAULT 0 CHECK (multiple_products_selection IN (0, 1))
) STRICT;

CREATE TABLE classifiers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE sales_channels (
  code TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Whether every caller can use the channel. Otherwise only its agencies can.
  is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1))) STRICT, WITHOUT ROWID;

CREATE TABLE branch_groups (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  classifier_id INTEGER REFERENCES classifiers (id),
  external_code TEXT,
  timezone TEXT NOT NULL,
  address_street_address TEXT,
  address_city TEXT,
  address_state TEXT,
  address_zip TEXT,
  address_country_code TEXT CHECK (length(address_country_code) = 2),
  address_lat REAL,
  address_lng REAL,
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
  company_name TEXT,
  document_id TEXT,
  phone_number TEXT,
  whatsapp_number TEXT,
  email TEXT,
  emergency_number TEXT,
  commercial_register TEXT,
  address_street_address TEXT,
  address_city TEXT,
  address_state TEXT,
  address_zip TEXT,
  address_country_code TEXT CHECK (length(address_country_code) = 2),
  address_lat REAL,
  address_lng REAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  tax_territory TEXT NOT NULL DEFAULT 'iva' CHECK (tax_territory IN ('iva', 'igic', 'ipsi')),
  ses_establishment_code TEXT,
  -- Authority that receives a branch's rental reports. Only ses_hospedajes is implemented.
  rental_register TEXT NOT NULL DEFAULT 'ses_hospedajes'
  CHECK (rental_register IN ('ses_hospedajes', 'mossos', 'ertzaintza', 'other', 'none'))
) STRICT;

CREATE INDEX branches_by_group ON branches (branch_group_id);

CREATE INDEX branches_by_update ON branches (last_update);

-- A branch without rows is open at any time. Weekdays count from Monday = 1 to Sunday = 7.
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
  -- Whether out-of-hours pickups are possible on a closed day. Otherwise the day has no pickups.
  out_of_hours INTEGER NOT NULL DEFAULT 0 CHECK (out_of_hours IN (0, 1)),
  PRIMARY KEY (branch_code, date)
) STRICT, WITHOUT ROWID;

-- Opening hours of a date. They replace those of its weekday. A date without hours is closed. branch_code NULL: all
-- branches without a row of their own.
CREATE TABLE special_dates (
  id INTEGER PRIMARY KEY,
  branch_code TEXT REFERENCES branches (code),
  date TEXT NOT NULL CHECK (date IS date(date)),
  reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX special_dates_by_date ON special_dates (date, coalesce(branch_code, ''));

CREATE TABLE special_date_hours (
  special_date_id INTEGER NOT NULL REFERENCES special_dates (id),
  opens TEXT NOT NULL CHECK (opens GLOB '[0-2][0-9]:[0-5][0-9]'),
  closes TEXT NOT NULL CHECK (closes GLOB '[0-2][0-9]:[0-5][0-9]' AND closes > opens),
  PRIMARY KEY (special_date_id, opens)
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
  address_street_address TEXT,
  address_city TEXT,
  address_state TEXT,
  address_zip TEXT,
  address_country_code TEXT CHECK (length(address_country_code) = 2),
  address_lat REAL,
  address_lng REAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;

CREATE INDEX pickup_places_by_location ON pickup_places (branch_code);

CREATE INDEX pickup_places_by_update ON pickup_places (last_update);

-- Valid return places of a pickup place. A pickup place without rows accepts every return place.
CREATE TABLE return_places (
  pickup_place_id INTEGER NOT NULL REFERENCES pickup_places (id),
  return_place_id INTEGER NOT NULL REFERENCES pickup_places (id),
  PRIMARY KEY (pickup_place_id, return_place_id)
) STRICT, WITHOUT ROWID;

-- Texts in the account's other languages. The entity's own column contains the default language.
CREATE TABLE translations (
  entity TEXT NOT NULL CHECK (entity IN ('branch', 'pickup_place', 'booking_category', 'extra', 'family', 'driver_age_rule', 'offer', 'transfer_point', 'transfer_vehicle', 'transfer_extra', 'supplement')),
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
  doors INTEGER,
  seats INTEGER,
  suitcases INTEGER,
  transmission TEXT CHECK (transmission IN ('manual', 'automatic')),
  fuel TEXT CHECK (fuel IN ('none', 'petrol', 'diesel', 'electric', 'hybrid')),
  air_conditioner INTEGER NOT NULL DEFAULT 0 CHECK (air_conditioner IN (0, 1)),
  -- Charges at the return of a vehicle.
  fuel_eighth_cents INTEGER NOT NULL DEFAULT 0 CHECK (fuel_eighth_cents >= 0),
  kilometres_per_day INTEGER CHECK (kilometres_per_day >= 0), -- NULL: unlimited
  extra_kilometre_cents INTEGER NOT NULL DEFAULT 0 CHECK (extra_kilometre_cents >= 0),
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- Four-letter ACRISS code of the category.
  acriss_code TEXT CHECK (length(acriss_code) = 4)) STRICT, WITHOUT ROWID;

CREATE INDEX categories_by_update ON categories (last_update);

CREATE TABLE category_photos (
  category_code TEXT NOT NULL REFERENCES categories (code),
  position INTEGER NOT NULL,
  photo_path TEXT NOT NULL,
  full_photo_path TEXT NOT NULL,
  PRIMARY KEY (category_code, position)
) STRICT, WITHOUT ROWID;

-- Uploaded photos of the catalogue, in the object store by their hash. Never deleted, because mails, websites and
-- agencies keep the addresses.
CREATE TABLE catalogue_photos (
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
  content_type TEXT NOT NULL CHECK (content_type IN ('image/jpeg', 'image/png')),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX catalogue_photos_by_time ON catalogue_photos (created_at);

CREATE TABLE vehicles (
  id INTEGER PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE CHECK (length(reference) BETWEEN 1 AND 50),
  name TEXT NOT NULL,
  category_code TEXT NOT NULL REFERENCES categories (code),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  owner_branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  branch_code TEXT NOT NULL REFERENCES branches (code),
  brand TEXT,
  model TEXT,
  plate TEXT,
  alias TEXT,
  color TEXT,
  characteristic_1 TEXT,
  characteristic_2 TEXT,
  characteristic_3 TEXT,
  characteristic_4 TEXT,
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
  last_update INTEGER NOT NULL,
  -- Times (epoch ms) of the known branch, and of the known odometer and fuel. Earlier events don't change them.
  as_of INTEGER,
  read_at INTEGER,
  vin TEXT,
  -- Parking place, key number and needs of a vehicle before its next rental, as reported by staff
  -- (docs/interfaces/check-in.md#vehicle-location).
  parking_place TEXT CHECK (length(parking_place) <= 60),
  key_number TEXT CHECK (length(key_number) <= 30),
  needs_cleaning INTEGER NOT NULL DEFAULT 0 CHECK (needs_cleaning IN (0, 1)),
  needs_fuel INTEGER NOT NULL DEFAULT 0 CHECK (needs_fuel IN (0, 1)),
  -- Due dates of a vehicle: inspection, end of insurance, and service by date or kilometres.
  inspection_due TEXT CHECK (inspection_due IS date(inspection_due)),
  insured_until TEXT CHECK (insured_until IS date(insured_until)),
  service_due TEXT CHECK (service_due IS date(service_due)),
  service_due_units INTEGER CHECK (service_due_units >= 0)
) STRICT;

CREATE INDEX vehicles_by_update ON vehicles (last_update);

CREATE INDEX vehicles_by_plate ON vehicles (plate);

-- Covers the stock count of a branch group without reading the table.
CREATE INDEX vehicles_stock ON vehicles (branch_group_id, category_code, active, assignable, sold_release_date, reference);

CREATE TABLE seasons (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Inclusive dates. A day belongs to at most one season, and the trigger rejects overlaps.
CREATE TABLE season_periods (
  id INTEGER PRIMARY KEY,
  season_id INTEGER NOT NULL REFERENCES seasons (id),
  date_from TEXT NOT NULL CHECK (date_from IS date(date_from)),
  date_to TEXT NOT NULL CHECK (date_to IS date(date_to) AND date_to >= date_from)
) STRICT;

CREATE INDEX season_periods_by_date ON season_periods (date_from);

CREATE TRIGGER season_periods_insert_prevent_overlap BEFORE INSERT ON season_periods
BEGIN
  SELECT RAISE(ABORT, 'season_overlap') WHERE EXISTS (
    SELECT 1 FROM season_periods WHERE date_from <= NEW.date_to AND date_to >= NEW.date_from);
END;

CREATE TRIGGER season_periods_update_prevent_overlap BEFORE UPDATE ON season_periods
BEGIN
  SELECT RAISE(ABORT, 'season_overlap') WHERE EXISTS (
    SELECT 1 FROM season_periods WHERE id <> OLD.id AND date_from <= NEW.date_to AND date_to >= NEW.date_from);
END;

-- season_id NULL: every day without a tariff of its season. sales_channel_code NULL: every channel without its own
-- tariff.
CREATE TABLE tariffs (
  id INTEGER PRIMARY KEY,
  category_code TEXT NOT NULL REFERENCES categories (code),
  season_id INTEGER REFERENCES seasons (id),
  sales_channel_code TEXT REFERENCES sales_channels (code)
) STRICT;

CREATE UNIQUE INDEX tariffs_unique ON tariffs (category_code, coalesce(season_id, 0), coalesce(sales_channel_code, ''));

-- price_per 'day': per day. 'bracket': for the full rental, split over its days. to_days NULL: no upper limit.
CREATE TABLE tariff_brackets (
  tariff_id INTEGER NOT NULL REFERENCES tariffs (id) ON DELETE CASCADE,
  from_days INTEGER NOT NULL CHECK (from_days >= 1),
  to_days INTEGER CHECK (to_days >= from_days),
  price_per TEXT NOT NULL DEFAULT 'day' CHECK (price_per IN ('day', 'bracket')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  PRIMARY KEY (tariff_id, from_days)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tariff_brackets_insert_prevent_overlap BEFORE INSERT ON tariff_brackets
BEGIN
  SELECT RAISE(ABORT, 'bracket_overlap') WHERE EXISTS (
    SELECT 1 FROM tariff_brackets WHERE tariff_id = NEW.tariff_id
      AND from_days <= coalesce(NEW.to_days, from_days) AND coalesce(to_days, NEW.from_days) >= NEW.from_days);
END;

CREATE TRIGGER tariff_brackets_update_prevent_overlap BEFORE UPDATE ON tariff_brackets
BEGIN
  SELECT RAISE(ABORT, 'bracket_overlap') WHERE EXISTS (
    SELECT 1 FROM tariff_brackets WHERE tariff_id = NEW.tariff_id AND NOT (tariff_id = OLD.tariff_id AND from_days = OLD.from_days)
      AND from_days <= coalesce(NEW.to_days, from_days) AND coalesce(to_days, NEW.from_days) >= NEW.from_days);
END;

-- value: basis points for a percentage discount, minor units per unit for an amount.
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
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  -- Limits a promotion code to one sales channel, like an offer.
  sales_channel_code TEXT REFERENCES sales_channels (code)) STRICT, WITHOUT ROWID;

-- Ages in full years, both ends inclusive. cost_per 'day': per rental day. 'rental': once.
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

CREATE TRIGGER driver_age_rules_insert_prevent_overlap BEFORE INSERT ON driver_age_rules
BEGIN
  SELECT RAISE(ABORT, 'driver_age_overlap') WHERE EXISTS (
    SELECT 1 FROM driver_age_rules WHERE age_from <= NEW.age_to AND age_to >= NEW.age_from);
END;

CREATE TRIGGER driver_age_rules_update_prevent_overlap BEFORE UPDATE ON driver_age_rules
BEGIN
  SELECT RAISE(ABORT, 'driver_age_overlap') WHERE EXISTS (
    SELECT 1 FROM driver_age_rules WHERE id <> OLD.id AND age_from <= NEW.age_to AND age_to >= NEW.age_from);
END;

-- price_per 'day': per day, up to maximum_price_cents if set. 'rental': once.
CREATE TABLE extras (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 30),
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  photo_path TEXT,
  photo_full_path TEXT,
  price_per TEXT NOT NULL CHECK (price_per IN ('day', 'rental')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  maximum_price_cents INTEGER CHECK (maximum_price_cents >= 0),
  max_quantity INTEGER NOT NULL DEFAULT 1 CHECK (max_quantity >= 1),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  position INTEGER NOT NULL DEFAULT 0,
  -- Scope of max_quantity, and the extra's reduction of deposit and guarantee: by a share (basis points) or to an
  -- amount.
  limit_per TEXT NOT NULL DEFAULT 'booking' CHECK (limit_per IN ('booking', 'vehicle')),
  deposit_reduction_type TEXT CHECK (deposit_reduction_type IN ('percentage', 'amount')),
  deposit_reduction_value INTEGER CHECK (deposit_reduction_value >= 0),
  guarantee_reduction_value INTEGER CHECK (guarantee_reduction_value >= 0),
  -- Code of OpenTravel list EQP, such as 7 for an infant seat.
  opentravel_code INTEGER CHECK (opentravel_code BETWEEN 1 AND 999)
) STRICT;

-- Units of an extra at a branch group. An extra without rows is never short.
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

CREATE TABLE agencies (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  sales_channel_code TEXT REFERENCES sales_channels (code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  commission_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (commission_basis_points BETWEEN 0 AND 10000)
) STRICT;

CREATE TABLE agents (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  commission_calculation TEXT NOT NULL DEFAULT 'percentage' CHECK (commission_calculation IN ('fixed_amount', 'percentage')),
  commission_fixed_cents INTEGER NOT NULL DEFAULT 0 CHECK (commission_fixed_cents >= 0),
  commission_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (commission_basis_points BETWEEN 0 AND 10000)
) STRICT;

-- Repatriation days of a pair of branch groups, instead of the account's setting.
CREATE TABLE repatriations (
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  return_branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id) CHECK (return_branch_group_id <> branch_group_id),
  days INTEGER NOT NULL CHECK (days BETWEEN 0 AND 365),
  PRIMARY KEY (branch_group_id, return_branch_group_id)
) STRICT, WITHOUT ROWID;

-- Offset of the account's time zone from UTC in minutes, valid from an instant (epoch ms), with clock changes. SQLite
-- has no time zones, so the catalogue reader keeps the rows current for some years around now. Triggers use them to
-- compare allocations with the account's local time.
CREATE TABLE account_clock (
  from_at INTEGER PRIMARY KEY,
  timezone TEXT NOT NULL,
  offset_minutes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE vehicle_blocks (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  kind TEXT NOT NULL CHECK (kind IN ('workshop', 'transfer', 'other', 'away')),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  reason TEXT NOT NULL DEFAULT '',
  -- A block is changed by the version that was read.
  version INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE INDEX vehicle_blocks_by_vehicle ON vehicle_blocks (vehicle_reference, ends_at, starts_at);

-- Current and future blocks, without past ones.
CREATE INDEX vehicle_blocks_by_end ON vehicle_blocks (ends_at, vehicle_reference, starts_at);

-- Cancellation fees: the row with the fewest hours that applies so long before pickup, from the booking's own sales
-- channel if it has rows. fee_value: basis points of the total, days, or minor units. `no_show` is the fee of an
-- uncollected contract.
CREATE TABLE cancellation_terms (
  id INTEGER PRIMARY KEY,
  occasion TEXT NOT NULL CHECK (occasion IN ('cancellation', 'no_show')),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  hours_before INTEGER CHECK (hours_before >= 0),
  fee_type TEXT NOT NULL CHECK (fee_type IN ('percentage', 'days', 'amount')),
  fee_value INTEGER NOT NULL CHECK (fee_value >= 0 AND (fee_type <> 'percentage' OR fee_value <= 10000)),
  CHECK ((occasion = 'no_show') = (hours_before IS NULL))
) STRICT;

CREATE UNIQUE INDEX cancellation_terms_unique ON cancellation_terms (occasion, coalesce(sales_channel_code, ''), coalesce(hours_before, -1));

-- Office changes to a vehicle: user, time, old and new values.
CREATE TABLE vehicle_history (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('created', 'changed', 'blocked', 'block_changed', 'unblocked', 'moved', 'retired', 'repaired')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;

CREATE INDEX vehicle_history_by_vehicle ON vehicle_history (vehicle_reference);

-- Checks the vehicle or block version that an office batch was based on. Never contains rows.
CREATE TABLE fleet_version_guards (
  vehicle_reference TEXT,
  block_id INTEGER,
  version INTEGER NOT NULL
) STRICT;

CREATE TRIGGER fleet_version_guards_insert_check_version BEFORE INSERT ON fleet_version_guards
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM vehicles WHERE reference = NEW.vehicle_reference AND version = NEW.version
    UNION ALL SELECT 1 FROM vehicle_blocks WHERE id = NEW.block_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;

-- Selling rules. For each value, the most specific matching rule of category, branch, season and channel applies.
-- Weekdays from Monday = 1. NULL sets no value. Stop-sales accumulate.
CREATE TABLE selling_rules (
  id INTEGER PRIMARY KEY,
  category_code TEXT REFERENCES categories (code),
  branch_code TEXT REFERENCES branches (code),
  season_id INTEGER REFERENCES seasons (id),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  minimum_days INTEGER CHECK (minimum_days >= 1),
  maximum_days INTEGER CHECK (maximum_days >= 1),
  minimum_notice_minutes INTEGER CHECK (minimum_notice_minutes >= 0),
  horizon_days INTEGER CHECK (horizon_days > 0),
  stop_sale_from TEXT CHECK (stop_sale_from IS date(stop_sale_from)),
  stop_sale_to TEXT CHECK (stop_sale_to IS date(stop_sale_to)),
  no_pickup_weekdays TEXT CHECK (json_valid(no_pickup_weekdays)),
  no_return_weekdays TEXT CHECK (json_valid(no_return_weekdays)),
  no_pickup_dates TEXT CHECK (json_valid(no_pickup_dates)),
  no_return_dates TEXT CHECK (json_valid(no_return_dates)),
  CHECK ((stop_sale_from IS NULL) = (stop_sale_to IS NULL) AND stop_sale_from <= stop_sale_to)
) STRICT;

-- Fees of a return elsewhere, per direction: by pair of places, else of branches, else of branch groups.
CREATE TABLE one_way_fees (
  id INTEGER PRIMARY KEY,
  pickup_place_id INTEGER REFERENCES pickup_places (id),
  return_place_id INTEGER REFERENCES pickup_places (id),
  branch_code TEXT REFERENCES branches (code),
  return_branch_code TEXT REFERENCES branches (code),
  branch_group_id INTEGER REFERENCES branch_groups (id),
  return_branch_group_id INTEGER REFERENCES branch_groups (id),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  CHECK ((pickup_place_id IS NULL) = (return_place_id IS NULL)),
  CHECK ((branch_code IS NULL) = (return_branch_code IS NULL)),
  CHECK ((branch_group_id IS NULL) = (return_branch_group_id IS NULL)),
  CHECK ((pickup_place_id IS NOT NULL) + (branch_code IS NOT NULL) + (branch_group_id IS NOT NULL) = 1)
) STRICT;

CREATE UNIQUE INDEX one_way_fees_unique ON one_way_fees (coalesce(pickup_place_id, 0), coalesce(return_place_id, 0),
  coalesce(branch_code, ''), coalesce(return_branch_code, ''), coalesce(branch_group_id, 0), coalesce(return_branch_group_id, 0));

-- Checks the cached catalogue version that a batch was based on. The batch's first statement names it, and a changed
-- catalogue aborts the batch, so nothing is sold at an outdated price. Never contains rows.
CREATE TABLE catalogue_version_guards (
  version INTEGER NOT NULL
) STRICT;

CREATE TRIGGER catalogue_version_guards_insert_check_version BEFORE INSERT ON catalogue_version_guards
BEGIN
  SELECT RAISE(ABORT, 'catalogue_changed') WHERE NEW.version IS NOT (SELECT version FROM catalogue_version WHERE id = 1);
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER settings_insert_tax_installation AFTER INSERT ON settings WHEN NOT EXISTS (SELECT 1 FROM tax_installation)
BEGIN
  INSERT INTO tax_installation (id, number) VALUES (1, lower(hex(randomblob(8))));
END;

CREATE TRIGGER settings_update_reallocate_rentals AFTER UPDATE OF preparation_minutes, one_way_mode, repatriation_days ON settings
WHEN (NEW.preparation_minutes, NEW.one_way_mode, NEW.repatriation_days) IS NOT (OLD.preparation_minutes, OLD.one_way_mode, OLD.repatriation_days)
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;

CREATE TRIGGER repatriations_insert_reallocate_rentals AFTER INSERT ON repatriations
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;

CREATE TRIGGER repatriations_update_reallocate_rentals AFTER UPDATE ON repatriations
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;

CREATE TRIGGER repatriations_delete_reallocate_rentals AFTER DELETE ON repatriations
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;

-- iCal calendars of a vehicle or category. The link is random because it gives access.
CREATE TABLE calendars (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  vehicle_reference TEXT REFERENCES vehicles (reference),
  category_code TEXT REFERENCES categories (code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  link_version INTEGER NOT NULL DEFAULT 1 CHECK (link_version BETWEEN 1 AND 999999),
  link TEXT NOT NULL GENERATED ALWAYS AS (id || '/' || link_version || '/' || created_at) VIRTUAL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((vehicle_reference IS NULL) <> (category_code IS NULL))
) STRICT;

CREATE INDEX calendars_by_vehicle ON calendars (vehicle_reference);

CREATE INDEX calendars_by_category ON calendars (category_code);

CREATE TRIGGER vehicles_update_substitute AFTER UPDATE OF category_code, branch_group_id, active, assignable ON vehicles
WHEN (NEW.category_code, NEW.branch_group_id, NEW.active, NEW.assignable) IS NOT (OLD.category_code, OLD.branch_group_id, OLD.active, OLD.assignable)
BEGIN
  INSERT INTO reallocated_substitutes (booking_id) SELECT booking_id FROM booking_units INDEXED BY booking_units_out
  WHERE vehicle_reference = NEW.reference AND delivered_at IS NOT NULL AND collected_at IS NULL;
END;

-- Previous issuers of a branch, stored before its company data changes, so documents print as issued. They apply up to
-- the last number of each series at that time, and to money received before it.
CREATE TABLE earlier_issuers (
  id INTEGER PRIMARY KEY,
  branch_code TEXT NOT NULL,
  company_name TEXT,
  document_id TEXT,
  commercial_register TEXT,
  street TEXT,
  zip TEXT,
  city TEXT,
  state TEXT,
  tax_territory TEXT NOT NULL,
  last_numbers TEXT NOT NULL CHECK (json_type(last_numbers) = 'array'), -- company_id, serie, number
  until INTEGER NOT NULL -- epoch ms
) STRICT;

CREATE INDEX earlier_issuers_by_branch ON earlier_issuers (branch_code);

-- Stored only if an existing value changes. Newly filled values are printed on earlier documents too.
CREATE TRIGGER branches_update_store_earlier_issuer
AFTER UPDATE OF company_name, document_id, commercial_register, address_street_address, address_zip, address_city, address_state, tax_territory ON branches
WHEN (NEW.company_name IS NOT OLD.company_name AND OLD.company_name IS NOT NULL OR NEW.document_id IS NOT OLD.document_id AND OLD.document_id IS NOT NULL
    OR NEW.commercial_register IS NOT OLD.commercial_register AND OLD.commercial_register IS NOT NULL
    OR NEW.address_street_address IS NOT OLD.address_street_address AND OLD.address_street_address IS NOT NULL
    OR NEW.address_zip IS NOT OLD.address_zip AND OLD.address_zip IS NOT NULL OR NEW.address_city IS NOT OLD.address_city AND OLD.address_city IS NOT NULL
    OR NEW.address_state IS NOT OLD.address_state AND OLD.address_state IS NOT NULL OR NEW.tax_territory IS NOT OLD.tax_territory)
  AND EXISTS (SELECT 1 FROM charges UNION ALL SELECT 1 FROM number_series WHERE last_number > 0)
BEGIN
  INSERT INTO earlier_issuers (branch_code, company_name, document_id, commercial_register, street, zip, city, state, tax_territory, last_numbers, until)
  VALUES (OLD.code, OLD.company_name, OLD.document_id, OLD.commercial_register, OLD.address_street_address, OLD.address_zip, OLD.address_city, OLD.address_state, OLD.tax_territory,
    (SELECT json_group_array(json_object('company_id', company_id, 'serie', serie, 'number', last_number)) FROM number_series),
    CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

-- Finds due vehicles by their earliest date, and by the kilometres left.
CREATE INDEX vehicles_due ON vehicles (min(coalesce(inspection_due, '9999'), coalesce(insured_until, '9999'), coalesce(service_due, '9999')))
  WHERE active = 1 AND coalesce(inspection_due, insured_until, service_due) IS NOT NULL;

CREATE INDEX vehicles_due_by_usage ON vehicles (service_due_units - usage_units) WHERE active = 1 AND service_due_units IS NOT NULL;

INSERT INTO catalogue_version (id, version) VALUES (1, 1);

-- Service of vehicles every number of kilometres (or hours) or months: of a vehicle, a category, or all vehicles.
CREATE TABLE service_plans (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  category_code TEXT REFERENCES categories (code),
  vehicle_reference TEXT REFERENCES vehicles (reference),
  every_units INTEGER CHECK (every_units > 0),
  every_months INTEGER CHECK (every_months > 0),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  CHECK (every_units IS NOT NULL OR every_months IS NOT NULL),
  CHECK (category_code IS NULL OR vehicle_reference IS NULL)
) STRICT;

-- Maintenance of a vehicle. service_plan_id NULL: other work, which moves no due date.
CREATE TABLE vehicle_services (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  service_plan_id INTEGER REFERENCES service_plans (id),
  date TEXT NOT NULL CHECK (date IS date(date)),
  usage_units INTEGER NOT NULL CHECK (usage_units >= 0),
  work TEXT NOT NULL,
  cost_cents INTEGER NOT NULL DEFAULT 0 CHECK (cost_cents >= 0),
  -- Whether an expense contains the cost, so that reports count it once.
  in_expenses INTEGER NOT NULL DEFAULT 0 CHECK (in_expenses IN (0, 1)),
  note TEXT NOT NULL DEFAULT '',
  -- Expense that was recorded from it.
  expense_id INTEGER UNIQUE REFERENCES expenses (id)
) STRICT;

CREATE INDEX vehicle_services_by_vehicle ON vehicle_services (vehicle_reference, service_plan_id, date);

-- First service due of each vehicle with a plan. Without a service of the plan, it counts from the acquisition.
CREATE VIEW next_services AS
SELECT vehicle.reference AS vehicle_reference,
  min(date(coalesce(
    (SELECT max(date) FROM vehicle_services WHERE vehicle_reference = vehicle.reference AND service_plan_id = plan.id),
    vehicle.acquisition_date, date(vehicle.created_at / 1000, 'unixepoch')), '+' || plan.every_months || ' months', 'floor')) AS due_on,
  min(coalesce(
    (SELECT max(usage_units) FROM vehicle_services WHERE vehicle_reference = vehicle.reference AND service_plan_id = plan.id),
    vehicle.purchase_units, 0) + plan.every_units) AS due_units
FROM vehicles AS vehicle JOIN service_plans AS plan ON plan.active = 1
  AND (plan.category_code IS NULL OR plan.category_code = vehicle.category_code)
  AND (plan.vehicle_reference IS NULL OR plan.vehicle_reference = vehicle.reference)
GROUP BY vehicle.reference;

CREATE TRIGGER service_plans_insert_schedule_vehicles AFTER INSERT ON service_plans
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference), last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE ((NEW.category_code IS NULL OR category_code = NEW.category_code) AND (NEW.vehicle_reference IS NULL OR reference = NEW.vehicle_reference));
END;

CREATE TRIGGER service_plans_update_schedule_vehicles AFTER UPDATE ON service_plans
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference), last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE ((OLD.category_code IS NULL OR category_code = OLD.category_code) AND (OLD.vehicle_reference IS NULL OR reference = OLD.vehicle_reference)) OR ((NEW.category_code IS NULL OR category_code = NEW.category_code) AND (NEW.vehicle_reference IS NULL OR reference = NEW.vehicle_reference));
END;

CREATE TRIGGER service_plans_delete_schedule_vehicles AFTER DELETE ON service_plans
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference), last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE ((OLD.category_code IS NULL OR category_code = OLD.category_code) AND (OLD.vehicle_reference IS NULL OR reference = OLD.vehicle_reference));
END;

CREATE TRIGGER vehicle_services_insert_schedule_vehicle AFTER INSERT ON vehicle_services
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference), last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE reference IN (NEW.vehicle_reference) AND EXISTS (SELECT 1 FROM next_services WHERE vehicle_reference = vehicles.reference);
END;

CREATE TRIGGER vehicle_services_update_schedule_vehicle AFTER UPDATE ON vehicle_services
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference), last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE reference IN (OLD.vehicle_reference, NEW.vehicle_reference) AND EXISTS (SELECT 1 FROM next_services WHERE vehicle_reference = vehicles.reference);
END;

CREATE TRIGGER vehicle_services_delete_schedule_vehicle AFTER DELETE ON vehicle_services
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference), last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE reference IN (OLD.vehicle_reference) AND EXISTS (SELECT 1 FROM next_services WHERE vehicle_reference = vehicles.reference);
END;

CREATE TRIGGER vehicles_insert_schedule_service AFTER INSERT ON vehicles
WHEN EXISTS (SELECT 1 FROM next_services WHERE vehicle_reference = NEW.reference)
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference) WHERE reference = NEW.reference;
END;

CREATE TRIGGER vehicles_update_schedule_service AFTER UPDATE OF category_code, acquisition_date, purchase_units ON vehicles
WHEN EXISTS (SELECT 1 FROM next_services WHERE vehicle_reference = NEW.reference)
BEGIN
  UPDATE vehicles SET (service_due, service_due_units) = (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference) WHERE reference = NEW.reference;
END;

-- Terms and privacy notice that customers read before they book, by language: a text or its address.
CREATE TABLE legal_texts (
  id INTEGER PRIMARY KEY,
  document TEXT NOT NULL CHECK (document IN ('terms', 'privacy')),
  language TEXT NOT NULL CHECK (language IN ('es', 'ca', 'en', 'de', 'fr', 'it', 'pt', 'nl')),
  url TEXT CHECK (url LIKE 'http%'),
  text TEXT CHECK (length(text) BETWEEN 1 AND 60000),
  UNIQUE (document, language),
  CHECK ((url IS NULL) <> (text IS NULL))
) STRICT;
