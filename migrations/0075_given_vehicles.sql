-- What went out instead, of another category or from another branch group, is missing where it belongs until it is back: a row of the contract beside those of
-- what was agreed, which stay. As it goes out it asks no guard; what the contract takes later, when it is extended, does.
ALTER TABLE stock_allocations ADD COLUMN given INTEGER NOT NULL DEFAULT 0 CHECK (given IN (0, 1) AND (given = 0 OR kind = 'category'));

CREATE INDEX stock_allocations_given ON stock_allocations (booking_id) WHERE given;

CREATE VIEW given_vehicles AS
SELECT given.booking_id, vehicle.category_code AS code, vehicle.branch_group_id, min(given.at) AS starts_at,
  max(CASE WHEN vehicle.branch_group_id = rental.return_branch_group_id THEN rental.returns_at + rental.preparation_minutes
      WHEN rental.stays THEN 9007199254740991
      ELSE rental.returns_at + rental.preparation_minutes + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3) END,
    max(given.at) + rental.preparation_minutes + 1) AS ends_at,
  rental.preparation_minutes, rental.returns_at, rental.is_out, count(*) AS quantity, rental.last_update
FROM (
    SELECT unit.booking_id, unit.booking_line_id, unit.vehicle_reference, unit.delivered_at / 60000
      + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= unit.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at
    FROM booking_units AS unit WHERE unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL
  ) AS given JOIN booking_lines AS line ON line.id = given.booking_line_id JOIN vehicles AS vehicle ON vehicle.reference = given.vehicle_reference
  JOIN rental_stretches AS rental ON rental.booking_id = given.booking_id
  LEFT JOIN repatriations AS home ON home.branch_group_id = vehicle.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id
WHERE rental.status = 'in_progress' AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> rental.branch_group_id)
GROUP BY given.booking_id, vehicle.category_code, vehicle.branch_group_id;

-- Trips have a guard of their own by now.
DROP TRIGGER stock_allocations_never_exceed_stock;
CREATE TRIGGER stock_allocations_never_exceed_stock BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0 AND NEW.kind <> 'transfer'
  AND NOT (NEW.given AND NOT EXISTS (SELECT 1 FROM stock_allocations
    WHERE booking_id = NEW.booking_id AND expires_at = 0 AND given AND code = NEW.code AND branch_group_id = NEW.branch_group_id))
BEGIN
  SELECT RAISE(ABORT, 'sold_out ' || NEW.kind || ' ' || NEW.code)
  FROM (
    SELECT max(NEW.starts_at, coalesce((SELECT CASE WHEN sum(quantity) >= NEW.quantity THEN min(ends_at) END FROM stock_allocations
        WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code AND branch_group_id = NEW.branch_group_id
          AND given = NEW.given AND starts_at <= NEW.starts_at), NEW.starts_at)) AS starts_at,
      NEW.allocated_at / 60000
        + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.allocated_at ORDER BY from_at DESC LIMIT 1), 0) AS now,
      coalesce((SELECT overdue_minutes FROM settings WHERE id = 1), 240) AS overdue
  ) AS asked
  WHERE asked.starts_at < NEW.ends_at AND NOT (NEW.kind = 'category' AND NEW.is_out AND NEW.ends_at <= asked.now)
    AND (NEW.kind = 'category' OR EXISTS (SELECT 1 FROM extra_stocks WHERE extra_code = NEW.code))
    AND NEW.quantity + (
      SELECT max(taken) FROM (
        SELECT sum(change) OVER (ORDER BY moment, change ROWS UNBOUNDED PRECEDING) AS taken FROM (
          SELECT asked.starts_at AS moment, 0 AS change
          UNION ALL
          SELECT CASE edge.value WHEN 1 THEN max(starts_at, asked.starts_at) ELSE ends_at END, quantity * edge.value
          FROM (
            SELECT CASE WHEN quantity < 0 AND is_out AND returns_at < asked.now THEN asked.now + asked.overdue + starts_at - returns_at ELSE starts_at END AS starts_at,
              CASE WHEN quantity > 0 AND is_out AND returns_at < asked.now THEN asked.now + asked.overdue + ends_at - returns_at ELSE ends_at END AS ends_at,
              quantity
            FROM stock_allocations
            WHERE branch_group_id = NEW.branch_group_id AND kind = NEW.kind AND code = NEW.code AND starts_at < NEW.ends_at
              AND (ends_at > asked.starts_at OR is_out) AND (expires_at IS NULL OR expires_at > NEW.allocated_at)
            UNION ALL
            SELECT max(starts_at, coalesce(max(ends_at) OVER (PARTITION BY reference ORDER BY starts_at, ends_at
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), starts_at)), min(ends_at, NEW.ends_at - NEW.preparation_minutes), 1
            FROM (
              SELECT vehicle.reference, block.starts_at, block.ends_at
              FROM vehicles AS vehicle JOIN vehicle_blocks AS block ON block.vehicle_reference = vehicle.reference
              WHERE NEW.kind = 'category' AND vehicle.branch_group_id = NEW.branch_group_id AND vehicle.category_code = NEW.code
                AND vehicle.active = 1 AND vehicle.assignable = 1
                AND (vehicle.sold_release_date IS NULL OR unixepoch(vehicle.sold_release_date) / 60 > asked.starts_at)
                AND block.ends_at > asked.starts_at AND block.starts_at < NEW.ends_at - NEW.preparation_minutes
              UNION ALL
              SELECT reference, unixepoch(sold_release_date) / 60, 9007199254740991 FROM vehicles
              WHERE NEW.kind = 'category' AND branch_group_id = NEW.branch_group_id AND category_code = NEW.code AND active = 1 AND assignable = 1
                AND sold_release_date IS NOT NULL AND unixepoch(sold_release_date) / 60 > asked.starts_at
                AND unixepoch(sold_release_date) / 60 < NEW.ends_at - NEW.preparation_minutes
            )
          ) AS stretch JOIN json_each('[1,-1]') AS edge
          WHERE starts_at < ends_at AND starts_at < NEW.ends_at AND ends_at > asked.starts_at AND (edge.value = 1 OR ends_at < NEW.ends_at)
        )
      )
    ) > CASE NEW.kind
      WHEN 'category' THEN (
        SELECT count(*) FROM vehicles AS vehicle
        WHERE vehicle.branch_group_id = NEW.branch_group_id AND vehicle.category_code = NEW.code AND vehicle.active = 1 AND vehicle.assignable = 1
          AND (vehicle.sold_release_date IS NULL OR unixepoch(vehicle.sold_release_date) / 60 > asked.starts_at))
      ELSE coalesce((SELECT units FROM extra_stocks WHERE extra_code = NEW.code AND branch_group_id = NEW.branch_group_id), 0)
    END;
