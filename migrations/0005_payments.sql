-- Charges, and payments at gateways.
CREATE TABLE charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT, -- like a document's uid
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
  -- Whether a deposit went back by another method, beyond what was received, or on a finished contract: a refund.
  exceptional INTEGER NOT NULL DEFAULT 0 CHECK (exceptional IN (0, 1)),
  charge_accounting_processed INTEGER NOT NULL DEFAULT 0 CHECK (charge_accounting_processed IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK (booking_id IS NOT NULL OR document_id IS NOT NULL)
) STRICT;

CREATE INDEX charges_by_update ON charges (last_update);

CREATE INDEX charges_by_booking ON charges (booking_id);

CREATE INDEX charges_by_document ON charges (document_id);

CREATE UNIQUE INDEX charges_by_uid ON charges (uid) WHERE uid IS NOT NULL;

-- Charges don't change, and mistakes are fixed by an opposite charge. Only the document and the accounting flag are set
-- later.
CREATE TRIGGER charges_update_prevent BEFORE UPDATE OF id, uid, booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency,
  branch_code, sales_channel_code, external_operation_number, origin, deposit_kept, offline_physical_device_id, exceptional ON charges
BEGIN
  SELECT RAISE(ABORT, 'charge_immutable');
END;

CREATE TRIGGER charges_delete_prevent BEFORE DELETE ON charges
BEGIN
  SELECT RAISE(ABORT, 'charge_immutable');
END;

-- Every charge updates the payment status, from any writer. The batch sets the exact status.
CREATE TRIGGER charges_insert_booking_history AFTER INSERT ON charges WHEN NEW.booking_id IS NOT NULL AND NEW.virtual = 0
BEGIN
  UPDATE bookings SET payment_status = 'deposit' WHERE id = NEW.booking_id AND payment_status = 'none';
END;

-- Money of a contract, without deposits.
CREATE INDEX charges_of_booking ON charges (booking_id) WHERE virtual = 0;

CREATE INDEX charges_by_branch ON charges (branch_code);

-- Merchant data and secret. Gateway addresses are constants in the code, never stored here.
CREATE TABLE payment_gateways (
  method TEXT PRIMARY KEY CHECK (method IN ('tpvA256', 'tpvB', 'tpvC', 'wallet_standard', 'stripe')),
  environment TEXT NOT NULL CHECK (environment IN ('live', 'test', 'stand_in')),
  merchant TEXT NOT NULL CHECK (json_valid(merchant) AND json_type(merchant) = 'object' AND instr(merchant, '://') = 0),
  secret_sealed TEXT,
  webhook_secret_sealed TEXT, -- signs the events of a gateway that has a separate secret for them
  previous_secret_sealed TEXT, -- still verifies notifications while the secret is being changed
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- Days after which the card's bank ends a hold.
  hold_days INTEGER NOT NULL DEFAULT 7 CHECK (hold_days BETWEEN 1 AND 31),
  CHECK ((secret_sealed IS NULL) = (method = 'wallet_standard')),
  CHECK (webhook_secret_sealed IS NULL OR method = 'stripe'),
  CHECK (previous_secret_sealed IS NULL OR secret_sealed IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Link to the page on which a customer pays a part of a reservation. Its end is derived from expires_at.
CREATE TABLE payment_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  -- Unguessable part of the address.
  token TEXT NOT NULL UNIQUE CHECK (length(token) = 32 AND token NOT GLOB '*[^0-9a-f]*'),
  purpose TEXT NOT NULL CHECK (purpose IN ('payment', 'hold')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'authorised', 'cancelled')),
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK (status <> 'paid' OR purpose = 'payment'),
  CHECK (status <> 'authorised' OR purpose = 'hold')
) STRICT;

CREATE INDEX payment_links_by_booking ON payment_links (booking_id);

