-- Customers are found again, changed by the office and merged.

ALTER TABLE customers ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- Who this customer is under another id; papers that name it stay as they were issued.
ALTER TABLE customers ADD COLUMN merged_into_id INTEGER REFERENCES customers (id);
-- Found again by the tax id or document, however it is spaced, else by e-mail and name.
CREATE INDEX customers_by_document ON customers (upper(replace(replace(replace(document_id, ' ', ''), '-', ''), '.', '')))
  WHERE document_id IS NOT NULL AND merged_into_id IS NULL;
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

-- What a batch writes of a customer was decided on the version that is named first. Nothing is ever kept here.
CREATE TABLE expected_customer_versions (
  customer_id INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER expected_customer_versions_hold BEFORE INSERT ON expected_customer_versions
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;

-- What of a done contract was credited and not invoiced again: nobody owes it.
ALTER TABLE bookings ADD COLUMN credited_cents INTEGER NOT NULL DEFAULT 0 CHECK (credited_cents >= 0);
UPDATE bookings SET credited_cents = max(0, total_cents - (SELECT sum(total_cents) FROM documents WHERE booking_id = bookings.id))
  WHERE status = 'done' AND total_cents > (SELECT sum(total_cents) FROM documents WHERE booking_id = bookings.id);
DROP INDEX bookings_overpaid;
CREATE INDEX bookings_overpaid ON bookings (last_update) WHERE status <> 'cancelled' AND total_paid_cents > total_cents - credited_cents;

-- What was issued in exchange for a simplified invoice.
CREATE INDEX documents_by_exchanged ON documents (exchanges_document_id) WHERE exchanges_document_id IS NOT NULL;
