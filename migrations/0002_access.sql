-- People and companies with access: customers, agencies and agents, keys, users, sessions, attempts.
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
  email TEXT,
  phone_number_prefix TEXT,
  phone_number TEXT,
  mobile_phone_prefix TEXT,
  mobile_phone TEXT,
  address_street TEXT,
  address_number TEXT,
  address_complement TEXT,
  address_city TEXT,
  address_state TEXT,
  address_country TEXT CHECK (length(address_country) = 2),
  address_zip TEXT,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- Version for changes and merges by the office.
  version INTEGER NOT NULL DEFAULT 1,
  -- Customer this one was merged into. Issued documents that name it don't change.
  merged_into_id INTEGER REFERENCES customers (id),
  marketing_consent_at INTEGER,
  erased_at INTEGER,
  -- Days until invoices are due.
  payment_terms_days INTEGER NOT NULL DEFAULT 0 CHECK (payment_terms_days BETWEEN 0 AND 365),
  -- Own discount, for reservations without another.
  discount_basis_points INTEGER NOT NULL DEFAULT 0 CHECK (discount_basis_points BETWEEN 0 AND 10000),
  -- Why the company doesn't rent to them. Never visible to customers and partners.
  do_not_rent_reason TEXT CHECK (length(do_not_rent_reason) > 0),
  -- Channel of the marketing consent, in addition to its time (marketing_consent_at), and the withdrawal.
  marketing_consent_door TEXT
  CHECK (marketing_consent_door IN ('desk', 'phone', 'website', 'mail', 'paper')),
  marketing_withdrawn_at INTEGER,
  marketing_withdrawn_door TEXT
  CHECK (marketing_withdrawn_door IN ('desk', 'phone', 'website', 'mail', 'paper')),
  -- Electronic invoices: the customer's own format, and the data that formats need.
  einvoice_format TEXT CHECK (einvoice_format IN ('none', 'ubl', 'xrechnung', 'cii', 'facturx', 'facturae')),
  buyer_reference TEXT,
  einvoice_endpoint TEXT,
  dir3_accounting_office TEXT,
  dir3_managing_body TEXT,
  dir3_processing_unit TEXT,
  -- Created by a reservation. Follows the data of its only reservation until it is changed.
  created_by_booking INTEGER NOT NULL DEFAULT 0 CHECK (created_by_booking IN (0, 1))
) STRICT;

-- Few customers are marked.
CREATE INDEX customers_do_not_rent ON customers (id) WHERE do_not_rent_reason IS NOT NULL;

CREATE INDEX customers_by_update ON customers (last_update);

CREATE INDEX customers_by_email ON customers (email);

-- Keys of the signed interfaces. Secrets are encrypted with the master key. The previous secret stays valid during a
-- rotation.
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
  -- The name of an unsigned key is its credential. If hashed, api_key is its SHA-256 in hex.
  hashed INTEGER NOT NULL DEFAULT 0 CHECK (hashed IN (0, 1)),
  -- Signatures of version 2 (RFC 9421): the key's method, whether it is required, and the allowed networks.
  signatures TEXT NOT NULL DEFAULT 'v1' CHECK (signatures IN ('v1', 'both', 'v2')),
  -- Ed25519, SPKI in base64
  public_key TEXT,
  networks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(networks)),
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

CREATE TABLE user_branches (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  PRIMARY KEY (user_id, branch_code)
) STRICT, WITHOUT ROWID;

-- Views of office lists that users saved: filters and sort as a query. Shared ones are for all users.
CREATE TABLE user_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  list TEXT NOT NULL,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  query TEXT NOT NULL CHECK (length(query) <= 500),
  shared INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE user_sessions (
  id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  -- Data for the session list. If erase_at is set, the device must delete its data at its next request.
  device TEXT,
  network_hash TEXT,
  last_used_at INTEGER,
  erase_at INTEGER,
  -- Last second-factor proof of the session (epoch ms).
  second_factor_at INTEGER) STRICT, WITHOUT ROWID;

CREATE INDEX user_sessions_by_user ON user_sessions (user_id);

CREATE INDEX user_sessions_by_expiry ON user_sessions (expires_at);

CREATE TABLE password_resets (
  token_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;

-- A new password invalidates all links of its user. Expired links are deleted.
CREATE INDEX password_resets_by_user ON password_resets (user_id);

CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);

-- Generation of the key that signs the account's tokens. The previous generation stays valid, older ones don't. The
-- default without a row is 1. To rotate (decision 0006): INSERT INTO token_keys (id, generation) VALUES (1, 2) ON
-- CONFLICT (id) DO UPDATE SET generation = generation + 1;
CREATE TABLE token_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL CHECK (generation >= 1)
) STRICT;

