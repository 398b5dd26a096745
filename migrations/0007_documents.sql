-- Last number of each series. Numbers have no gaps because the row changes in the issuing batch.
CREATE TABLE document_series (
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'internal_bond')),
  branch_code TEXT NOT NULL REFERENCES branches (code),
  serie TEXT NOT NULL,
  year INTEGER NOT NULL,
  last_number INTEGER NOT NULL DEFAULT 0 CHECK (last_number >= 0),
  PRIMARY KEY (kind, branch_code, serie, year)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT, -- identifies it in its batch before it has an ID. Unique
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'internal_bond')),
  company_id INTEGER NOT NULL DEFAULT 1,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  invoice_type TEXT NOT NULL DEFAULT 'invoice' CHECK (invoice_type IN ('invoice', 'payment')),
  invoice_mode TEXT NOT NULL CHECK (invoice_mode IN ('default', 'reservation_retainer', 'reservation_breakdown', 'reservation_extra')),
  invoice_status TEXT NOT NULL DEFAULT 'draft' CHECK (invoice_status IN ('draft', 'invoice')),
  serie TEXT,
  number INTEGER,
  year INTEGER,
  date TEXT CHECK (date IS date(date)),
  concept TEXT NOT NULL,
  booking_id INTEGER REFERENCES bookings (id),
  order_reference TEXT, -- number of the activities contract
  corrects_document_id INTEGER REFERENCES documents (id),
  customer_id INTEGER REFERENCES customers (id),
  customer_type TEXT NOT NULL CHECK (customer_type IN ('individual', 'legal_entity', 'internal_department', 'legal_entity_group_company')),
  customer_full_name TEXT NOT NULL,
  customer_document_id TEXT,
  customer_address_street TEXT,
  customer_address_number TEXT,
  customer_address_complement TEXT,
  customer_address_city TEXT,
  customer_address_state TEXT,
  customer_address_country TEXT,
  customer_origin_country TEXT,
  customer_address_zip TEXT,
  reference_detail TEXT,
  reference_dates TEXT,
  reference_agency TEXT,
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  discount_type TEXT NOT NULL DEFAULT 'none' CHECK (discount_type IN ('none', 'percentage', 'amount')),
  discount_basis_points INTEGER NOT NULL DEFAULT 0,
  total_without_taxes_cents INTEGER NOT NULL,
  discount_cents INTEGER NOT NULL DEFAULT 0,
  subtotal_cents INTEGER NOT NULL,
  taxes_cents INTEGER NOT NULL,
  total_cents INTEGER NOT NULL,
  total_paid_cents INTEGER NOT NULL DEFAULT 0,
  agent_commission_prepaid_cents INTEGER NOT NULL DEFAULT 0,
  accounting_processed INTEGER NOT NULL DEFAULT 0 CHECK (accounting_processed IN (0, 1)),
  integration_error TEXT,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  -- Document kind. NULL: written by an older version.
  form TEXT CHECK (form IN ('full', 'simplified', 'credit_note', 'internal_bond')),
  -- Fields a draft still lacks before it can be issued.
  missing TEXT CHECK (json_valid(missing)),
  -- The simplified invoice this document was issued in exchange for.
  exchanges_document_id INTEGER REFERENCES documents (id),
  -- Whether the document required a tax record when issued, so missing records are found. credit_reason decides the
  -- kind of a credit note (docs/interfaces/verifactu.md).
  tax_record_due INTEGER NOT NULL DEFAULT 0 CHECK (tax_record_due IN (0, 1)),
  credit_reason TEXT
  CHECK (credit_reason IS NULL OR (credit_reason IN ('correction', 'insolvency', 'bad_debt', 'other') AND corrects_document_id IS NOT NULL)),
  -- The full invoice replacing this simplified one. Only the full one is counted and paid.
  replaced_by_document_id INTEGER REFERENCES documents (id),
  -- Last day to pay, from the customer's payment terms when issued.
  due_date TEXT CHECK (due_date IS date(due_date)),
  CHECK (subtotal_cents = total_without_taxes_cents - discount_cents),
  CHECK (total_cents = subtotal_cents + taxes_cents),
  CHECK ((invoice_status = 'invoice') = (number IS NOT NULL AND serie IS NOT NULL AND year IS NOT NULL AND date IS NOT NULL)),
  CHECK (kind = 'invoice' OR invoice_mode IN ('default', 'reservation_breakdown')),
  UNIQUE (kind, branch_code, serie, year, number)
) STRICT;

CREATE INDEX documents_by_kind ON documents (kind, id);

CREATE INDEX documents_by_update ON documents (kind, last_update);