END;

-- What is taken anew is asked of the guard from where it was taken until then.
DROP TRIGGER reallocations_take_anew;
CREATE TRIGGER reallocations_take_anew BEFORE INSERT ON reallocations
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at <= NEW.at;
  UPDATE stock_allocations SET expires_at = 0 WHERE booking_id = NEW.booking_id;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
    origin_point_id, destination_point_id, expires_at, allocated_at)
  SELECT taken.booking_id, taken.kind, taken.code, taken.branch_group_id, taken.starts_at, taken.ends_at, taken.preparation_minutes, taken.returns_at, taken.is_out,
    taken.quantity, taken.origin_point_id, taken.destination_point_id, taken.expires_at, NEW.at
  FROM booking_allocations AS taken
  WHERE taken.booking_id = NEW.booking_id AND taken.kind = 'transfer'
    AND EXISTS (SELECT 1 FROM stock_allocations AS had WHERE had.booking_id = NEW.booking_id AND had.expires_at = 0 AND had.kind = 'transfer' AND had.code = taken.code
      AND had.starts_at = taken.starts_at AND had.ends_at >= taken.ends_at AND had.origin_point_id = taken.origin_point_id AND had.destination_point_id = taken.destination_point_id);
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity,
    origin_point_id, destination_point_id, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, sum(quantity),
    origin_point_id, destination_point_id, expires_at, NEW.at
  FROM booking_allocations AS taken
  WHERE booking_id = NEW.booking_id AND quantity <> 0
    AND NOT (kind = 'transfer' AND EXISTS (SELECT 1 FROM stock_allocations AS again WHERE again.booking_id = NEW.booking_id AND again.expires_at IS NOT 0
      AND again.kind = 'transfer' AND again.starts_at = taken.starts_at))
  GROUP BY kind, code, branch_group_id, starts_at;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, NEW.at, 1 FROM given_vehicles
  WHERE booking_id = NEW.booking_id;
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0;
  SELECT RAISE(IGNORE);
END;

-- Where it comes back to another branch group than its home it is away, whatever the group that sold the contract.
DROP TRIGGER booking_units_give_back;
CREATE TRIGGER booking_units_give_back AFTER UPDATE OF collected_at ON booking_units WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET quantity = quantity - (CASE WHEN quantity > 0 THEN 1 ELSE -1 END)
  WHERE id IN (SELECT min(id) FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND given = 0
    AND code = (SELECT category_code FROM booking_lines WHERE id = NEW.booking_line_id) GROUP BY branch_group_id);
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND quantity = 0;
  UPDATE vehicles SET branch_group_id = (SELECT return_branch_group_id FROM rental_stretches WHERE booking_id = NEW.booking_id)
  WHERE reference = NEW.vehicle_reference AND (SELECT stays FROM rental_stretches WHERE booking_id = NEW.booking_id);
  INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at)
  SELECT vehicle.reference, 'away', collected.minute, collected.minute + max(rental.preparation_minutes
    + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3), 1)
  FROM rental_stretches AS rental JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    LEFT JOIN repatriations AS home ON home.branch_group_id = vehicle.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id,
    (SELECT NEW.collected_at / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.collected_at ORDER BY from_at DESC LIMIT 1), 0) AS minute) AS collected
  WHERE rental.booking_id = NEW.booking_id AND NOT rental.stays AND vehicle.branch_group_id <> rental.return_branch_group_id;
