-- Where rentals stay, what is out instead of what was agreed comes itself to where it is brought back, and nothing of what was agreed does. A vehicle that
-- cannot be rented is missing nowhere.
CREATE VIEW given_units AS
SELECT unit.booking_id, unit.booking_line_id, line.category_code AS agreed_code, vehicle.category_code AS code, vehicle.branch_group_id, vehicle.active = 1 AND vehicle.assignable = 1 AS is_rentable,
  unit.delivered_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= unit.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at
FROM booking_units AS unit JOIN bookings AS booking ON booking.id = unit.booking_id JOIN booking_lines AS line ON line.id = unit.booking_line_id
  JOIN vehicles AS vehicle ON vehicle.reference = unit.vehicle_reference
WHERE unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL AND booking.status = 'in_progress'
  AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id);

-- What they take where they belong.
CREATE VIEW given_takings AS
SELECT given.booking_id, given.code, given.branch_group_id, min(given.at) AS starts_at,
  max(CASE WHEN given.branch_group_id = rental.return_branch_group_id THEN rental.returns_at + rental.preparation_minutes
      WHEN rental.stays THEN 9007199254740991
      ELSE rental.returns_at + rental.preparation_minutes + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3) END,
    max(given.at) + rental.preparation_minutes + 1) AS ends_at,
  rental.preparation_minutes, rental.returns_at, rental.is_out, count(*) AS quantity, rental.last_update
FROM given_units AS given JOIN rental_stretches AS rental ON rental.booking_id = given.booking_id
  LEFT JOIN repatriations AS home ON home.branch_group_id = given.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id
WHERE given.is_rentable
GROUP BY given.booking_id, given.code, given.branch_group_id;

DROP VIEW given_vehicles;
CREATE VIEW given_vehicles AS
SELECT * FROM given_takings
UNION ALL
SELECT given.booking_id, given.code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes, 9007199254740991,
  rental.preparation_minutes, rental.returns_at, rental.is_out, -count(*), rental.last_update
FROM given_units AS given JOIN rental_stretches AS rental ON rental.booking_id = given.booking_id
WHERE given.is_rentable AND rental.stays AND given.branch_group_id <> rental.return_branch_group_id
GROUP BY given.booking_id, given.code;

DROP VIEW booking_allocations;
CREATE VIEW booking_allocations AS
SELECT rental.booking_id, 'category' AS kind, line.id AS part_id, line.category_code AS code, rental.branch_group_id, rental.starts_at,
  CASE WHEN rental.stays THEN 9007199254740991 ELSE rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes END AS ends_at,
  rental.preparation_minutes, rental.returns_at, rental.is_out,
  line.quantity - (SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL) AS quantity,
  NULL AS origin_point_id, NULL AS destination_point_id, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_lines AS line ON line.booking_id = rental.booking_id
WHERE rental.status NOT IN ('done', 'cancelled')
UNION ALL
-- A unit that stays is the return's from then on, unless another vehicle is out instead. Nobody relies on a hold.
SELECT rental.booking_id, 'category', line.id, line.category_code, rental.return_branch_group_id, rental.returns_at + rental.preparation_minutes,
  9007199254740991, rental.preparation_minutes, rental.returns_at, rental.is_out,
  (SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL)
    + (SELECT count(*) FROM given_units AS given WHERE given.booking_line_id = line.id) - line.quantity,
  NULL, NULL, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_lines AS line ON line.booking_id = rental.booking_id
WHERE rental.stays AND rental.status IN ('confirmed', 'in_progress')
UNION ALL
-- Extras always come home. Those of a contract that is open again are back, as its vehicles are.
SELECT rental.booking_id, 'extra', extra.id, extra.extra_code, rental.branch_group_id, rental.starts_at,
  rental.returns_at + rental.preparation_minutes + rental.repatriation_minutes, rental.preparation_minutes, rental.returns_at, rental.is_out,
  extra.quantity, NULL, NULL, rental.expires_at, rental.last_update
