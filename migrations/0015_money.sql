-- Where the money of a contract is, kinds and numbers of documents, the register of a day, refunds that wait.

-- How an account numbers its documents: the letters of each kind, and the pattern of a serie of kind, branch and year
-- ({kind}, {branch}, {year}, {yy}).
ALTER TABLE settings ADD COLUMN series_pattern TEXT NOT NULL DEFAULT '{kind}-{branch}-{yy}' CHECK (instr(series_pattern, '{kind}') > 0);
ALTER TABLE settings ADD COLUMN series_letters TEXT NOT NULL
  DEFAULT '{"full":"A","advance":"A","simplified":"T","credit_note":"R","internal_bond":"B"}' CHECK (json_valid(series_letters));
-- Up to so much a customer without tax id or address gets a simplified invoice, in minor units.
ALTER TABLE settings ADD COLUMN simplified_limit_cents INTEGER NOT NULL DEFAULT 40000 CHECK (simplified_limit_cents >= 0);
-- A refund above it waits for another manager, in minor units.
ALTER TABLE settings ADD COLUMN refund_approval_cents INTEGER NOT NULL DEFAULT 50000 CHECK (refund_approval_cents >= 0);

-- What kind of paper it is; NULL: written by code of before.
ALTER TABLE documents ADD COLUMN form TEXT CHECK (form IN ('full', 'simplified', 'credit_note', 'internal_bond'));
-- What a draft lacks to be issued, by field.
ALTER TABLE documents ADD COLUMN missing TEXT CHECK (json_valid(missing));
-- The simplified invoice in exchange for which it was issued.
ALTER TABLE documents ADD COLUMN exchanges_document_id INTEGER REFERENCES documents (id);

-- The serie of a number says its branch and its year. What was numbered by branch and year beside a letter gets the
-- whole serie under the same number; credit notes of bonds, which had numbers of their own, letters of their own.
DROP TRIGGER documents_stay_firm;
DROP TRIGGER document_items_stay_firm;
UPDATE documents SET form = CASE WHEN invoice_type = 'payment' THEN 'credit_note' WHEN kind = 'internal_bond' THEN 'internal_bond'
  WHEN serie = 'T' THEN 'simplified' ELSE 'full' END;
UPDATE document_items SET concept = replace(concept,
    (SELECT ' ' || firm.serie || '/' || firm.number FROM documents AS note JOIN documents AS firm ON firm.id = note.corrects_document_id WHERE note.id = document_id),
    (SELECT ' ' || firm.serie || '-' || firm.branch_code || '-' || substr(firm.year, 3) || '/' || firm.number
      FROM documents AS note JOIN documents AS firm ON firm.id = note.corrects_document_id WHERE note.id = document_id))
  WHERE document_id IN (SELECT id FROM documents WHERE corrects_document_id IS NOT NULL);
UPDATE documents SET concept = (SELECT replace(documents.concept, ' ' || firm.serie || '/' || firm.number,
    ' ' || firm.serie || '-' || firm.branch_code || '-' || substr(firm.year, 3) || '/' || firm.number)
    FROM documents AS firm WHERE firm.id = documents.corrects_document_id)
  WHERE corrects_document_id IS NOT NULL;
UPDATE documents SET serie = CASE WHEN kind = 'internal_bond' AND invoice_type = 'payment' THEN serie || 'B' ELSE serie END
    || '-' || branch_code || '-' || substr(year, 3)
  WHERE invoice_status = 'invoice' AND instr(serie, '-') = 0;
UPDATE documents SET serie = NULL WHERE invoice_status = 'draft';
CREATE TRIGGER document_items_stay_firm BEFORE UPDATE ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
CREATE TRIGGER documents_stay_firm BEFORE UPDATE OF id, uid, kind, company_id, branch_code, sales_channel_code, invoice_type,
  invoice_mode, invoice_status, serie, number, year, date, concept, booking_id, corrects_document_id, order_reference, customer_id,
  customer_type, customer_full_name, customer_document_id, customer_address_street, customer_address_number,
  customer_address_complement, customer_address_city, customer_address_state, customer_address_country, customer_address_zip,
  reference_detail, reference_dates, reference_agency, currency, discount_type, discount_basis_points, total_without_taxes_cents,
  discount_cents, subtotal_cents, taxes_cents, total_cents, agent_commission_prepaid_cents, created_at, form, missing,
  exchanges_document_id ON documents
