-- The life of documents and what extraction needs (document 3; decisions, section 10; decisions 0009 and 0015).

-- Names a document or a charge in the batch that writes it, before the database has given it an id; the same uid is never written twice.
ALTER TABLE documents ADD COLUMN uid TEXT;
CREATE UNIQUE INDEX documents_by_uid ON documents (uid) WHERE uid IS NOT NULL;
ALTER TABLE charges ADD COLUMN uid TEXT;
CREATE UNIQUE INDEX charges_by_uid ON charges (uid) WHERE uid IS NOT NULL;
-- The number of the activities contract that a document is about.
ALTER TABLE documents ADD COLUMN order_reference TEXT;

-- What staff asked for, once: the same id again answers what was made, with other content it is refused.
CREATE TABLE document_requests (
  request_id TEXT PRIMARY KEY CHECK (length(request_id) BETWEEN 8 AND 64),
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is firm stays as it was issued: the columns that 0006 does not name, and whatever hangs on the document.
CREATE TRIGGER documents_stay_firm_in_all BEFORE UPDATE OF id, uid, company_id, sales_channel_code, corrects_document_id, order_reference,
  customer_address_street, customer_address_number, customer_address_complement, customer_address_city, customer_address_state,
  customer_address_country, customer_address_zip, reference_detail, reference_dates, reference_agency, discount_type, discount_basis_points,
  agent_commission_prepaid_cents, created_at ON documents WHEN OLD.invoice_status = 'invoice'
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

CREATE TRIGGER document_items_are_not_added BEFORE INSERT ON document_items
WHEN (SELECT invoice_status FROM documents WHERE id = NEW.document_id) = 'invoice'
BEGIN
  SELECT RAISE(ABORT, 'document_firm');
END;
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
-- A draft is listed as soon as it is there: it may be written anew and issued, and never goes.
CREATE TRIGGER documents_never_go BEFORE DELETE ON documents
BEGIN
  SELECT RAISE(ABORT, 'document_kept');
END;
-- Money that moved has moved: a mistake is put right by its opposite. Only its document comes later, and the accounting's mark.
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

-- How many rows each list has, so that an unfiltered total reads one row.
CREATE TABLE list_totals (
  list TEXT PRIMARY KEY,
  total INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO list_totals SELECT 'bookings', count(*) FROM bookings;
INSERT INTO list_totals SELECT 'branch_groups', count(*) FROM branch_groups;
INSERT INTO list_totals SELECT 'branches', count(*) FROM branches;
INSERT INTO list_totals SELECT 'pickup_places', count(*) FROM pickup_places;
INSERT INTO list_totals SELECT 'categories', count(*) FROM categories;
INSERT INTO list_totals SELECT 'vehicles', count(*) FROM vehicles;
INSERT INTO list_totals SELECT 'customers', count(*) FROM customers;
INSERT INTO list_totals SELECT 'charges', count(*) FROM charges;
INSERT INTO list_totals SELECT kind, count(*) FROM documents GROUP BY kind;
CREATE TRIGGER bookings_count_up AFTER INSERT ON bookings
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('bookings', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER bookings_count_down AFTER DELETE ON bookings
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'bookings';
END;
CREATE TRIGGER branch_groups_count_up AFTER INSERT ON branch_groups
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('branch_groups', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER branch_groups_count_down AFTER DELETE ON branch_groups
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'branch_groups';
END;
CREATE TRIGGER branches_count_up AFTER INSERT ON branches
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('branches', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER branches_count_down AFTER DELETE ON branches
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'branches';
END;
CREATE TRIGGER pickup_places_count_up AFTER INSERT ON pickup_places
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('pickup_places', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER pickup_places_count_down AFTER DELETE ON pickup_places
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'pickup_places';
END;
CREATE TRIGGER categories_count_up AFTER INSERT ON categories
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('categories', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER categories_count_down AFTER DELETE ON categories
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'categories';
END;
CREATE TRIGGER vehicles_count_up AFTER INSERT ON vehicles
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('vehicles', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER vehicles_count_down AFTER DELETE ON vehicles
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'vehicles';
END;
CREATE TRIGGER customers_count_up AFTER INSERT ON customers
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('customers', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER customers_count_down AFTER DELETE ON customers
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'customers';
END;
CREATE TRIGGER charges_count_up AFTER INSERT ON charges
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('charges', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER charges_count_down AFTER DELETE ON charges
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'charges';
END;
CREATE TRIGGER documents_count_up AFTER INSERT ON documents
BEGIN
  INSERT INTO list_totals (list, total) VALUES (NEW.kind, 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER documents_count_down AFTER DELETE ON documents
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = OLD.kind;
END;

-- Incremental extraction: whatever an answer would show moves its last_update. A change that does not say when it was made, by the
-- database's own clock.
CREATE TRIGGER bookings_move AFTER UPDATE ON bookings WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move AFTER UPDATE ON branch_groups WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE branch_groups SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move AFTER UPDATE ON branches WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE branches SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER pickup_places_move AFTER UPDATE ON pickup_places WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE pickup_places SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER categories_move AFTER UPDATE ON categories WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE categories SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER vehicles_move AFTER UPDATE ON vehicles WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER customers_move AFTER UPDATE ON customers WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE customers SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER charges_move AFTER UPDATE ON charges WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE charges SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER documents_move AFTER UPDATE ON documents WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;

-- A charge is shown in its contract and in its document; a document's number and marks in its charges.
CREATE TRIGGER charges_move_booking AFTER INSERT ON charges WHEN NEW.booking_id IS NOT NULL
BEGIN
  UPDATE bookings SET last_update = NEW.last_update WHERE id = NEW.booking_id AND last_update < NEW.last_update;
END;
CREATE TRIGGER charges_move_document AFTER INSERT ON charges WHEN NEW.document_id IS NOT NULL
BEGIN
  UPDATE documents SET last_update = NEW.last_update WHERE id = NEW.document_id AND last_update < NEW.last_update;
END;
CREATE TRIGGER charges_linked_move_document AFTER UPDATE OF document_id ON charges WHEN NEW.document_id IS NOT NULL
BEGIN
  UPDATE documents SET last_update = NEW.last_update WHERE id = NEW.document_id AND last_update < NEW.last_update;
END;
CREATE TRIGGER documents_move_charges AFTER UPDATE OF invoice_status, serie, number, accounting_processed, customer_full_name, customer_document_id ON documents
BEGIN
  UPDATE charges SET last_update = NEW.last_update WHERE document_id = NEW.id AND last_update < NEW.last_update;
END;
CREATE TRIGGER bookings_move_charges AFTER UPDATE OF customer_name, customer_surname, customer_document_id ON bookings
BEGIN
  UPDATE charges SET last_update = NEW.last_update WHERE booking_id = NEW.id AND last_update < NEW.last_update;
END;

-- A contract shows its lines, its extras, its vehicles and their plates.
CREATE TRIGGER booking_lines_update_moves_booking AFTER UPDATE ON booking_lines
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_lines_delete_moves_booking AFTER DELETE ON booking_lines
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = OLD.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_extras_update_moves_booking AFTER UPDATE ON booking_extras
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_extras_delete_moves_booking AFTER DELETE ON booking_extras
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = OLD.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_units_move_booking AFTER UPDATE OF vehicle_reference ON booking_units WHEN NEW.vehicle_reference IS NOT OLD.vehicle_reference
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER vehicles_move_bookings AFTER UPDATE OF plate ON vehicles WHEN NEW.plate IS NOT OLD.plate
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id IN (SELECT booking_id FROM booking_units WHERE vehicle_reference = NEW.reference) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;

-- Names of others that an answer repeats, and the codes by which an ERP knows a branch.
CREATE TRIGGER classifiers_move_branch_groups AFTER UPDATE OF name ON classifiers
BEGIN
  UPDATE branch_groups SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE classifier_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER classifiers_move_branches AFTER UPDATE OF name ON classifiers
BEGIN
  UPDATE branches SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE classifier_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER classifiers_move_pickup_places AFTER UPDATE OF name ON classifiers
BEGIN
  UPDATE pickup_places SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE classifier_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER families_move_categories AFTER UPDATE OF name ON families
BEGIN
  UPDATE categories SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE family_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move_documents AFTER UPDATE OF external_code, branch_group_id ON branches
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE kind IN ('invoice', 'internal_bond') AND branch_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move_documents AFTER UPDATE OF external_code ON branch_groups WHEN NEW.external_code IS NOT OLD.external_code
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE kind IN ('invoice', 'internal_bond') AND branch_code IN (SELECT code FROM branches WHERE branch_group_id = NEW.id) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER categories_move_vehicles AFTER UPDATE OF name ON categories WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE category_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move_vehicles AFTER UPDATE OF name ON branch_groups WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (branch_group_id = NEW.id OR owner_branch_group_id = NEW.id) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move_bookings AFTER UPDATE OF name ON branch_groups WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (branch_group_id = NEW.id) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move_vehicles AFTER UPDATE OF name ON branches WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (branch_code = NEW.code) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move_bookings AFTER UPDATE OF name ON branches WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (branch_code = NEW.code OR return_branch_code = NEW.code) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER sales_channels_move_bookings AFTER UPDATE OF name ON sales_channels WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE sales_channel_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER agencies_move_bookings AFTER UPDATE OF name ON agencies WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE agency_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER agents_move_bookings AFTER UPDATE OF name ON agents WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE agent_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;

-- Extraction by a branch, with the order of the ids inside.
CREATE INDEX bookings_by_location ON bookings (branch_code);
CREATE INDEX bookings_by_storage ON bookings (branch_group_id);
-- The money of a contract, without the deposits that only passed through.
CREATE INDEX charges_of_booking ON charges (booking_id) WHERE virtual = 0;
CREATE INDEX charges_by_location ON charges (branch_code);
CREATE INDEX documents_by_location ON documents (kind, branch_code);
