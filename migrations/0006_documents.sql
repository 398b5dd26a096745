-- Invoices, internal bonds, charges (document 3) and fleet expenses (document 1).

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

CREATE TABLE charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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

-- What is firm stays as it was issued; only payment and the accounting's own marks move on.
CREATE TRIGGER documents_stay_firm BEFORE UPDATE OF kind, branch_code, invoice_type, invoice_mode, invoice_status, serie, number, year, date,
  concept, booking_id, customer_id, customer_type, customer_full_name, customer_document_id, currency, total_without_taxes_cents, discount_cents,
  subtotal_cents, taxes_cents, total_cents ON documents WHEN OLD.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
CREATE TRIGGER documents_are_not_deleted BEFORE DELETE ON documents WHEN OLD.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
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

CREATE TABLE expense_accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;

CREATE TABLE expense_concepts (
  id INTEGER PRIMARY KEY,
  expense_account_id INTEGER NOT NULL REFERENCES expense_accounts (id),
  name TEXT NOT NULL
) STRICT;

CREATE TABLE expenses (
  id INTEGER PRIMARY KEY,
  vehicle_reference TEXT NOT NULL REFERENCES vehicles (reference),
  expense_concept_id INTEGER NOT NULL REFERENCES expense_concepts (id),
  date TEXT NOT NULL CHECK (date IS date(date)),
  description TEXT NOT NULL DEFAULT '',
  reference TEXT,
  branch_code TEXT NOT NULL REFERENCES branches (code),
  branch_group_id INTEGER NOT NULL REFERENCES branch_groups (id),
  total_without_taxes_cents INTEGER NOT NULL,
  discount_cents INTEGER NOT NULL DEFAULT 0 CHECK (discount_cents >= 0),
  subtotal_cents INTEGER NOT NULL CHECK (subtotal_cents = total_without_taxes_cents - discount_cents),
  taxes_cents INTEGER NOT NULL,
  total_cents INTEGER NOT NULL CHECK (total_cents = subtotal_cents + taxes_cents)
) STRICT;
CREATE INDEX expenses_by_date ON expenses (date, id);