-- Recent attempts by a user, an unknown name or an address. Names and addresses are stored only as keyed hashes.
CREATE TABLE access_attempts (
  action TEXT NOT NULL CHECK (action IN ('login', 'sign_up', 'check', 'forgotten', 'change')),
  subject TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 1),
  window_ends_at INTEGER NOT NULL,
  PRIMARY KEY (action, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX access_attempts_by_end ON access_attempts (window_ends_at);

CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('staff', 'customer')),
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  full_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('customer', 'operator', 'agent', 'manager', 'administrator') AND (role = 'customer') = (kind = 'customer')),
  customer_id INTEGER UNIQUE REFERENCES customers (id),
  all_branches INTEGER NOT NULL DEFAULT 0 CHECK (all_branches IN (0, 1)),
  language TEXT CHECK (length(language) = 2),
  -- Theme of the office. NULL: that of the system.
  theme TEXT CHECK (theme IN ('light', 'dark')),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  tokens_valid_from INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- Start of an unverified address of a registered customer. NULL: verified, or created by the company.
  unverified_since INTEGER,
  -- Differences of a person's rights from those of the role.
  granted_rights TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(granted_rights)),
  withdrawn_rights TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(withdrawn_rights)),
  CHECK ((kind = 'customer') = (customer_id IS NOT NULL))
) STRICT;

-- Finds customers by tax ID or document in any spacing, else by email and name.
CREATE INDEX customers_by_document ON customers (upper(replace(replace(replace(replace(document_id, ' ', ''), '-', ''), '.', ''), '/', '')))
  WHERE document_id IS NOT NULL AND merged_into_id IS NULL;

