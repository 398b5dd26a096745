-- What keeps one visitor from taking the whole house.

-- The most vehicles of one website cart, and the most unpaid bookings of a day from one network.
ALTER TABLE settings ADD COLUMN visitor_units INTEGER NOT NULL DEFAULT 3 CHECK (visitor_units >= 1);
ALTER TABLE settings ADD COLUMN visitor_holds INTEGER NOT NULL DEFAULT 3 CHECK (visitor_holds >= 1);
-- Of Cloudflare Turnstile: with a key, a checkout on a website has to prove that a person is at it.
ALTER TABLE settings ADD COLUMN turnstile_site_key TEXT;

-- Sealed secrets of the account that belong to no partner and no gateway.
CREATE TABLE account_secrets (
  name TEXT PRIMARY KEY CHECK (name IN ('turnstile')),
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Where a website's booking came from, as a keyed hash; forgotten after a week.
ALTER TABLE bookings ADD COLUMN visitor_network TEXT;
CREATE INDEX bookings_by_visitor ON bookings (visitor_network, created_at) WHERE visitor_network IS NOT NULL;

CREATE TRIGGER bookings_of_one_visitor BEFORE INSERT ON bookings
WHEN NEW.visitor_network IS NOT NULL AND (
  SELECT count(*) FROM bookings INDEXED BY bookings_by_visitor
  WHERE visitor_network = NEW.visitor_network AND created_at > NEW.created_at - 86400000
    AND status IN ('pending_confirmation', 'confirmed') AND total_paid_cents = 0
) >= (SELECT visitor_holds FROM settings WHERE id = 1)
BEGIN
  SELECT RAISE(ABORT, 'too_many_holds');
END;

-- Since when the address of a customer who registered has not been proved; NULL: it has, or the company made the user itself.
ALTER TABLE users ADD COLUMN unverified_since INTEGER;
CREATE TABLE email_verifications (
  token_hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX email_verifications_by_user ON email_verifications (user_id);
CREATE INDEX email_verifications_by_expiry ON email_verifications (expires_at);
-- The customer who was signed in when it was booked: what one whose address is not proved sees.
ALTER TABLE bookings ADD COLUMN made_by_customer_id INTEGER;

-- From where a user has signed in: others' wrong passwords do not lock the user out there.
CREATE TABLE user_networks (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network_hash TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_networks_by_time ON user_networks (last_at);

-- What a session's list shows; forget_at: its device is to forget what it keeps as soon as it asks for anything.
ALTER TABLE user_sessions ADD COLUMN device TEXT;
ALTER TABLE user_sessions ADD COLUMN network_hash TEXT;
ALTER TABLE user_sessions ADD COLUMN last_used_at INTEGER;
ALTER TABLE user_sessions ADD COLUMN forget_at INTEGER;

-- What concerns the security of the account, for its administrators; the same within an hour is counted. No address and no name that
-- somebody typed.
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
CREATE UNIQUE INDEX security_events_once ON security_events (at / 3600000, kind, coalesce(user_id, 0), coalesce(network_hash, ''), detail);
CREATE INDEX security_events_by_time ON security_events (last_at);
