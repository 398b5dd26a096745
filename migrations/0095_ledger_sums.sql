-- What a contract earned of a vehicle counts under all customers and under its own kind of them. The two came out of
-- JSON, which read a row for each, twice an entry.
DROP TRIGGER ledger_entries_add_product;
CREATE TRIGGER ledger_entries_add_product AFTER INSERT ON ledger_entries WHEN NEW.kind = 'product'
BEGIN
  INSERT INTO ledger_products (year, customer_class, reference, month, cents, cents_without_taxes, days, rented_a, rented_b, rented_c, rented_d, contracts, usage_units)
  SELECT NEW.year, class.value, NEW.code, NEW.month, NEW.cents, NEW.cents_without_taxes, NEW.days, NEW.rented_a, NEW.rented_b, NEW.rented_c, NEW.rented_d,
    NEW.contracts, NEW.usage_units
  FROM (SELECT 'all' AS value UNION ALL SELECT NEW.customer_class WHERE NEW.customer_class <> 'other') AS class WHERE true
  ON CONFLICT (year, customer_class, reference, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes, days = days + excluded.days, rented_a = rented_a + excluded.rented_a,
    rented_b = rented_b + excluded.rented_b, rented_c = rented_c + excluded.rented_c, rented_d = rented_d + excluded.rented_d, contracts = contracts + excluded.contracts,
    usage_units = usage_units + excluded.usage_units;
END;
DROP TRIGGER ledger_entries_add_branch_product;
CREATE TRIGGER ledger_entries_add_branch_product AFTER INSERT ON ledger_entries WHEN NEW.kind = 'product'
BEGIN
  INSERT INTO ledger_branch_products (year, customer_class, branch_code, reference, month, cents, cents_without_taxes, days, contracts, usage_units)
  SELECT NEW.year, class.value, NEW.branch_code, NEW.code, NEW.month, NEW.cents, NEW.cents_without_taxes, NEW.days, NEW.contracts, NEW.usage_units
  FROM (SELECT 'all' AS value UNION ALL SELECT NEW.customer_class WHERE NEW.customer_class <> 'other') AS class WHERE true
  ON CONFLICT (year, customer_class, branch_code, reference, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes, days = days + excluded.days, contracts = contracts + excluded.contracts,
    usage_units = usage_units + excluded.usage_units;
END;