-- Finds customers by the last nine digits of a telephone, whatever its prefix, separators and extension.
CREATE INDEX customers_by_phone ON customers (substr(substr(replace(replace(lower(replace(replace(replace(replace(replace(replace(phone_number, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', '')), 'ext', 'x'), '#', 'x'), 1, instr(replace(replace(lower(replace(replace(replace(replace(replace(replace(phone_number, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', '')), 'ext', 'x'), '#', 'x') || 'x', 'x') - 1), -9))
  WHERE phone_number IS NOT NULL AND merged_into_id IS NULL;

CREATE INDEX customers_by_mobile_phone ON customers (substr(substr(replace(replace(lower(replace(replace(replace(replace(replace(replace(mobile_phone, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', '')), 'ext', 'x'), '#', 'x'), 1, instr(replace(replace(lower(replace(replace(replace(replace(replace(replace(mobile_phone, ' ', ''), '-', ''), '.', ''), '/', ''), '(', ''), ')', '')), 'ext', 'x'), '#', 'x') || 'x', 'x') - 1), -9))
  WHERE mobile_phone IS NOT NULL AND merged_into_id IS NULL;

CREATE INDEX customers_by_mail ON customers (lower(email)) WHERE email IS NOT NULL AND merged_into_id IS NULL;

CREATE TABLE customer_history (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('created', 'changed', 'merged')),
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;

CREATE INDEX customer_history_by_customer ON customer_history (customer_id);

-- Checks the customer version that a batch was based on. Never contains rows.
CREATE TABLE customer_version_guards (
  customer_id INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;

CREATE TRIGGER customer_version_guards_insert_check_version BEFORE INSERT ON customer_version_guards
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;

CREATE TABLE email_verifications (
  token_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX email_verifications_by_user ON email_verifications (user_id);

CREATE INDEX email_verifications_by_expiry ON email_verifications (expires_at);

-- Networks a user has signed in from. Other people's failed logins don't lock the user out there.
CREATE TABLE user_networks (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network_hash TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_networks_by_time ON user_networks (last_at);

-- Security events of the account for its administrators. The same event within an hour is counted. Contains no
-- addresses and no typed names.
CREATE TABLE security_events (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  user_id INTEGER,
  network_hash TEXT,
  detail TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail)),
  count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 1)
) STRICT;

CREATE UNIQUE INDEX security_events_unique ON security_events (at / 3600000, kind, coalesce(user_id, 0), coalesce(network_hash, ''), detail);

CREATE INDEX security_events_by_time ON security_events (last_at);

CREATE TABLE signature_nonces (
  nonce_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX signature_nonces_by_expiry ON signature_nonces (expires_at);

-- Second factors of staff: a time-based code (encrypted secret) and recovery codes (hashes, each valid once).
CREATE TABLE second_factors (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed TEXT NOT NULL,
  confirmed_at INTEGER,
  -- Time step of the last used code, so a code works only once.
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- Triggers write the security log for every interface: keys, roles, second factors, refunds. Imports disable them.
CREATE TRIGGER partner_keys_insert_security_event AFTER INSERT ON partner_keys
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'key_changed', json_object('key', substr(NEW.name, 1, 40), 'what', 'made'))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER partner_keys_update_security_event AFTER UPDATE OF secret_sealed, active, key_only, signatures, public_key, networks, scope_ota, scope_integration, scope_analytics ON partner_keys
WHEN NEW.active <> OLD.active OR NEW.key_only <> OLD.key_only OR NEW.signatures <> OLD.signatures OR NEW.public_key IS NOT OLD.public_key OR NEW.networks <> OLD.networks
  OR NEW.scope_ota <> OLD.scope_ota OR NEW.scope_integration <> OLD.scope_integration OR NEW.scope_analytics <> OLD.scope_analytics
  OR (NEW.secret_sealed <> OLD.secret_sealed AND NEW.previous_secret_sealed IS OLD.secret_sealed)
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'key_changed', json_object('key', substr(NEW.name, 1, 40), 'what', 'changed'))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER partner_keys_delete_security_event AFTER DELETE ON partner_keys
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'key_changed', json_object('key', substr(OLD.name, 1, 40), 'what', 'deleted'))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER users_update_security_event AFTER UPDATE OF role, active, all_branches ON users
WHEN NEW.kind = 'staff' AND (NEW.role <> OLD.role OR NEW.active <> OLD.active OR NEW.all_branches <> OLD.all_branches)
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'role_changed', NEW.id,
    json_object('from', OLD.role, 'to', NEW.role, 'active', NEW.active, 'everywhere', NEW.all_branches))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER users_insert_security_event AFTER INSERT ON users WHEN NEW.kind = 'staff'
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'user_added', NEW.id, json_object('to', NEW.role, 'active', NEW.active))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER second_factors_update_security_event AFTER UPDATE OF confirmed_at ON second_factors WHEN OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'second_factor_added', NEW.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER second_factors_delete_security_event AFTER DELETE ON second_factors WHEN OLD.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'second_factor_removed', OLD.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

-- Passkeys (WebAuthn) of staff: a second factor in addition to time-based codes.
CREATE TABLE passkeys (
  -- The credential's ID and its public key (SPKI), both in base64url.
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 16 AND 1400),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  public_key TEXT NOT NULL,
  -- COSE algorithms: ES256, EdDSA, RS256.
  algorithm INTEGER NOT NULL CHECK (algorithm IN (-7, -8, -257)),
  -- Last counter of the authenticator. A counter that doesn't increase indicates a copy.
  sign_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- Challenges for authenticators, each valid once and for a few minutes.
CREATE TABLE passkey_challenges (
  challenge TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_challenges_by_user ON passkey_challenges (user_id);

CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

CREATE TRIGGER passkeys_insert_security_event AFTER INSERT ON passkeys
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (NEW.created_at, NEW.created_at, 'second_factor_added', NEW.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

CREATE TRIGGER passkeys_delete_security_event AFTER DELETE ON passkeys
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'second_factor_removed', OLD.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

-- Erasures with time, user and reason, but without the erased person's name.
CREATE TABLE erasures (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  kept TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(kept))
) STRICT;

-- Files of a customer's card, in the object store by key.
CREATE TABLE customer_files (
  file_key TEXT PRIMARY KEY CHECK (length(file_key) = 64),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  name TEXT NOT NULL,
  content_type TEXT NOT NULL CHECK (content_type IN ('application/pdf', 'image/jpeg', 'image/png')),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX customer_files_by_customer ON customer_files (customer_id);

CREATE INDEX customer_files_by_time ON customer_files (created_at);

-- Paths of deleted files and of erased people's files that are still to be deleted from the object store.
CREATE TABLE erasure_files (
  path TEXT PRIMARY KEY -- a folder, if it ends with a slash
) STRICT, WITHOUT ROWID;

CREATE INDEX customers_merged ON customers (merged_into_id) WHERE merged_into_id IS NOT NULL;

-- Encrypted account secrets that belong to no partner or gateway.
CREATE TABLE account_secrets (
  name TEXT PRIMARY KEY CHECK (name IN ('turnstile', 'work_seal', 'calendar_links', 'signing_certificate')),
  sealed TEXT NOT NULL,
  -- End of a certificate's validity, epoch ms.
  expires_at INTEGER
) STRICT, WITHOUT ROWID;

-- A new password or address, or deactivation, revokes mailed password links, because others may read the old mailbox.
CREATE TRIGGER users_update_delete_password_resets AFTER UPDATE OF password_hash, email, active ON users
WHEN NEW.password_hash <> OLD.password_hash OR NEW.email <> OLD.email OR NEW.active < OLD.active
BEGIN
  DELETE FROM password_resets WHERE user_id = NEW.id;
END;

-- Rejected requests of partners and websites, counted by key, operation, reason and day in the account's time zone, for
-- 90 days. Keys are stored as hashes, as in a backup, because an unsigned key's name is its secret. Contains no bodies
-- and no personal data.
CREATE TABLE rejected_requests (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('partner', 'website')),
  key_hash TEXT NOT NULL,
  key_name TEXT NOT NULL,
  agency_id INTEGER,
  operation TEXT NOT NULL,
  code TEXT NOT NULL,
  field TEXT NOT NULL,
  kind_of_message TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 1),
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_message TEXT NOT NULL,
  last_request_id TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX rejected_requests_unique ON rejected_requests (day, kind, key_hash, operation, code, field, kind_of_message);
