-- Charges, and payments at gateways.

CREATE TABLE charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT, -- as a document's
  booking_id INTEGER REFERENCES bookings (id),
  document_id INTEGER REFERENCES documents (id),
  source_doc TEXT NOT NULL CHECK (source_doc IN ('booking', 'order', 'customer_invoice', 'customer_simplified_invoice', 'internal_bond_invoice', 'deposit_received', 'deposit_returned')),
  virtual INTEGER NOT NULL GENERATED ALWAYS AS (source_doc IN ('deposit_received', 'deposit_returned')) STORED,
  payment_type TEXT NOT NULL CHECK (payment_type IN ('charge', 'payment')),
  payment_method_id TEXT NOT NULL CHECK (payment_method_id IN ('credit_card', 'cash', 'bank_transfer', 'wallet_standard', 'tpvA_256', 'tpvB', 'tpvC', 'tpvD', 'tpv_online', 'check', 'promissory_note', 'booking_portal')),
  date INTEGER NOT NULL, -- epoch ms
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  status TEXT NOT NULL DEFAULT 'done' CHECK (status = 'done'),
  branch_code TEXT NOT NULL REFERENCES branches (code),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  external_operation_number TEXT,
  origin TEXT,
  deposit_kept INTEGER NOT NULL DEFAULT 0 CHECK (deposit_kept IN (0, 1)),
  offline_physical_device_id TEXT,
  charge_accounting_processed INTEGER NOT NULL DEFAULT 0 CHECK (charge_accounting_processed IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK (booking_id IS NOT NULL OR document_id IS NOT NULL)
) STRICT;
CREATE INDEX charges_by_update ON charges (last_update);
CREATE INDEX charges_by_booking ON charges (booking_id);
CREATE INDEX charges_by_document ON charges (document_id);
CREATE UNIQUE INDEX charges_by_uid ON charges (uid) WHERE uid IS NOT NULL;

-- Money that moved has moved: a mistake is put right by its opposite. Only its document comes later, and the
-- accounting's mark.
CREATE TRIGGER charges_stay BEFORE UPDATE OF id, uid, booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency,
  branch_code, sales_channel_code, external_operation_number, origin, deposit_kept, offline_physical_device_id ON charges
BEGIN
  SELECT RAISE(ABORT, 'charge_kept');
END;
CREATE TRIGGER charges_stay_with_their_document BEFORE UPDATE OF document_id ON charges
WHEN OLD.document_id IS NOT NULL AND NEW.document_id IS NOT OLD.document_id
BEGIN
  SELECT RAISE(ABORT, 'charge_kept');
END;
CREATE TRIGGER charges_are_not_deleted BEFORE DELETE ON charges
BEGIN
  SELECT RAISE(ABORT, 'charge_kept');
END;

-- Where money moved the status of payment says so, whoever entered it; what it is exactly says the batch.
CREATE TRIGGER charges_are_told AFTER INSERT ON charges WHEN NEW.booking_id IS NOT NULL AND NEW.virtual = 0
BEGIN
  UPDATE bookings SET payment_status = 'deposit' WHERE id = NEW.booking_id AND payment_status = 'none';
END;

-- The money of a contract, without the deposits that only passed through.
CREATE INDEX charges_of_booking ON charges (booking_id) WHERE virtual = 0;
CREATE INDEX charges_by_branch ON charges (branch_code);

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

-- Every genuine message of a gateway, once. What was refused (mismatch, unknown_order, second_payment) is here for a
-- person.
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