FROM rental_stretches AS rental JOIN booking_extras AS extra ON extra.booking_id = rental.booking_id
WHERE rental.status NOT IN ('done', 'cancelled') AND (SELECT reopened_at FROM bookings WHERE id = rental.booking_id) IS NULL
UNION ALL
SELECT booking.id, 'transfer', trip.position, CAST(vehicle.id AS TEXT), booking.branch_group_id, unixepoch(trip.date || ' ' || trip.time) / 60,
  unixepoch(trip.date || ' ' || trip.time) / 60 + trip.minutes + vehicle.preparation_minutes, vehicle.preparation_minutes, NULL, 0,
  1, trip.origin_point_id, trip.destination_point_id, booking.expires_at, booking.last_update
FROM bookings AS booking JOIN transfer_bookings AS reserved ON reserved.booking_id = booking.id
  JOIN transfer_vehicles AS vehicle ON vehicle.id = reserved.transfer_vehicle_id JOIN transfer_trips AS trip ON trip.booking_id = booking.id
WHERE booking.status NOT IN ('done', 'cancelled');

-- What a booking that is named here brings elsewhere, and what is out with it instead of what was agreed, anew. Nothing is ever kept here.
CREATE VIEW given_anew AS SELECT NULL AS booking_id;
CREATE TRIGGER given_anew_take INSTEAD OF INSERT ON given_anew
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND given AND quantity > 0;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_takings
  WHERE booking_id = NEW.booking_id;
  -- Where no row of it came or went, what nobody needs has changed nonetheless.
  UPDATE stock_allocations SET is_out = is_out
  WHERE id = CASE WHEN changes() = 0 THEN (SELECT min(id) FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category') END;
END;
CREATE TRIGGER given_anew_bring INSTEAD OF INSERT ON given_anew WHEN (SELECT one_way_mode FROM settings WHERE id = 1) = 'stays'
BEGIN
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND quantity < 0;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, expires_at, allocated_at)
  SELECT booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, sum(quantity), expires_at, last_update
  FROM booking_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND quantity < 0 GROUP BY code;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles
  WHERE booking_id = NEW.booking_id AND quantity < 0;
END;

DROP TRIGGER booking_units_give_back;
CREATE TRIGGER booking_units_give_back AFTER UPDATE OF collected_at ON booking_units WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET quantity = quantity - 1
  WHERE id = (SELECT min(id) FROM stock_allocations WHERE booking_id = NEW.booking_id AND kind = 'category' AND given = 0 AND quantity > 0
    AND code = (SELECT category_code FROM booking_lines WHERE id = NEW.booking_line_id));
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND quantity = 0;
END;
CREATE TRIGGER booking_units_stay AFTER UPDATE OF collected_at ON booking_units
WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL AND (SELECT one_way_mode FROM settings WHERE id = 1) = 'stays'
BEGIN
  UPDATE vehicles SET branch_group_id = (SELECT return_branch_group_id FROM rental_stretches WHERE booking_id = NEW.booking_id)
  WHERE reference = NEW.vehicle_reference AND (SELECT stays FROM rental_stretches WHERE booking_id = NEW.booking_id);
  INSERT INTO given_anew (booking_id) SELECT booking_id FROM rental_stretches WHERE booking_id = NEW.booking_id AND stays;
END;
CREATE TRIGGER booking_units_are_away AFTER UPDATE OF collected_at ON booking_units
WHEN OLD.collected_at IS NULL AND NEW.collected_at IS NOT NULL AND (SELECT branch_group_id FROM vehicles WHERE reference = NEW.vehicle_reference)
  <> (SELECT back.branch_group_id FROM bookings AS booking JOIN branches AS back ON back.code = booking.return_branch_code WHERE booking.id = NEW.booking_id)