CREATE INDEX documents_by_booking ON documents (booking_id);

CREATE UNIQUE INDEX documents_by_uid ON documents (uid) WHERE uid IS NOT NULL;

-- A document can be issued only if it is complete and its totals match. Any later item is therefore one too many.
CREATE TRIGGER documents_issue_check_sums BEFORE UPDATE OF invoice_status ON documents WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_sums')
  WHERE (SELECT (count(*) > 0, total(total_without_taxes_cents), total(subtotal_cents), total(taxes_cents), total(total_cents))
      IS NOT (1, NEW.total_without_taxes_cents, NEW.subtotal_cents, NEW.taxes_cents, NEW.total_cents)
      FROM document_items WHERE document_id = NEW.id)
    OR (NEW.kind = 'invoice' AND (SELECT (total(total_without_taxes_cents), total(subtotal_cents), total(taxes_cents))
      IS NOT (NEW.total_without_taxes_cents, NEW.subtotal_cents, NEW.taxes_cents) FROM document_taxes WHERE document_id = NEW.id))
    OR EXISTS (SELECT 1 FROM document_taxes AS tax WHERE tax.document_id = NEW.id
      AND (SELECT (total(total_without_taxes_cents), total(subtotal_cents), total(taxes_cents))
        IS NOT (tax.total_without_taxes_cents, tax.subtotal_cents, tax.taxes_cents)
        FROM document_items WHERE document_id = NEW.id AND vat_basis_points = tax.vat_basis_points))
    OR EXISTS (SELECT 1 FROM document_contracts AS part WHERE part.document_id = NEW.id
      AND part.total_cents <> (SELECT total(total_cents) FROM document_items WHERE document_id = NEW.id AND booking_id = part.booking_id))
    OR (EXISTS (SELECT 1 FROM document_contracts WHERE document_id = NEW.id) AND (SELECT total(total_cents) FROM document_contracts
      WHERE document_id = NEW.id) <> NEW.total_cents)
    OR (NEW.kind = 'internal_bond' AND (NEW.taxes_cents <> 0 OR EXISTS (SELECT 1 FROM document_taxes WHERE document_id = NEW.id)));
END;

-- Credit notes never exceed their invoice, even if created at the same time.
CREATE INDEX documents_by_corrected ON documents (corrects_document_id) WHERE corrects_document_id IS NOT NULL;

CREATE TRIGGER documents_issue_limit_credit BEFORE UPDATE OF invoice_status ON documents
WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice' AND NEW.corrects_document_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'credit_exceeds')
  WHERE abs(NEW.total_cents + (SELECT coalesce(sum(total_cents), 0) FROM documents
      WHERE corrects_document_id = NEW.corrects_document_id AND invoice_status = 'invoice'))
    > abs((SELECT total_cents FROM documents WHERE id = NEW.corrects_document_id));
END;

CREATE TRIGGER documents_insert_require_draft BEFORE INSERT ON documents WHEN NEW.invoice_status <> 'draft'
BEGIN
  SELECT RAISE(ABORT, 'document_begins_as_draft');
END;

-- A draft is listed once created. It can be rewritten and issued, but never deleted.
CREATE TRIGGER documents_delete_prevent BEFORE DELETE ON documents
BEGIN
  SELECT RAISE(ABORT, 'document_not_deletable');
END;

CREATE INDEX documents_by_branch ON documents (kind, branch_code);

-- Finds documents that need review without reading the others.
CREATE INDEX documents_not_integrated ON documents (last_update) WHERE integration_error IS NOT NULL;

-- Up to five tax rates of a document (vat_1, taxes_1 … vat_5, taxes_5).
CREATE TABLE document_taxes (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 5),
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  total_without_taxes_cents INTEGER NOT NULL,
  discount_cents INTEGER NOT NULL DEFAULT 0,
  subtotal_cents INTEGER NOT NULL CHECK (subtotal_cents = total_without_taxes_cents - discount_cents),
  taxes_cents INTEGER NOT NULL,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER document_taxes_insert_prevent_issued BEFORE INSERT ON document_taxes
