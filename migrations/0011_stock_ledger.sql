-- What a vehicle earned in each branch's contracts (docs/interfaces/analytics.md#figures): history never moves with the car. The sums over all
-- branches stay in ledger_products, so that the whole fleet is read without them.
CREATE TABLE ledger_branch_products (
  year INTEGER NOT NULL,
  customer_class TEXT NOT NULL CHECK (customer_class IN ('all', 'individual', 'legal_entity')),
  branch_code TEXT NOT NULL,
  reference TEXT NOT NULL,
  month INTEGER NOT NULL,
  cents INTEGER NOT NULL DEFAULT 0,
  cents_without_taxes INTEGER NOT NULL DEFAULT 0,
  days INTEGER NOT NULL DEFAULT 0,
  contracts INTEGER NOT NULL DEFAULT 0,
  usage_units INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (year, customer_class, branch_code, reference, month)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_branch_products_by_vehicle ON ledger_branch_products (year, customer_class, reference, month, branch_code, days);
INSERT INTO ledger_branch_products (year, customer_class, branch_code, reference, month, cents, cents_without_taxes, days, contracts, usage_units)
SELECT entry.year, class.value, entry.branch_code, entry.code, entry.month, sum(entry.cents), sum(entry.cents_without_taxes), sum(entry.days),
  sum(entry.contracts), sum(entry.usage_units)
FROM ledger_entries AS entry, json_each(CASE entry.customer_class WHEN 'other' THEN '["all"]' ELSE json_array('all', entry.customer_class) END) AS class
WHERE entry.kind = 'product' GROUP BY 1, 2, 3, 4, 5;
CREATE TRIGGER ledger_entries_add_branch_product AFTER INSERT ON ledger_entries WHEN NEW.kind = 'product'
BEGIN
  INSERT INTO ledger_branch_products (year, customer_class, branch_code, reference, month, cents, cents_without_taxes, days, contracts, usage_units)
  SELECT NEW.year, class.value, NEW.branch_code, NEW.code, NEW.month, NEW.cents, NEW.cents_without_taxes, NEW.days, NEW.contracts, NEW.usage_units
  FROM json_each(CASE NEW.customer_class WHEN 'other' THEN '["all"]' ELSE json_array('all', NEW.customer_class) END) AS class WHERE true
  ON CONFLICT (year, customer_class, branch_code, reference, month) DO UPDATE SET cents = cents + excluded.cents,
    cents_without_taxes = cents_without_taxes + excluded.cents_without_taxes, days = days + excluded.days, contracts = contracts + excluded.contracts,
    usage_units = usage_units + excluded.usage_units;
END;
CREATE TRIGGER ledger_entries_subtract_branch_product AFTER DELETE ON ledger_entries WHEN OLD.kind = 'product'
BEGIN
  UPDATE ledger_branch_products SET cents = cents - OLD.cents, cents_without_taxes = cents_without_taxes - OLD.cents_without_taxes, days = days - OLD.days,
    contracts = contracts - OLD.contracts, usage_units = usage_units - OLD.usage_units
  WHERE year = OLD.year AND branch_code = OLD.branch_code AND reference = OLD.code AND month = OLD.month AND customer_class IN ('all', OLD.customer_class);
END;