-- One payment attempt, written before the visitor leaves. Its amount is computed from the booking and never changes.
CREATE TABLE payment_intents (
  id TEXT PRIMARY KEY CHECK (length(id) = 32 AND id NOT GLOB '*[^0-9a-f]*'),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  method TEXT NOT NULL REFERENCES payment_gateways (method),
  part TEXT NOT NULL CHECK (part IN ('deposit', 'total', 'pending')),
  order_reference TEXT NOT NULL CHECK (length(order_reference) = 12 AND order_reference GLOB '[0-9][0-9][0-9][0-9]*' AND order_reference NOT GLOB '*[^0-9A-Z]*'),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  refunded_cents INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'held', 'paid', 'denied', 'expired')),
  summary_url TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
  paid_at INTEGER,
  -- The gateway's code of the payment that is in the books.
  paid_code TEXT,
  -- The link on whose page it started, if any.
  link_id INTEGER REFERENCES payment_links (id),
  -- The gateway's id of the payment, once it's known. Its events name it.
  transaction_code TEXT,
  CHECK ((state = 'paid') = (paid_at IS NOT NULL)),
  CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  CHECK (refunded_cents = 0 OR state = 'paid'),
  UNIQUE (method, order_reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_intents_by_booking ON payment_intents (booking_id);

CREATE UNIQUE INDEX payment_intents_by_transaction ON payment_intents (method, transaction_code) WHERE transaction_code IS NOT NULL;

CREATE INDEX payment_intents_by_link ON payment_intents (link_id) WHERE link_id IS NOT NULL;

-- Hold of an amount on a card for the deposit. It isn't money until it's captured. Its end is derived from expires_at.
CREATE TABLE payment_holds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  link_id INTEGER NOT NULL UNIQUE REFERENCES payment_links (id),
  -- The attempt that was authorised.
  intent_id TEXT REFERENCES payment_intents (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'failed', 'authorised', 'released', 'captured')),
  captured_cents INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER,
  -- Requested of the gateway, written before it's sent.
  action TEXT CHECK (action IN ('capture', 'release')),
  action_state TEXT CHECK (action_state IN ('waiting', 'sent', 'refused')),
  action_cents INTEGER,
  action_reason TEXT,
  action_by INTEGER,
  action_at INTEGER,
  -- The gateway's response, or a note that it didn't answer.
  problem TEXT,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK (captured_cents BETWEEN 0 AND amount_cents),
  CHECK ((status = 'captured') = (captured_cents > 0)),
  CHECK (status <> 'authorised' OR (expires_at IS NOT NULL AND intent_id IS NOT NULL)),
  CHECK ((action IS NULL) = (action_state IS NULL))
) STRICT;

CREATE INDEX payment_holds_by_booking ON payment_holds (booking_id);

CREATE INDEX payment_holds_authorised ON payment_holds (expires_at) WHERE status = 'authorised';

CREATE INDEX payment_holds_to_send ON payment_holds (action_at) WHERE action_state IS NOT NULL;

-- A hold counts for its link whenever it comes, also after the link's end.
CREATE TRIGGER payment_intents_update_authorise_link AFTER UPDATE OF state ON payment_intents
WHEN NEW.state = 'held' AND OLD.state <> 'held' AND NEW.link_id IS NOT NULL
BEGIN
  UPDATE payment_links SET status = 'authorised' WHERE id = NEW.link_id AND purpose = 'hold';
END;

-- A payment counts for its link whenever it comes, also after the link's end.
CREATE TRIGGER payment_intents_update_pay_link AFTER UPDATE OF state ON payment_intents
WHEN NEW.state = 'paid' AND OLD.state <> 'paid' AND NEW.link_id IS NOT NULL
BEGIN
  UPDATE payment_links SET status = 'paid', last_update = NEW.paid_at WHERE id = NEW.link_id AND purpose = 'payment';
END;

-- Attempts of a cancelled link end. A payment that arrives later still counts.
CREATE TRIGGER payment_links_update_expire_intents AFTER UPDATE OF status ON payment_links
WHEN NEW.status = 'cancelled' AND OLD.status = 'open'
BEGIN
  UPDATE payment_intents SET state = 'expired' WHERE link_id = NEW.id AND state = 'pending';
END;

-- The end of a booking ends the links that can no longer take money: requested card holds, and payments of a cancelled
-- booking unless its fee is unpaid.
CREATE TRIGGER bookings_update_cancel_links AFTER UPDATE OF status ON bookings
WHEN NEW.status IN ('done', 'cancelled') AND OLD.status <> NEW.status
BEGIN
  UPDATE payment_links SET status = 'cancelled', last_update = NEW.last_update
  WHERE booking_id = NEW.id AND status = 'open' AND expires_at > NEW.last_update
    AND (purpose = 'hold' OR (NEW.status = 'cancelled' AND NEW.cancellation_fee_cents <= NEW.total_paid_cents));
