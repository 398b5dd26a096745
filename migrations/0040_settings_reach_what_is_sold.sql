-- What the account says of its units reaches what is sold already, in the change that says it (docs/interfaces/rules.md#units): rentals and trips
-- keep their right and take from then on as long as a new one would. Where that is more than there is, it waits for a person as a shortage.

-- Rows are replaced and not changed, but for their end, which is what the settings make of a return that stays.
DROP TRIGGER stock_allocations_are_replaced_not_changed;
CREATE TRIGGER stock_allocations_are_replaced_not_changed BEFORE UPDATE OF kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes ON stock_allocations
WHEN (NEW.kind, NEW.code, NEW.branch_group_id, NEW.starts_at) IS NOT (OLD.kind, OLD.code, OLD.branch_group_id, OLD.starts_at)
  OR ((NEW.ends_at, NEW.preparation_minutes) IS NOT (OLD.ends_at, OLD.preparation_minutes)
    AND (OLD.kind = 'transfer' AND NEW.ends_at - NEW.preparation_minutes <> OLD.ends_at - OLD.preparation_minutes
      OR NOT EXISTS (SELECT 1 FROM booking_allocations AS taken WHERE taken.booking_id = OLD.booking_id AND taken.kind = OLD.kind AND taken.code = OLD.code
        AND taken.branch_group_id = OLD.branch_group_id AND taken.starts_at = OLD.starts_at AND taken.returns_at IS OLD.returns_at
        AND taken.ends_at = NEW.ends_at AND taken.preparation_minutes = NEW.preparation_minutes)))
  OR NEW.quantity NOT BETWEEN min(0, OLD.quantity) AND max(0, OLD.quantity)
  OR abs(NEW.quantity - OLD.quantity) > (SELECT abs(total(quantity)) FROM stock_allocations
      WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
    - (SELECT abs(total(quantity)) FROM booking_allocations
      WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
BEGIN
  SELECT RAISE(ABORT, 'stock_allocations_are_replaced');
END;

-- Whoever inserts here lets all that living rentals take end as the settings say now, and what stays come to where it stays.
CREATE VIEW rental_ends AS SELECT NULL AS anew;
CREATE TRIGGER rental_ends_follow INSTEAD OF INSERT ON rental_ends
BEGIN
  UPDATE stock_allocations SET (preparation_minutes, ends_at) = (
    SELECT rental.preparation_minutes, CASE WHEN rental.stays AND stock_allocations.kind = 'category' THEN 9007199254740991
      ELSE rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes END
    FROM rental_stretches AS rental WHERE rental.booking_id = stock_allocations.booking_id)
  WHERE kind <> 'transfer' AND quantity > 0 AND booking_id IN (SELECT booking_id FROM rental_stretches);
  DELETE FROM stock_allocations WHERE quantity < 0;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT rental.booking_id, 'category', line.category_code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes, 9007199254740991,
    rental.preparation_minutes, rental.returns_at, rental.is_out,
    sum((SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL) - line.quantity) AS change,
    rental.expires_at, rental.last_update
  FROM (SELECT DISTINCT booking_id AS id FROM stock_allocations WHERE kind = 'category') AS living
    JOIN rental_stretches AS rental ON rental.booking_id = living.id JOIN booking_lines AS line ON line.booking_id = living.id
  WHERE rental.stays AND rental.status IN ('confirmed', 'in_progress')
  GROUP BY rental.booking_id, line.category_code HAVING change < 0;
END;

CREATE TRIGGER settings_reach_rentals AFTER UPDATE OF preparation_minutes, one_way_mode, repatriation_days ON settings
WHEN (NEW.preparation_minutes, NEW.one_way_mode, NEW.repatriation_days) IS NOT (OLD.preparation_minutes, OLD.one_way_mode, OLD.repatriation_days)
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;
CREATE TRIGGER repatriations_insert_reaches_rentals AFTER INSERT ON repatriations
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;
CREATE TRIGGER repatriations_update_reaches_rentals AFTER UPDATE ON repatriations
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;
CREATE TRIGGER repatriations_delete_reaches_rentals AFTER DELETE ON repatriations
BEGIN
  INSERT INTO rental_ends (anew) VALUES (1);
END;
CREATE TRIGGER transfer_vehicles_reach_trips AFTER UPDATE OF preparation_minutes ON transfer_vehicles WHEN NEW.preparation_minutes <> OLD.preparation_minutes
BEGIN
  UPDATE stock_allocations SET ends_at = ends_at - preparation_minutes + NEW.preparation_minutes, preparation_minutes = NEW.preparation_minutes
  WHERE kind = 'transfer' AND code = CAST(NEW.id AS TEXT);
END;

-- What settings were changed before and reached nobody.
INSERT INTO rental_ends (anew) VALUES (1);
UPDATE stock_allocations SET preparation_minutes = vehicle.preparation_minutes,
  ends_at = stock_allocations.ends_at - stock_allocations.preparation_minutes + vehicle.preparation_minutes
FROM transfer_vehicles AS vehicle
WHERE stock_allocations.kind = 'transfer' AND stock_allocations.code = CAST(vehicle.id AS TEXT) AND stock_allocations.preparation_minutes <> vehicle.preparation_minutes;

-- Drafts go with a customer who is merged: few of all papers.
CREATE INDEX documents_drafts ON documents (customer_id) WHERE invoice_status = 'draft' AND customer_id IS NOT NULL;
