-- Which documents had to have a tax record when they were issued, so that one without is found; and why a credit note was
-- made, which decides its kind (docs/interfaces/verifactu.md).
ALTER TABLE documents ADD COLUMN tax_record_due INTEGER NOT NULL DEFAULT 0 CHECK (tax_record_due IN (0, 1));
ALTER TABLE documents ADD COLUMN credit_reason TEXT
  CHECK (credit_reason IS NULL OR (credit_reason IN ('correction', 'insolvency', 'bad_debt', 'other') AND corrects_document_id IS NOT NULL));
UPDATE documents SET tax_record_due = 1 WHERE id IN (SELECT document_id FROM tax_records);

-- What the last look through the chain of tax records found wrong with it: how much, and the first of it as JSON.
ALTER TABLE upkeep ADD COLUMN tax_record_faults INTEGER NOT NULL DEFAULT 0;
ALTER TABLE upkeep ADD COLUMN tax_record_fault TEXT CHECK (json_valid(tax_record_fault));

-- Both stay as the document was issued.
DROP TRIGGER documents_stay_firm;
CREATE TRIGGER documents_stay_firm BEFORE UPDATE OF id, uid, kind, company_id, branch_code, sales_channel_code, invoice_type,
  invoice_mode, invoice_status, serie, number, year, date, concept, booking_id, corrects_document_id, order_reference, customer_id,
  customer_type, customer_full_name, customer_document_id, customer_address_street, customer_address_number,
  customer_address_complement, customer_address_city, customer_address_state, customer_address_country, customer_address_zip,
  reference_detail, reference_dates, reference_agency, currency, discount_type, discount_basis_points, total_without_taxes_cents,
  discount_cents, subtotal_cents, taxes_cents, total_cents, agent_commission_prepaid_cents, created_at, form, missing,
  exchanges_document_id, tax_record_due, credit_reason ON documents
WHEN OLD.invoice_status = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