END;

CREATE INDEX payment_intents_pending ON payment_intents (expires_at) WHERE state = 'pending';

-- A paid intent stays paid. A payment can still follow a denial or an expired attempt.
CREATE TRIGGER payment_intents_update_prevent_unpaid BEFORE UPDATE OF state ON payment_intents
WHEN OLD.state = 'paid' AND NEW.state <> 'paid'
BEGIN
  SELECT RAISE(ABORT, 'payment_paid');
END;

CREATE TRIGGER payment_intents_update_prevent_change BEFORE UPDATE OF id, booking_id, method, part, order_reference, amount_cents, currency ON payment_intents
BEGIN
  SELECT RAISE(ABORT, 'payment_immutable');
END;

-- Every genuine gateway message, once. Rejected ones (mismatch, unknown_order, second_payment) are stored for review.
CREATE TABLE payment_notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  method TEXT NOT NULL REFERENCES payment_gateways (method),
  order_reference TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('authorised', 'denied', 'refunded', 'reinstated', 'pending', 'held', 'captured', 'released', 'other')),
  auth_code TEXT NOT NULL DEFAULT '',
  -- Code of the payment that a refund is about, if the gateway names it.
  payment_code TEXT,
  intent_id TEXT REFERENCES payment_intents (id),
  amount_cents INTEGER,
  currency TEXT,
  -- waiting: a refund that arrived before its payment.
  outcome TEXT NOT NULL CHECK (outcome IN ('paid', 'second_payment', 'denied', 'refunded', 'refund_exceeds_paid', 'waiting', 'noted', 'mismatch', 'unknown_order')),
  received_at INTEGER NOT NULL,
  -- The gateway's own reason for accepting or denying the payment.
  answer TEXT NOT NULL DEFAULT '',
  -- Refund that staff entered by hand and that this message confirms.
  entered_charge_id INTEGER REFERENCES charges (id),
  CHECK ((outcome = 'unknown_order') = (intent_id IS NULL)),
  UNIQUE (method, order_reference, kind, auth_code)
) STRICT;

CREATE INDEX payment_notifications_by_intent ON payment_notifications (intent_id);

-- A refund entered by hand is confirmed by one message.
CREATE UNIQUE INDEX payment_notifications_by_entered_charge ON payment_notifications (entered_charge_id)
  WHERE entered_charge_id IS NOT NULL;

