-- Who a branch's papers were issued by before what is said of its company was changed: they are printed as they were issued. Which papers: up to the last
-- number of each serie then, and money that came before the moment.
CREATE TABLE earlier_issuers (
  id INTEGER PRIMARY KEY,
  branch_code TEXT NOT NULL,
  company_name TEXT,
  document_id TEXT,
  commercial_register TEXT,
  street TEXT,
  zip TEXT,
  city TEXT,
  state TEXT,
  tax_territory TEXT NOT NULL,
  last_numbers TEXT NOT NULL CHECK (json_type(last_numbers) = 'array'), -- company_id, serie, number
  until INTEGER NOT NULL -- epoch ms
) STRICT;
CREATE INDEX earlier_issuers_by_branch ON earlier_issuers (branch_code);

-- What was not said before is filled in, on earlier papers too: only what was said otherwise is kept.
CREATE TRIGGER branches_leave_their_issuer
AFTER UPDATE OF company_name, document_id, commercial_register, address_street_address, address_zip, address_city, address_state, tax_territory ON branches
WHEN (NEW.company_name IS NOT OLD.company_name AND OLD.company_name IS NOT NULL OR NEW.document_id IS NOT OLD.document_id AND OLD.document_id IS NOT NULL
    OR NEW.commercial_register IS NOT OLD.commercial_register AND OLD.commercial_register IS NOT NULL
    OR NEW.address_street_address IS NOT OLD.address_street_address AND OLD.address_street_address IS NOT NULL
    OR NEW.address_zip IS NOT OLD.address_zip AND OLD.address_zip IS NOT NULL OR NEW.address_city IS NOT OLD.address_city AND OLD.address_city IS NOT NULL
    OR NEW.address_state IS NOT OLD.address_state AND OLD.address_state IS NOT NULL OR NEW.tax_territory IS NOT OLD.tax_territory)
  AND EXISTS (SELECT 1 FROM charges UNION ALL SELECT 1 FROM number_series WHERE last_number > 0)
BEGIN
  INSERT INTO earlier_issuers (branch_code, company_name, document_id, commercial_register, street, zip, city, state, tax_territory, last_numbers, until)
  VALUES (OLD.code, OLD.company_name, OLD.document_id, OLD.commercial_register, OLD.address_street_address, OLD.address_zip, OLD.address_city, OLD.address_state, OLD.tax_territory,
    (SELECT json_group_array(json_object('company_id', company_id, 'serie', serie, 'number', last_number)) FROM number_series),
    CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;
