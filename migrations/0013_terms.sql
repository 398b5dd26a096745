-- On what terms an account sells: holds of who pays at once, channels, selling rules, one-way fees, excess reductions.

-- How long what a visitor is about to pay is held, instead of hold_minutes.
ALTER TABLE settings ADD COLUMN payment_hold_minutes INTEGER NOT NULL DEFAULT 30 CHECK (payment_hold_minutes > 0);

-- Whether anybody may name the channel; else only those whose own it is. Those of no agency were everybody's so far.
ALTER TABLE sales_channels ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1));
UPDATE sales_channels SET is_public = 1
WHERE code NOT IN (SELECT sales_channel_code FROM agencies WHERE sales_channel_code IS NOT NULL);

-- How soon and how far ahead anybody may book.
ALTER TABLE settings ADD COLUMN minimum_notice_minutes INTEGER NOT NULL DEFAULT 60 CHECK (minimum_notice_minutes >= 0);
ALTER TABLE settings ADD COLUMN horizon_days INTEGER NOT NULL DEFAULT 730 CHECK (horizon_days > 0);
-- Whether out-of-hours work is taken on a closed day: else it has no pickup.
ALTER TABLE closed_dates ADD COLUMN out_of_hours INTEGER NOT NULL DEFAULT 0 CHECK (out_of_hours IN (0, 1));

-- What is sold when: of the rules that hold for a category, branch, season and channel, the most particular one that says
-- something of it. Weekdays from Monday = 1; what is NULL says nothing. Stop-sales add up.
CREATE TABLE selling_rules (
  id INTEGER PRIMARY KEY,
  category_code TEXT REFERENCES categories (code),
  branch_code TEXT REFERENCES branches (code),
  season_id INTEGER REFERENCES seasons (id),
  sales_channel_code TEXT REFERENCES sales_channels (code),
  minimum_days INTEGER CHECK (minimum_days >= 1),
  maximum_days INTEGER CHECK (maximum_days >= 1),
  minimum_notice_minutes INTEGER CHECK (minimum_notice_minutes >= 0),
  horizon_days INTEGER CHECK (horizon_days > 0),
  stop_sale_from TEXT CHECK (stop_sale_from IS date(stop_sale_from)),
  stop_sale_to TEXT CHECK (stop_sale_to IS date(stop_sale_to)),
  no_pickup_weekdays TEXT CHECK (json_valid(no_pickup_weekdays)),
  no_return_weekdays TEXT CHECK (json_valid(no_return_weekdays)),
  no_pickup_dates TEXT CHECK (json_valid(no_pickup_dates)),
  no_return_dates TEXT CHECK (json_valid(no_return_dates)),
  CHECK ((stop_sale_from IS NULL) = (stop_sale_to IS NULL) AND stop_sale_from <= stop_sale_to)
) STRICT;

-- What a return elsewhere costs, each way its own: of the pair of places, else of branches, else of branch groups.
CREATE TABLE one_way_fees (
  id INTEGER PRIMARY KEY,
  pickup_place_id INTEGER REFERENCES pickup_places (id),
  return_place_id INTEGER REFERENCES pickup_places (id),
  branch_code TEXT REFERENCES branches (code),
  return_branch_code TEXT REFERENCES branches (code),
  branch_group_id INTEGER REFERENCES branch_groups (id),
  return_branch_group_id INTEGER REFERENCES branch_groups (id),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  CHECK ((pickup_place_id IS NULL) = (return_place_id IS NULL)),
  CHECK ((branch_code IS NULL) = (return_branch_code IS NULL)),
  CHECK ((branch_group_id IS NULL) = (return_branch_group_id IS NULL)),
  CHECK ((pickup_place_id IS NOT NULL) + (branch_code IS NOT NULL) + (branch_group_id IS NOT NULL) = 1)
) STRICT;
CREATE UNIQUE INDEX one_way_fees_once ON one_way_fees (coalesce(pickup_place_id, 0), coalesce(return_place_id, 0),
  coalesce(branch_code, ''), coalesce(return_branch_code, ''), coalesce(branch_group_id, 0), coalesce(return_branch_group_id, 0));

-- Of what max_quantity is the most, and what an extra does to deposit and guarantee: off a share (basis points), or down to an amount.
ALTER TABLE extras ADD COLUMN limit_per TEXT NOT NULL DEFAULT 'booking' CHECK (limit_per IN ('booking', 'vehicle'));
ALTER TABLE extras ADD COLUMN excess_reduction_type TEXT CHECK (excess_reduction_type IN ('percentage', 'amount'));
ALTER TABLE extras ADD COLUMN deposit_reduction_value INTEGER CHECK (deposit_reduction_value >= 0);
ALTER TABLE extras ADD COLUMN guarantee_reduction_value INTEGER CHECK (guarantee_reduction_value >= 0);
CREATE TRIGGER selling_rules_insert_moves_catalogue AFTER INSERT ON selling_rules
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER selling_rules_update_moves_catalogue AFTER UPDATE ON selling_rules
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER selling_rules_delete_moves_catalogue AFTER DELETE ON selling_rules
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER one_way_fees_insert_moves_catalogue AFTER INSERT ON one_way_fees
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER one_way_fees_update_moves_catalogue AFTER UPDATE ON one_way_fees
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER one_way_fees_delete_moves_catalogue AFTER DELETE ON one_way_fees
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
