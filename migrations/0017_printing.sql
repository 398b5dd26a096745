-- What is printed: the company's own head, its general conditions, contracts as they were signed; the mails that link them.

-- How the company's papers look. The logo is a PNG or a JPEG in base64, the colour #rrggbb.
CREATE TABLE letterhead (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  color TEXT NOT NULL DEFAULT '#1f4e79' CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
  logo TEXT CHECK (length(logo) <= 300000),
  foot TEXT NOT NULL DEFAULT ''
) STRICT;

-- The general conditions of rental contracts, in each language the company has them in.
CREATE TABLE contract_terms (
  language TEXT PRIMARY KEY CHECK (language IN ('es', 'ca', 'en', 'de')),
  terms TEXT NOT NULL CHECK (length(terms) BETWEEN 1 AND 60000)
) STRICT, WITHOUT ROWID;

-- The texts that customers signed; their bytes lie in the object store under their hash, beside photos and signatures. Never deleted.
CREATE TABLE check_in_contracts (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  uploaded_by INTEGER NOT NULL REFERENCES users (id),
  uploaded_at INTEGER NOT NULL,
  PRIMARY KEY (booking_id, hash)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER check_in_contracts_arrive AFTER INSERT ON check_in_contracts
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE booking_id = NEW.booking_id AND hash = NEW.hash;
END;
CREATE TRIGGER check_in_operation_contracts_arrived AFTER INSERT ON check_in_operation_files
WHEN EXISTS (SELECT 1 FROM check_in_contracts WHERE booking_id = NEW.booking_id AND hash = NEW.hash)
BEGIN
  UPDATE check_in_operation_files SET arrived = 1 WHERE op_id = NEW.op_id AND position = NEW.position;
END;

-- Mails of the hand-over, the return and an invoice.
CREATE TABLE booking_mails_made_anew (
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('request_received', 'confirmed', 'changed', 'cancelled', 'payment_received', 'reminder', 'hold_ending',
    'delivered', 'collected', 'invoiced')),
  -- The entry of the history that it tells; 0: told once in a booking's life.
  history_id INTEGER NOT NULL,
  recipient TEXT NOT NULL CHECK (recipient IN ('customer', 'branch')),
  at INTEGER NOT NULL,
  PRIMARY KEY (booking_id, kind, history_id, recipient)
) STRICT, WITHOUT ROWID;
INSERT INTO booking_mails_made_anew (booking_id, kind, history_id, recipient, at) SELECT booking_id, kind, history_id, recipient, at FROM booking_mails;
DROP TABLE booking_mails;
ALTER TABLE booking_mails_made_anew RENAME TO booking_mails;
