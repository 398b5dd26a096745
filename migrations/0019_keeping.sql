-- What keeps an account's data: its backups, what goes when its time is over, and credentials that a copy must not hold.

-- One row: when the work that keeps the account was done, and by whom it is being done now (leases; epoch ms).
CREATE TABLE upkeep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since INTEGER NOT NULL,
  backed_up_at INTEGER, -- the last whole backup, read back
  backup_rows INTEGER,
  backup_problem TEXT, -- the kind of trouble of the last attempt
  backup_leased_until INTEGER NOT NULL DEFAULT 0,
  drilled_at INTEGER, -- a backup was restored and examined
  photos_until INTEGER NOT NULL DEFAULT 0, -- files that came before are copied
  swept_at INTEGER,
  size_bytes INTEGER NOT NULL DEFAULT 0 -- of the database, when it was last swept
) STRICT;
INSERT INTO upkeep (id, since) VALUES (1, unixepoch() * 1000);

CREATE INDEX check_in_files_by_time ON check_in_files (uploaded_at) WHERE removed_at IS NULL;

-- The name of a key that need not sign is its credential: where hashed, api_key is its SHA-256 in hex.
ALTER TABLE partner_keys ADD COLUMN hashed INTEGER NOT NULL DEFAULT 0 CHECK (hashed IN (0, 1));

-- Signatures of version 2 (RFC 9421): what a key signs with, whether it must, and from where it may call.
ALTER TABLE partner_keys ADD COLUMN signatures TEXT NOT NULL DEFAULT 'v1' CHECK (signatures IN ('v1', 'both', 'v2'));
ALTER TABLE partner_keys ADD COLUMN public_key TEXT; -- Ed25519, SPKI in base64
ALTER TABLE partner_keys ADD COLUMN networks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(networks));
CREATE TABLE signature_nonces (
  nonce_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX signature_nonces_by_expiry ON signature_nonces (expires_at);

-- Second factors of the staff: a code by time (sealed secret), recovery codes (hashes, each good once).
CREATE TABLE second_factors (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed TEXT NOT NULL,
  confirmed_at INTEGER,
  -- The last step of time whose code was used: no code is good twice.
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;
-- The least role that needs a second factor; NULL: none does.
ALTER TABLE settings ADD COLUMN second_factor_from TEXT CHECK (second_factor_from IN ('operator', 'agent', 'manager', 'administrator'));
-- When a session last proved its second factor (epoch ms).
ALTER TABLE user_sessions ADD COLUMN second_factor_at INTEGER;

-- The log of security writes itself, whichever door was used: keys, roles, second factors, money given back. What an import
-- brings is not news: it lifts these.
CREATE TRIGGER partner_keys_insert_is_noted AFTER INSERT ON partner_keys
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'key_changed', json_object('key', substr(NEW.name, 1, 40), 'what', 'made'))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER partner_keys_update_is_noted AFTER UPDATE OF secret_sealed, active, key_only, signatures, public_key, networks, scope_ota, scope_integration, scope_analytics ON partner_keys
WHEN NEW.active <> OLD.active OR NEW.key_only <> OLD.key_only OR NEW.signatures <> OLD.signatures OR NEW.public_key IS NOT OLD.public_key OR NEW.networks <> OLD.networks
  OR NEW.scope_ota <> OLD.scope_ota OR NEW.scope_integration <> OLD.scope_integration OR NEW.scope_analytics <> OLD.scope_analytics
  OR (NEW.secret_sealed <> OLD.secret_sealed AND NEW.previous_secret_sealed IS OLD.secret_sealed)
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'key_changed', json_object('key', substr(NEW.name, 1, 40), 'what', 'changed'))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER partner_keys_delete_is_noted AFTER DELETE ON partner_keys
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'key_changed', json_object('key', substr(OLD.name, 1, 40), 'what', 'deleted'))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER users_rights_are_noted AFTER UPDATE OF role, active, all_branches ON users
WHEN NEW.kind = 'staff' AND (NEW.role <> OLD.role OR NEW.active <> OLD.active OR NEW.all_branches <> OLD.all_branches)
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'role_changed', NEW.id,
    json_object('from', OLD.role, 'to', NEW.role, 'active', NEW.active, 'everywhere', NEW.all_branches))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER users_of_the_staff_are_noted AFTER INSERT ON users WHEN NEW.kind = 'staff'
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'user_added', NEW.id, json_object('to', NEW.role, 'active', NEW.active))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER second_factors_are_noted AFTER UPDATE OF confirmed_at ON second_factors WHEN OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'second_factor_added', NEW.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER second_factors_removed_are_noted AFTER DELETE ON second_factors WHEN OLD.confirmed_at IS NOT NULL
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'second_factor_removed', OLD.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER charges_given_back_are_noted AFTER INSERT ON charges WHEN NEW.payment_type = 'payment' AND NEW.virtual = 0
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (NEW.created_at, NEW.created_at, 'money_given_back',
    json_object('booking', NEW.booking_id, 'cents', NEW.amount_cents))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
