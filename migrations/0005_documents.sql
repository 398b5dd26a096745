-- Invoices, credit notes and internal bonds.

-- The last number given in a series. Numbers have no gaps because the row moves in the batch that issues.
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
  uid TEXT, -- names it in the batch that writes it, before it has an id; never the same twice
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'internal_bond')),
  company_id INTEGER NOT NULL DEFAULT 1,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  invoice_type TEXT NOT NULL DEFAULT 'invoice' CHECK (invoice_type IN ('invoice', 'payment')),
  invoice_mode TEXT NOT NULL CHECK (invoice_mode IN ('default', 'reservation_retainer', 'reservation_breakdown', 'reservation_extra')),
  invoice_status TEXT NOT NULL DEFAULT 'draft' CHECK (invoice_status IN ('draft', 'invoice')),
  serie TEXT, number INTEGER, year INTEGER,
  date TEXT CHECK (date IS date(date)),
  concept TEXT NOT NULL,
  booking_id INTEGER REFERENCES bookings (id),
  order_reference TEXT, -- the number of the activities contract that it is about
  corrects_document_id INTEGER REFERENCES documents (id),
  customer_id INTEGER REFERENCES customers (id),
  customer_type TEXT NOT NULL CHECK (customer_type IN ('individual', 'legal_entity', 'internal_department', 'legal_entity_group_company')),
  customer_full_name TEXT NOT NULL, customer_document_id TEXT,
  customer_address_street TEXT, customer_address_number TEXT, customer_address_complement TEXT, customer_address_city TEXT,
  customer_address_state TEXT, customer_address_country TEXT, customer_address_zip TEXT,
  reference_detail TEXT, reference_dates TEXT, reference_agency TEXT,
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

-- What is firm stays as it was issued; only payment and the accounting's own marks move on.
CREATE TRIGGER documents_stay_firm BEFORE UPDATE OF id, uid, kind, company_id, branch_code, sales_channel_code, invoice_type,
  invoice_mode, invoice_status, serie, number, year, date, concept, booking_id, corrects_document_id, order_reference, customer_id,
  customer_type, customer_full_name, customer_document_id, customer_address_street, customer_address_number,
  customer_address_complement, customer_address_city, customer_address_state, customer_address_country, customer_address_zip,
  reference_detail, reference_dates, reference_agency, currency, discount_type, discount_basis_points, total_without_taxes_cents,
  discount_cents, subtotal_cents, taxes_cents, total_cents, agent_commission_prepaid_cents, created_at ON documents
WHEN OLD.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- A document becomes firm when all of it is there and adds up; so an item of a firm document can only be one too many.
CREATE TRIGGER documents_add_up BEFORE UPDATE OF invoice_status ON documents WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice'
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
    OR (NEW.kind = 'internal_bond' AND (NEW.taxes_cents <> 0 OR EXISTS (SELECT 1 FROM document_taxes WHERE document_id = NEW.id)));
END;

-- Whoever credits at once: credit notes never take back more than their invoice.
CREATE INDEX documents_by_corrected ON documents (corrects_document_id) WHERE corrects_document_id IS NOT NULL;
CREATE TRIGGER documents_credit_no_more_than_all BEFORE UPDATE OF invoice_status ON documents
WHEN OLD.invoice_status = 'draft' AND NEW.invoice_status = 'invoice' AND NEW.corrects_document_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'credit_exceeds')
  WHERE abs(NEW.total_cents + (SELECT coalesce(sum(total_cents), 0) FROM documents
      WHERE corrects_document_id = NEW.corrects_document_id AND invoice_status = 'invoice'))
    > abs((SELECT total_cents FROM documents WHERE id = NEW.corrects_document_id));
END;
CREATE TRIGGER documents_begin_as_drafts BEFORE INSERT ON documents WHEN NEW.invoice_status <> 'draft'
BEGIN
  SELECT RAISE(ABORT, 'document_begins_as_draft');
END;

-- A draft is listed as soon as it is there: it may be written anew and issued, and never goes.
CREATE TRIGGER documents_never_go BEFORE DELETE ON documents
BEGIN
  SELECT RAISE(ABORT, 'document_kept');
END;
CREATE INDEX documents_by_branch ON documents (kind, branch_code);

-- What a person has to look at, found without reading what is in order.
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
CREATE TRIGGER document_taxes_are_not_added BEFORE INSERT ON document_taxes
WHEN (SELECT invoice_status FROM documents WHERE id = NEW.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
CREATE TRIGGER document_taxes_stay_firm BEFORE UPDATE ON document_taxes
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
CREATE TRIGGER document_taxes_are_not_deleted BEFORE DELETE ON document_taxes
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
  external_code TEXT
) STRICT;
CREATE INDEX document_items_by_document ON document_items (document_id);
CREATE TRIGGER document_items_stay_firm BEFORE UPDATE ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
CREATE TRIGGER document_items_are_not_deleted BEFORE DELETE ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = OLD.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
CREATE TRIGGER document_items_are_not_added BEFORE INSERT ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = NEW.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;

-- What staff asked for, once: the same id again answers what was made, with other content it is refused.
CREATE TABLE document_requests (
  request_id TEXT PRIMARY KEY CHECK (length(request_id) BETWEEN 8 AND 64),
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
