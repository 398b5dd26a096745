-- Who has to do with the company: customers, agencies and agents, keys, users, sessions, attempts.

CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  customer_type TEXT NOT NULL DEFAULT 'individual' CHECK (customer_type IN ('individual', 'legal_entity', 'group_company', 'internal_department')),
  name TEXT NOT NULL,
  surname TEXT NOT NULL DEFAULT '',
  full_name TEXT NOT NULL GENERATED ALWAYS AS (trim(name || ' ' || surname)) STORED,
  document_id TEXT,
  document_id_date TEXT CHECK (document_id_date IS date(document_id_date)),
  document_id_expiration_date TEXT CHECK (document_id_expiration_date IS date(document_id_expiration_date)),
  origin_country TEXT CHECK (length(origin_country) = 2),
  date_of_birth TEXT CHECK (date_of_birth IS date(date_of_birth)),
  branch_code TEXT REFERENCES branches (code),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  language TEXT CHECK (length(language) = 2),
  email TEXT, phone_number_prefix TEXT, phone_number TEXT, mobile_phone_prefix TEXT, mobile_phone TEXT,
  address_street TEXT, address_number TEXT, address_complement TEXT, address_city TEXT, address_state TEXT,
  address_country TEXT CHECK (length(address_country) = 2), address_zip TEXT,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL
) STRICT;
CREATE INDEX customers_by_update ON customers (last_update);
CREATE INDEX customers_by_email ON customers (email);

CREATE TABLE agencies (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  sales_channel_code TEXT REFERENCES sales_channels (code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

CREATE TABLE agents (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  commission_calculation TEXT NOT NULL DEFAULT 'percentage' CHECK (commission_calculation IN ('fixed_amount', 'percentage')),
  commission_fixed_cents INTEGER NOT NULL DEFAULT 0 CHECK (commission_fixed_cents >= 0),
  commission_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (commission_basis_points BETWEEN 0 AND 10000)
) STRICT;

-- Keys of the signed interfaces. Secrets are sealed with the master key; the previous one stays valid while rotating.
CREATE TABLE partner_keys (
  api_key TEXT PRIMARY KEY CHECK (length(api_key) BETWEEN 3 AND 64 AND api_key NOT GLOB '*[^A-Za-z0-9_.-]*'),
  name TEXT NOT NULL,
  secret_sealed TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_valid_until INTEGER,
  agency_id INTEGER REFERENCES agencies (id),
  scope_ota INTEGER NOT NULL DEFAULT 0 CHECK (scope_ota IN (0, 1)),
  scope_integration INTEGER NOT NULL DEFAULT 0 CHECK (scope_integration IN (0, 1)),
  scope_analytics INTEGER NOT NULL DEFAULT 0 CHECK (scope_analytics IN (0, 1)),
  key_only INTEGER NOT NULL DEFAULT 0 CHECK (key_only IN (0, 1)),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  CHECK (scope_ota = 0 OR agency_id IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE engine_keys (
  api_key TEXT PRIMARY KEY CHECK (length(api_key) BETWEEN 3 AND 64 AND api_key NOT GLOB '*[^A-Za-z0-9_.-]*'),
  name TEXT NOT NULL,
  allowed_origins TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(allowed_origins)),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('staff', 'customer')),
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  full_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('customer', 'operator', 'manager', 'administrator') AND (role = 'customer') = (kind = 'customer')),
  customer_id INTEGER UNIQUE REFERENCES customers (id),
  all_branches INTEGER NOT NULL DEFAULT 0 CHECK (all_branches IN (0, 1)),
  language TEXT CHECK (length(language) = 2),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  tokens_valid_from INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((kind = 'customer') = (customer_id IS NOT NULL))
) STRICT;

CREATE TABLE user_branches (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  PRIMARY KEY (user_id, branch_code)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_sessions (
  id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX user_sessions_by_user ON user_sessions (user_id);
CREATE INDEX user_sessions_by_expiry ON user_sessions (expires_at);

CREATE TABLE password_resets (
  token_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

-- A new password ends all links of its user; expired ones are swept out.
CREATE INDEX password_resets_by_user ON password_resets (user_id);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);

-- Which key signs the account's tokens: a new generation is a new key, the generation before stays good, the one before
-- that does not. Without a row it is 1. To rotate (decision 0006): INSERT INTO token_keys (id, generation) VALUES (1,
-- 2) ON CONFLICT (id) DO UPDATE SET generation = generation + 1;
CREATE TABLE token_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL CHECK (generation >= 1)
) STRICT;

-- How often something was tried lately, by a user, a name nobody has or an address; names and addresses only as keyed
-- hashes.
CREATE TABLE access_attempts (
  action TEXT NOT NULL CHECK (action IN ('login', 'sign_up', 'check', 'forgotten', 'change')),
  subject TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 1),
  window_ends_at INTEGER NOT NULL,
  PRIMARY KEY (action, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX access_attempts_by_end ON access_attempts (window_ends_at);