BEGIN
  INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at)
  SELECT vehicle.reference, 'away', collected.minute, collected.minute + max(rental.preparation_minutes
    + 1440 * coalesce(home.days, (SELECT repatriation_days FROM settings WHERE id = 1), 3), 1)
  FROM rental_stretches AS rental JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    LEFT JOIN repatriations AS home ON home.branch_group_id = vehicle.branch_group_id AND home.return_branch_group_id = rental.return_branch_group_id,
    (SELECT NEW.collected_at / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.collected_at ORDER BY from_at DESC LIMIT 1), 0) AS minute) AS collected
  WHERE rental.booking_id = NEW.booking_id AND NOT rental.stays AND vehicle.branch_group_id <> rental.return_branch_group_id;
END;

DROP TRIGGER booking_units_are_given;
CREATE TRIGGER booking_units_are_given AFTER UPDATE OF vehicle_reference, delivered_at, collected_at ON booking_units
WHEN OLD.delivered_at IS NOT NULL AND OLD.collected_at IS NULL AND EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND given)
  OR NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND EXISTS (SELECT 1 FROM booking_lines AS line JOIN bookings AS booking ON booking.id = line.booking_id
        JOIN vehicles AS vehicle ON vehicle.reference IN (OLD.vehicle_reference, NEW.vehicle_reference)
      WHERE line.id = NEW.booking_line_id AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id))
BEGIN
  INSERT INTO given_anew (booking_id) VALUES (NEW.booking_id);
END;

DROP TRIGGER booking_units_come_given;
CREATE TRIGGER booking_units_come_given AFTER INSERT ON booking_units
WHEN NEW.delivered_at IS NOT NULL AND NEW.collected_at IS NULL AND EXISTS (SELECT 1 FROM booking_lines AS line JOIN bookings AS booking ON booking.id = line.booking_id
  JOIN vehicles AS vehicle ON vehicle.reference = NEW.vehicle_reference
    WHERE line.id = NEW.booking_line_id AND (vehicle.category_code <> line.category_code OR vehicle.branch_group_id <> booking.branch_group_id))
BEGIN
  INSERT INTO given_anew (booking_id) VALUES (NEW.booking_id);
END;

DROP TRIGGER vehicles_are_given;
CREATE TRIGGER vehicles_are_given AFTER UPDATE OF category_code, branch_group_id, active, assignable ON vehicles
WHEN (NEW.category_code, NEW.branch_group_id, NEW.active, NEW.assignable) IS NOT (OLD.category_code, OLD.branch_group_id, OLD.active, OLD.assignable)
BEGIN
  INSERT INTO given_anew (booking_id) SELECT booking_id FROM booking_units INDEXED BY booking_units_out
  WHERE vehicle_reference = NEW.reference AND delivered_at IS NOT NULL AND collected_at IS NULL;
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
    sum((SELECT count(*) FROM booking_units AS unit WHERE unit.booking_line_id = line.id AND unit.collected_at IS NOT NULL)
      + (SELECT count(*) FROM given_units AS given WHERE given.booking_line_id = line.id) - line.quantity) AS change,
    rental.expires_at, rental.last_update
  FROM (SELECT DISTINCT booking_id AS id FROM stock_allocations WHERE kind = 'category') AS living
    JOIN rental_stretches AS rental ON rental.booking_id = living.id JOIN booking_lines AS line ON line.booking_id = living.id
  WHERE rental.stays AND rental.status IN ('confirmed', 'in_progress')
  GROUP BY rental.booking_id, line.category_code HAVING change < 0;
  DELETE FROM stock_allocations WHERE given;
  INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, allocated_at, given)
  SELECT booking_id, 'category', code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at, is_out, quantity, last_update, 1 FROM given_vehicles;
END;

-- What is out already, and what is back.
DELETE FROM stock_allocations WHERE kind = 'extra' AND booking_id IN (SELECT id FROM bookings WHERE status = 'in_progress' AND reopened_at IS NOT NULL);
INSERT INTO given_anew (booking_id) SELECT DISTINCT booking_id FROM given_units;