-- Events of gateways that send objects with their state, each once by its id. The state of a payment follows from all
-- of them, in any order.
CREATE TABLE payment_events (
  event_id TEXT PRIMARY KEY,
  method TEXT NOT NULL REFERENCES payment_gateways (method),
  type TEXT NOT NULL,
  -- The gateway's id of the payment, and our order if the object carries it.
  transaction_code TEXT,
  order_reference TEXT,
  fact TEXT NOT NULL CHECK (json_valid(fact)),
  currency TEXT,
  received_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_events_by_transaction ON payment_events (transaction_code) WHERE transaction_code IS NOT NULL;

CREATE INDEX payment_events_by_order ON payment_events (order_reference) WHERE order_reference IS NOT NULL;

-- Share of a charge allocated to an issued document, negative for refunds. The unallocated rest is the contract's
-- balance.
CREATE TABLE charge_allocations (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  charge_id INTEGER NOT NULL REFERENCES charges (id),
  amount_cents INTEGER NOT NULL,
  PRIMARY KEY (document_id, charge_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX charge_allocations_by_charge ON charge_allocations (charge_id);

-- The daily register of a branch.
CREATE INDEX charges_by_day ON charges (branch_code, date);

-- Cash counts of a branch. Each covers exactly the charges since the previous closing.
CREATE TABLE cash_closings (
  id INTEGER PRIMARY KEY,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  date TEXT NOT NULL CHECK (date IS date(date)),
  opening_cents INTEGER NOT NULL CHECK (opening_cents >= 0),
  moved_cents INTEGER NOT NULL,
  counted_cents INTEGER NOT NULL CHECK (counted_cents >= 0),
  difference_cents INTEGER NOT NULL CHECK (difference_cents = counted_cents - opening_cents - moved_cents),
  -- Amount taken to the bank. The rest starts the next day.
  taken_out_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_out_cents BETWEEN 0 AND counted_cents),
  last_charge_id INTEGER NOT NULL,
  note TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (branch_code, date)
) STRICT;

-- Refunds that need a second person's approval, with the outcome.
CREATE TABLE refund_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  payment_method_id TEXT NOT NULL,
  reason TEXT,
  external_operation_number TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  decided_by INTEGER,
  decided_at INTEGER,
  -- Whether an approved refund is paid manually, without the gateway.
  by_hand INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
  CHECK ((state = 'waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
  CHECK (state <> 'approved' OR decided_by <> requested_by)
) STRICT;

CREATE INDEX refund_requests_pending ON refund_requests (requested_at) WHERE state = 'waiting';

CREATE INDEX refund_requests_by_booking ON refund_requests (booking_id);

CREATE TRIGGER refund_requests_update_prevent_second_decision BEFORE UPDATE OF state ON refund_requests WHEN OLD.state <> 'waiting'
BEGIN
  SELECT RAISE(ABORT, 'refund_decided');
END;

CREATE TRIGGER charges_insert_refund_security_event AFTER INSERT ON charges
WHEN NEW.payment_type = 'payment' AND (NEW.virtual = 0 OR NEW.exceptional = 1)
BEGIN
  INSERT INTO security_events (at, last_at, kind, detail) VALUES (NEW.created_at, NEW.created_at, 'refund_issued',
    json_object('booking', NEW.booking_id, 'cents', NEW.amount_cents))
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at;
END;

-- Refunds through the original payment's gateway. The row is written before the request, so no refund is sent twice or
-- lost. The charge is written after the gateway's confirmation by response or notification.
CREATE TABLE gateway_refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  intent_id TEXT NOT NULL REFERENCES payment_intents (id),
  -- The refund request that two people approved, if any.
  request_id INTEGER REFERENCES refund_requests (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL,
  -- sent: requested with unknown outcome. by_hand, dropped: a user's decision after the gateway didn't refund.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'done', 'refused', 'by_hand', 'dropped')),
  -- How often the gateway refused it.
  refusals INTEGER NOT NULL DEFAULT 0,
  -- The gateway's response, or a note that it didn't answer.
  problem TEXT,
  requested_by INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  sent_at INTEGER,
  ended_at INTEGER,
  CHECK (state <> 'sent' OR sent_at IS NOT NULL),
  CHECK ((state IN ('done', 'by_hand', 'dropped')) = (ended_at IS NOT NULL))
) STRICT;

CREATE INDEX gateway_refunds_by_booking ON gateway_refunds (booking_id);

CREATE INDEX gateway_refunds_by_intent ON gateway_refunds (intent_id);

CREATE INDEX gateway_refunds_by_request ON gateway_refunds (request_id) WHERE request_id IS NOT NULL;

CREATE INDEX gateway_refunds_open ON gateway_refunds (requested_at) WHERE state IN ('waiting', 'sent', 'refused');

-- A final state doesn't change. If two requests decide at once, the second batch fails.
CREATE TRIGGER gateway_refunds_update_prevent_reopen BEFORE UPDATE OF state ON gateway_refunds WHEN OLD.state IN ('done', 'by_hand', 'dropped')
BEGIN
  SELECT RAISE(ABORT, 'refund_decided');
END;

CREATE TRIGGER gateway_refunds_update_prevent_change BEFORE UPDATE OF id, booking_id, intent_id, amount_cents ON gateway_refunds
BEGIN
  SELECT RAISE(ABORT, 'refund_immutable');
END;

-- Gateway notifications that need attention.
CREATE INDEX payment_notifications_unexpected ON payment_notifications (received_at) WHERE outcome IN ('mismatch', 'unknown_order', 'second_payment', 'waiting', 'refund_exceeds_paid');

CREATE TRIGGER charges_insert_update_deposit AFTER INSERT ON charges WHEN NEW.virtual = 1 AND NEW.booking_id IS NOT NULL
BEGIN
  UPDATE bookings SET deposit_held_cents = deposit_held_cents + iif(NEW.source_doc = 'deposit_received', NEW.amount_cents, -NEW.amount_cents)
    WHERE id = NEW.booking_id;
END;

-- Reads how a contract's deposit was paid without its other charges.
CREATE INDEX charges_of_deposit ON charges (booking_id) WHERE source_doc = 'deposit_received';
