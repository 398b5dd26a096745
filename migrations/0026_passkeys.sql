-- Passkeys (WebAuthn) of the staff: a second factor beside the codes by time.
CREATE TABLE passkeys (
  -- The credential's id and its public key (SPKI), both in base64url.
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 16 AND 1400),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  public_key TEXT NOT NULL,
  -- Of COSE: ES256, EdDSA, RS256.
  algorithm INTEGER NOT NULL CHECK (algorithm IN (-7, -8, -257)),
  -- What the authenticator last counted; one that counts and does not move on is a copy.
  sign_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_by_user ON passkeys (user_id);

-- What an authenticator is to sign, good once and for some minutes.
CREATE TABLE passkey_challenges (
  challenge TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_by_user ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);

CREATE TRIGGER passkeys_are_noted AFTER INSERT ON passkeys
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (NEW.created_at, NEW.created_at, 'second_factor_added', NEW.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
CREATE TRIGGER passkeys_removed_are_noted AFTER DELETE ON passkeys
BEGIN
  INSERT INTO security_events (at, last_at, kind, user_id) VALUES (unixepoch() * 1000, unixepoch() * 1000, 'second_factor_removed', OLD.user_id)
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;