WHEN OLD.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- A number of a company is given once, for ever, and its date is between those of its neighbours.
CREATE UNIQUE INDEX documents_by_number ON documents (company_id, serie, number) WHERE form IS NOT NULL AND number IS NOT NULL;
CREATE TRIGGER documents_dates_rise BEFORE UPDATE OF invoice_status ON documents
WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice' AND NEW.form IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'document_date') WHERE EXISTS (SELECT 1 FROM documents AS before WHERE before.company_id = NEW.company_id
      AND before.serie = NEW.serie AND before.number = NEW.number - 1 AND before.form IS NOT NULL AND before.date > NEW.date)
    OR EXISTS (SELECT 1 FROM documents AS after WHERE after.company_id = NEW.company_id
      AND after.serie = NEW.serie AND after.number = NEW.number + 1 AND after.form IS NOT NULL AND after.date < NEW.date);
END;
CREATE INDEX documents_incomplete ON documents (last_update) WHERE missing IS NOT NULL AND invoice_status = 'draft';

-- The last number of each serie of a company, and its date: the row moves in the batch that issues.
CREATE TABLE number_series (
  company_id INTEGER NOT NULL,
  serie TEXT NOT NULL,
  last_number INTEGER NOT NULL CHECK (last_number >= 1),
  last_date TEXT NOT NULL CHECK (last_date IS date(last_date)),
  PRIMARY KEY (company_id, serie)
) STRICT, WITHOUT ROWID;
INSERT INTO number_series (company_id, serie, last_number, last_date)
  SELECT company_id, serie, max(number), max(date) FROM documents WHERE invoice_status = 'invoice' GROUP BY company_id, serie;

-- How much of a charge counts towards which firm document; below zero where it goes back. What is in no row is the
-- contract's balance.
CREATE TABLE charge_allocations (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  charge_id INTEGER NOT NULL REFERENCES charges (id),
  amount_cents INTEGER NOT NULL,
  PRIMARY KEY (document_id, charge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX charge_allocations_by_charge ON charge_allocations (charge_id);
-- Which document a charge counts towards follows from all of them.
DROP TRIGGER charges_stay_with_their_document;

-- What is kept of a deposit leaves it: received, returned and kept sum to what is held. The money kept is a real charge
-- beside it.
INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, sales_channel_code,
    origin, deposit_kept, created_at, last_update)
  SELECT booking_id, 'deposit_returned', 'payment', payment_method_id, date, amount_cents, currency, branch_code, sales_channel_code,
    origin, 1, created_at, last_update FROM charges WHERE deposit_kept = 1 AND virtual = 0 ORDER BY id;

-- The register of a day at a branch.
CREATE INDEX charges_by_day ON charges (branch_code, date);
-- The cash of a branch, counted by a person. It holds what came and went since the closing before, to the charge.
CREATE TABLE cash_closings (
  id INTEGER PRIMARY KEY,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  date TEXT NOT NULL CHECK (date IS date(date)),
  opening_cents INTEGER NOT NULL CHECK (opening_cents >= 0),
  moved_cents INTEGER NOT NULL,
  counted_cents INTEGER NOT NULL CHECK (counted_cents >= 0),
  difference_cents INTEGER NOT NULL CHECK (difference_cents = counted_cents - opening_cents - moved_cents),
  -- To the bank; the rest is the next day's.
  taken_out_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_out_cents BETWEEN 0 AND counted_cents),
  last_charge_id INTEGER NOT NULL,
  note TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (branch_code, date)
) STRICT;