END;

DROP TRIGGER rental_ends_follow;
CREATE TRIGGER rental_ends_follow INSTEAD OF INSERT ON rental_ends
BEGIN
  UPDATE stock_allocations SET (preparation_minutes, ends_at) = (
    SELECT rental.preparation_minutes, CASE WHEN rental.stays AND stock_allocations.kind = 'category' THEN 9007199254740991
      ELSE rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes END
    FROM rental_stretches AS rental WHERE rental.booking_id = stock_allocations.booking_id)
  WHERE kind <> 'transfer' AND quantity > 0 AND given = 0 AND booking_id IN (SELECT booking_id FROM rental_stretches);
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
  DELETE FROM stock_allocations WHERE given;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles;
END;

DROP TRIGGER stock_allocations_are_replaced_not_changed;
CREATE TRIGGER stock_allocations_are_replaced_not_changed BEFORE UPDATE OF kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes, given ON stock_allocations
WHEN (NEW.kind, NEW.code, NEW.branch_group_id, NEW.given) IS NOT (OLD.kind, OLD.code, OLD.branch_group_id, OLD.given)
  OR NEW.starts_at <> OLD.starts_at AND (OLD.kind = 'transfer' OR OLD.quantity < 0 OR NEW.starts_at > OLD.starts_at
    OR NOT EXISTS (SELECT 1 FROM booking_units WHERE booking_id = OLD.booking_id AND delivered_at IS NOT NULL))
  OR ((NEW.ends_at, NEW.preparation_minutes) IS NOT (OLD.ends_at, OLD.preparation_minutes)
    AND (OLD.kind = 'transfer' AND NEW.ends_at - NEW.preparation_minutes <> OLD.ends_at - OLD.preparation_minutes
      OR NOT EXISTS (SELECT 1 FROM booking_allocations AS taken WHERE taken.booking_id = OLD.booking_id AND taken.kind = OLD.kind AND taken.code = OLD.code
        AND taken.branch_group_id = OLD.branch_group_id AND taken.starts_at = OLD.starts_at AND taken.returns_at IS OLD.returns_at
        AND taken.ends_at = NEW.ends_at AND taken.preparation_minutes = NEW.preparation_minutes)))
  OR NEW.quantity <> OLD.quantity AND (NEW.quantity NOT BETWEEN min(0, OLD.quantity) AND max(0, OLD.quantity)
    OR abs(NEW.quantity - OLD.quantity) > (SELECT abs(total(quantity)) FROM stock_allocations
        WHERE given = 0 AND booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
      - (SELECT abs(total(quantity)) FROM booking_allocations
        WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id))
BEGIN
  SELECT RAISE(ABORT, 'stock_allocations_are_replaced');
END;

CREATE TRIGGER booking_units_are_given AFTER UPDATE OF vehicle_reference, delivered_at, collected_at ON booking_units
WHEN (OLD.delivered_at IS NOT NULL AND OLD.collected_at IS NULL AND EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND given))
  OR (NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND EXISTS (SELECT 1 FROM booking_lines AS line JOIN bookings AS booking ON booking.id = line.booking_id JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    WHERE line.id = NEW.booking_line_id AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id)))
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND given;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles
  WHERE booking_id = NEW.booking_id;
END;
CREATE TRIGGER booking_units_come_given AFTER INSERT ON booking_units
WHEN NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND EXISTS (SELECT 1 FROM booking_lines AS line JOIN bookings AS booking ON booking.id = line.booking_id JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    WHERE line.id = NEW.booking_line_id AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id))
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND given;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles
  WHERE booking_id = NEW.booking_id;
END;

-- A vehicle that is out is of another category, or of another branch group, from now on.
CREATE TRIGGER vehicles_are_given AFTER UPDATE OF category_code, branch_group_id ON vehicles
WHEN (NEW.category_code, NEW.branch_group_id) IS NOT (OLD.category_code, OLD.branch_group_id)
  AND EXISTS (SELECT 1 FROM booking_units INDEXED BY booking_units_out WHERE vehicle_reference = NEW.reference AND delivered_at IS NOT NULL AND collected_at IS NULL)
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = (SELECT booking_id FROM booking_units INDEXED BY booking_units_out WHERE vehicle_reference = NEW.reference AND delivered_at IS NOT NULL AND collected_at IS NULL) AND given;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles
  WHERE booking_id = (SELECT booking_id FROM booking_units INDEXED BY booking_units_out WHERE vehicle_reference = NEW.reference AND delivered_at IS NOT NULL AND collected_at IS NULL);
END;

-- What is out already.
INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles;
