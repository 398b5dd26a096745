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