-- Refunds that wait for a second person, and what became of them.
CREATE TABLE refund_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  payment_method_id TEXT NOT NULL,
  reason TEXT,
  external_operation_number TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  decided_by INTEGER,
  decided_at INTEGER,
  CHECK ((state = 'waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
  CHECK (state <> 'approved' OR decided_by <> asked_by)
) STRICT;
CREATE INDEX refund_requests_waiting ON refund_requests (asked_at) WHERE state = 'waiting';
CREATE INDEX refund_requests_by_booking ON refund_requests (booking_id);
CREATE TRIGGER refund_requests_are_decided_once BEFORE UPDATE OF state ON refund_requests WHEN OLD.state <> 'waiting'
BEGIN
  SELECT RAISE(ABORT, 'refund_decided');
END;

-- The money of all that is there already, spread as worker/store/documents/allocation.ts spreads it from now on.
insert into charge_allocations (document_id, charge_id, amount_cents) SELECT document_id, charge_id, amount_cents FROM (WITH papers AS MATERIALIZED (
  SELECT id, coalesce(booking_id, -coalesce(corrects_document_id, id)) AS owner, corrects_document_id AS corrects, date, total_cents - agent_commission_prepaid_cents AS due
  FROM documents WHERE invoice_status = 'invoice' AND true),
  credits AS (SELECT corrects AS id, -sum(due) AS cents FROM papers WHERE corrects IS NOT NULL GROUP BY corrects),
  claims AS MATERIALIZED (
  SELECT id, owner, cents, sum(cents) OVER (PARTITION BY owner ORDER BY date, id) AS upper FROM (
  SELECT papers.id, owner, date, max(0, due - coalesce(credits.cents, 0)) AS cents
  FROM papers LEFT JOIN credits ON credits.id = papers.id WHERE corrects IS NULL)),
  moved AS MATERIALIZED (
  SELECT id, owner, document_id, cents, sum(cents) OVER (PARTITION BY owner ORDER BY id) AS upper FROM (
  SELECT id, coalesce(charges.booking_id, -(SELECT coalesce(corrects_document_id, id) FROM documents WHERE documents.id = charges.document_id)) AS owner, document_id, CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END AS cents
  FROM charges WHERE virtual = 0 AND true)),
  filled AS MATERIALIZED (
  SELECT moved.id AS charge_id, claims.id AS document_id,
  max(claims.upper - claims.cents, min(claims.upper, moved.upper)) - max(claims.upper - claims.cents, min(claims.upper, moved.upper - moved.cents)) AS cents
  FROM moved JOIN claims ON claims.owner = moved.owner),
  taken AS MATERIALIZED (SELECT charge_id, sum(cents) AS cents FROM filled GROUP BY charge_id),
  rests AS MATERIALIZED (
  SELECT moved.id, owner, document_id, moved.cents - coalesce(taken.cents, 0) AS cents FROM moved LEFT JOIN taken ON taken.charge_id = moved.id),
  ups AS MATERIALIZED (
  SELECT id, owner, cents, sum(cents) OVER (PARTITION BY owner ORDER BY id) AS upper FROM rests WHERE cents > 0),
  downs AS MATERIALIZED (
  SELECT id, owner, cents, sum(cents) OVER (PARTITION BY owner ORDER BY note IS NULL, note_date, note, id) AS upper FROM (
  SELECT rests.id, rests.owner, -cents AS cents, papers.id AS note, papers.date AS note_date FROM rests
  LEFT JOIN papers ON papers.id = rests.document_id AND papers.corrects IS NOT NULL WHERE cents < 0)),
  notes AS MATERIALIZED (
  SELECT id, owner, corrects, -due AS cents, sum(-due) OVER (PARTITION BY owner
  ORDER BY NOT EXISTS (SELECT 1 FROM rests WHERE rests.document_id = papers.id), date, id) AS upper
  FROM papers WHERE corrects IS NOT NULL AND due < 0),
  parts AS (
  SELECT charge_id, document_id, cents FROM filled
  UNION ALL SELECT ups.id, notes.corrects,
  min(ups.upper, notes.upper, (SELECT max(upper) FROM downs WHERE downs.owner = ups.owner)) - max(ups.upper - ups.cents, notes.upper - notes.cents)
  FROM ups JOIN notes ON notes.owner = ups.owner
  WHERE min(ups.upper, notes.upper, (SELECT max(upper) FROM downs WHERE downs.owner = ups.owner)) > max(ups.upper - ups.cents, notes.upper - notes.cents)
  UNION ALL SELECT downs.id, notes.id,
  max(downs.upper - downs.cents, notes.upper - notes.cents) - min(downs.upper, notes.upper, (SELECT max(upper) FROM ups WHERE ups.owner = downs.owner))
  FROM downs JOIN notes ON notes.owner = downs.owner
  WHERE min(downs.upper, notes.upper, (SELECT max(upper) FROM ups WHERE ups.owner = downs.owner)) > max(downs.upper - downs.cents, notes.upper - notes.cents)
  UNION ALL SELECT kept.charge_id, kept.document_id, 0 FROM moved JOIN charge_allocations AS kept INDEXED BY charge_allocations_by_charge ON kept.charge_id = moved.id)
  SELECT charge_id, document_id, sum(cents) AS amount_cents FROM parts GROUP BY charge_id, document_id) AS part WHERE amount_cents <> 0
  OR EXISTS (SELECT 1 FROM charge_allocations AS kept WHERE kept.document_id = part.document_id AND kept.charge_id = part.charge_id) on conflict (charge_allocations.document_id, charge_allocations.charge_id) do update set amount_cents = excluded.amount_cents where charge_allocations.amount_cents <> excluded.amount_cents;
delete from charge_allocations where amount_cents = 0 AND charge_id IN (SELECT id FROM charges WHERE true);
update charges set document_id = (SELECT min(document_id) FROM charge_allocations AS one WHERE one.charge_id = charges.id), last_update = max(last_update, CAST(unixepoch('subsec') * 1000 AS INTEGER)) where virtual = 0 AND true AND (SELECT min(document_id) FROM charge_allocations AS one WHERE one.charge_id = charges.id) IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM charge_allocations AS one WHERE one.charge_id = charges.id AND one.document_id = charges.document_id);
update documents set total_paid_cents = CASE WHEN corrects_document_id IS NULL THEN (SELECT coalesce(sum(amount_cents), 0) FROM charge_allocations AS one WHERE one.document_id = documents.id) + (SELECT coalesce(sum((SELECT coalesce(sum(amount_cents), 0) FROM charge_allocations AS one WHERE one.document_id = note.id) - note.total_cents + note.agent_commission_prepaid_cents), 0)
  FROM documents AS note WHERE note.corrects_document_id = documents.id AND note.invoice_status = 'invoice')
  ELSE total_cents - agent_commission_prepaid_cents END, last_update = max(last_update, CAST(unixepoch('subsec') * 1000 AS INTEGER)) where invoice_status = 'invoice' AND true AND total_paid_cents <> CASE WHEN corrects_document_id IS NULL THEN (SELECT coalesce(sum(amount_cents), 0) FROM charge_allocations AS one WHERE one.document_id = documents.id) + (SELECT coalesce(sum((SELECT coalesce(sum(amount_cents), 0) FROM charge_allocations AS one WHERE one.document_id = note.id) - note.total_cents + note.agent_commission_prepaid_cents), 0)
  FROM documents AS note WHERE note.corrects_document_id = documents.id AND note.invoice_status = 'invoice')
  ELSE total_cents - agent_commission_prepaid_cents END;

-- A charge shows where it counts, a document what pays it.
CREATE TRIGGER charge_allocations_insert_move_charges AFTER INSERT ON charge_allocations
BEGIN
  UPDATE charges SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.charge_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER charge_allocations_update_move_charges AFTER UPDATE ON charge_allocations
BEGIN
  UPDATE charges SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.charge_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER charge_allocations_insert_move_documents AFTER INSERT ON charge_allocations
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.document_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER charge_allocations_update_move_documents AFTER UPDATE ON charge_allocations
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.document_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