WHEN (SELECT invoice_status FROM documents WHERE id = NEW.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

CREATE TRIGGER document_taxes_update_prevent_issued BEFORE UPDATE ON document_taxes
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

CREATE TRIGGER document_taxes_delete_prevent_issued BEFORE DELETE ON document_taxes
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

CREATE TABLE document_items (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  concept TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  vat_basis_points INTEGER NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  taxes_included INTEGER NOT NULL DEFAULT 1 CHECK (taxes_included IN (0, 1)),
  unit_without_taxes_cents INTEGER NOT NULL,
  unit_taxes_cents INTEGER NOT NULL,
  unit_cents INTEGER NOT NULL CHECK (unit_cents = unit_without_taxes_cents + unit_taxes_cents),
  total_without_taxes_cents INTEGER NOT NULL,
  subtotal_cents INTEGER NOT NULL,
  taxes_cents INTEGER NOT NULL,
  total_cents INTEGER NOT NULL CHECK (total_cents = subtotal_cents + taxes_cents),
  external_code TEXT,
  booking_id INTEGER REFERENCES bookings (id), -- contract of an item of a collective document
  printed_concept TEXT -- concept in the customer's language, if it differs
) STRICT;

-- Contracts of a collective document, each with its part of it. Other documents name their contract themselves.
CREATE TABLE document_contracts (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  reference_detail TEXT, -- plates
  reference_dates TEXT,
  total_cents INTEGER NOT NULL,
  agent_commission_prepaid_cents INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document_id, booking_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX document_contracts_by_booking ON document_contracts (booking_id);

CREATE TRIGGER document_contracts_insert_prevent_issued BEFORE INSERT ON document_contracts
WHEN (SELECT invoice_status FROM documents WHERE id = NEW.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

CREATE TRIGGER document_contracts_update_prevent_issued BEFORE UPDATE ON document_contracts
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

CREATE TRIGGER document_contracts_delete_prevent_issued BEFORE DELETE ON document_contracts
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- The contracts of a document: its own, or those of a collective one.
CREATE VIEW booking_documents AS
SELECT booking_id, id AS document_id, total_cents, agent_commission_prepaid_cents FROM documents WHERE booking_id IS NOT NULL
UNION ALL
SELECT booking_id, document_id, total_cents, agent_commission_prepaid_cents FROM document_contracts;

CREATE INDEX document_items_by_document ON document_items (document_id);

CREATE TRIGGER document_items_delete_prevent_issued BEFORE DELETE ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

CREATE TRIGGER document_items_insert_prevent_issued BEFORE INSERT ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = NEW.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- Staff requests. The same ID returns the same result, and fails with different content.
CREATE TABLE document_requests (
  request_id TEXT PRIMARY KEY CHECK (length(request_id) BETWEEN 8 AND 64),
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER document_items_update_prevent_issued BEFORE UPDATE ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- A company's document number is assigned once, and its date lies between those of its neighbours.
CREATE UNIQUE INDEX documents_by_number ON documents (company_id, serie, number) WHERE form IS NOT NULL AND number IS NOT NULL;

CREATE TRIGGER documents_issue_check_date_order BEFORE UPDATE OF invoice_status ON documents
WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice' AND NEW.form IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'document_date') WHERE EXISTS (SELECT 1 FROM documents AS before WHERE before.company_id = NEW.company_id
      AND before.serie = NEW.serie AND before.number = NEW.number - 1 AND before.form IS NOT NULL AND before.date > NEW.date)
    OR EXISTS (SELECT 1 FROM documents AS after WHERE after.company_id = NEW.company_id
      AND after.serie = NEW.serie AND after.number = NEW.number + 1 AND after.form IS NOT NULL AND after.date < NEW.date);
END;

CREATE INDEX documents_incomplete ON documents (last_update) WHERE missing IS NOT NULL AND invoice_status = 'draft';

-- Documents issued in exchange for a simplified invoice.
CREATE INDEX documents_by_exchanged ON documents (exchanges_document_id) WHERE exchanges_document_id IS NOT NULL;

-- Last number and date of each series of a company. The row changes in the issuing batch.
CREATE TABLE number_series (
  company_id INTEGER NOT NULL,
  serie TEXT NOT NULL,
  last_number INTEGER NOT NULL CHECK (last_number >= 0),
  last_date TEXT NOT NULL CHECK (last_date IS date(last_date)),
  note TEXT,
  last_update INTEGER,
  PRIMARY KEY (company_id, serie)
) STRICT, WITHOUT ROWID;

-- Numbers have no gaps. Once a series has an issued document, only the next document changes it.
CREATE TRIGGER number_series_update_prevent_used BEFORE UPDATE OF last_update ON number_series
WHEN (NEW.last_number <> OLD.last_number OR NEW.last_date <> OLD.last_date) AND EXISTS (SELECT 1 FROM documents
  WHERE company_id = OLD.company_id AND serie = OLD.serie AND form IS NOT NULL AND number IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'series_used');
END;

CREATE TRIGGER number_series_delete_prevent_used BEFORE DELETE ON number_series WHEN EXISTS (SELECT 1 FROM documents
  WHERE company_id = OLD.company_id AND serie = OLD.serie AND form IS NOT NULL AND number IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'series_used');
END;

-- Finds unpaid documents, and documents by date.
CREATE INDEX documents_unpaid ON documents (branch_code)
  WHERE invoice_status = 'invoice' AND total_cents > 0 AND total_cents > total_paid_cents + agent_commission_prepaid_cents;

CREATE INDEX documents_by_date ON documents (date);

CREATE TRIGGER documents_update_prevent_issued BEFORE UPDATE OF id, uid, kind, company_id, branch_code, sales_channel_code, invoice_type,
  invoice_mode, invoice_status, serie, number, year, date, concept, booking_id, corrects_document_id, order_reference, customer_id,
  customer_type, customer_full_name, customer_document_id, customer_address_street, customer_address_number,
  customer_address_complement, customer_address_city, customer_address_state, customer_address_country, customer_origin_country,
  customer_address_zip, reference_detail, reference_dates, reference_agency, currency, discount_type, discount_basis_points, total_without_taxes_cents,
  discount_cents, subtotal_cents, taxes_cents, total_cents, agent_commission_prepaid_cents, created_at, form, missing,
  exchanges_document_id, tax_record_due, credit_reason, due_date ON documents
WHEN OLD.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- Issued documents whose electronic invoice must be checked, because it lacks data or wasn't checked yet.
CREATE TABLE einvoice_checks (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id),
  -- Time of the next check.
  check_at INTEGER NOT NULL,
  -- Fields that were missing at the last check.
  missing TEXT CHECK (json_valid(missing))
) STRICT;

CREATE INDEX einvoice_checks_by_time ON einvoice_checks (check_at);

-- Simplified invoices and their credit notes only get an electronic invoice if their customer has a format.
CREATE TRIGGER documents_issue_check_einvoice AFTER UPDATE OF invoice_status ON documents
WHEN NEW.invoice_status = 'invoice' AND OLD.invoice_status = 'draft' AND NEW.kind = 'invoice'
  AND coalesce((SELECT einvoice_format FROM customers WHERE id = NEW.customer_id),
    (iif(coalesce((SELECT form FROM documents WHERE id = NEW.corrects_document_id), NEW.form) = 'simplified', 'none',
      (SELECT einvoice_format FROM settings WHERE id = 1)))) <> 'none'
BEGIN
  INSERT INTO einvoice_checks (document_id, check_at) VALUES (NEW.id, NEW.last_update);
END;

-- Drafts move with a merged customer. They are few of all documents.
CREATE INDEX documents_drafts ON documents (customer_id) WHERE invoice_status = 'draft' AND customer_id IS NOT NULL;

CREATE INDEX documents_by_replacement ON documents (replaced_by_document_id) WHERE replaced_by_document_id IS NOT NULL;

-- A document is replaced only once and in full. Credited or replaced ones can't be replaced, and replaced ones can't be
-- credited.
CREATE TRIGGER documents_update_prevent_second_replacement BEFORE UPDATE OF replaced_by_document_id ON documents
BEGIN
  SELECT RAISE(ABORT, 'credit_exceeds')
  WHERE OLD.replaced_by_document_id IS NOT NULL OR OLD.form IS NOT 'simplified' OR OLD.invoice_status <> 'invoice'
    OR NOT EXISTS (SELECT 1 FROM documents AS full WHERE full.id = NEW.replaced_by_document_id AND full.form = 'full'
      AND full.invoice_status = 'invoice' AND full.company_id = OLD.company_id AND full.booking_id IS OLD.booking_id)
    OR EXISTS (SELECT 1 FROM documents AS note WHERE note.corrects_document_id = OLD.id AND note.invoice_status = 'invoice');
END;

CREATE TRIGGER documents_issue_prevent_credit_of_replaced BEFORE UPDATE OF invoice_status ON documents
WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice' AND NEW.corrects_document_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'credit_exceeds') FROM documents AS firm
  WHERE firm.id = NEW.corrects_document_id AND firm.replaced_by_document_id IS NOT NULL;
END;

CREATE INDEX documents_by_customer ON documents (customer_id) WHERE customer_id IS NOT NULL;

-- Checks the paid amount of a document that a batch was based on, so that payments at the same time don't exceed what
-- is due. Never contains rows.
CREATE TABLE paid_version_guards (
  document_id INTEGER NOT NULL,
  total_paid_cents INTEGER NOT NULL
) STRICT;

CREATE TRIGGER paid_version_guards_insert_check_version BEFORE INSERT ON paid_version_guards
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM documents WHERE id = NEW.document_id AND total_paid_cents = NEW.total_paid_cents);
  SELECT RAISE(IGNORE);
END;
