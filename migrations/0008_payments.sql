-- Online payments (decisions, section 11): the account's gateways, what visitors were sent to pay, what gateways said.

-- The merchant's own data and its secret. Addresses are constants of the code and never here.
CREATE TABLE payment_gateways (
  method TEXT PRIMARY KEY CHECK (method IN ('tpvA256', 'tpvB', 'tpvC', 'wallet_standard')),
  environment TEXT NOT NULL CHECK (environment IN ('live', 'test', 'stand_in')),
  merchant TEXT NOT NULL CHECK (json_valid(merchant) AND json_type(merchant) = 'object' AND instr(merchant, '://') = 0),
  secret_sealed TEXT,
  previous_secret_sealed TEXT, -- still opens notifications while the secret is being changed
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((secret_sealed IS NULL) = (method = 'wallet_standard')),
  CHECK (previous_secret_sealed IS NULL OR secret_sealed IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- One attempt to pay, written before the visitor leaves. Its amount was computed from the booking and never changes.
CREATE TABLE payment_intents (
  id TEXT PRIMARY KEY CHECK (length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  method TEXT NOT NULL REFERENCES payment_gateways (method),
  part TEXT NOT NULL CHECK (part IN ('deposit', 'total', 'pending')),
  order_reference TEXT NOT NULL CHECK (length(order_reference) = 12 AND order_reference GLOB '[0-9][0-9][0-9][0-9]*' AND order_reference NOT GLOB '*[^0-9A-Z]*'),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  refunded_cents INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'paid', 'denied', 'expired')),
  summary_url TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
  paid_at INTEGER,
  CHECK ((state = 'paid') = (paid_at IS NOT NULL)),
  CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  CHECK (refunded_cents = 0 OR state = 'paid'),
  UNIQUE (method, order_reference)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_intents_by_booking ON payment_intents (booking_id);
CREATE INDEX payment_intents_pending ON payment_intents (expires_at) WHERE state = 'pending';

-- Money that came stays; a denial may still be followed by a payment, an expired attempt too.
CREATE TRIGGER payment_intents_stay_paid BEFORE UPDATE OF state ON payment_intents
WHEN OLD.state = 'paid' AND NEW.state <> 'paid'
BEGIN
  SELECT RAISE(ABORT, 'payment_paid');
END;
CREATE TRIGGER payment_intents_stay_as_asked BEFORE UPDATE OF id, booking_id, method, part, order_reference, amount_cents, currency ON payment_intents
BEGIN
  SELECT RAISE(ABORT, 'payment_as_asked');
END;

-- Every genuine message of a gateway, once. What was refused (mismatch, unknown_order, second_payment) is here for a person.
CREATE TABLE payment_notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  method TEXT NOT NULL REFERENCES payment_gateways (method),
  order_reference TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('authorised', 'denied', 'refunded', 'other')),
  auth_code TEXT NOT NULL DEFAULT '',
  intent_id TEXT REFERENCES payment_intents (id),
  amount_cents INTEGER,
  currency TEXT,
  -- waiting: a refund that came before its payment.
  outcome TEXT NOT NULL CHECK (outcome IN ('paid', 'second_payment', 'denied', 'refunded', 'waiting', 'noted', 'mismatch', 'unknown_order')),
  received_at INTEGER NOT NULL,
  CHECK ((outcome = 'unknown_order') = (intent_id IS NULL)),
  UNIQUE (method, order_reference, kind, auth_code)
) STRICT;
CREATE INDEX payment_notifications_by_intent ON payment_notifications (intent_id);

-- Paid when its hold had ended, when it was cancelled, or when its units were somebody else's: a person decides.
ALTER TABLE bookings ADD COLUMN paid_after_expiry INTEGER NOT NULL DEFAULT 0 CHECK (paid_after_expiry IN (0, 1));
