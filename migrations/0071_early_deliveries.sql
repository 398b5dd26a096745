-- What is out is taken from the moment it went out: a vehicle that was handed over before its pickup was free for others until then (docs/interfaces/rules.md#units).
DROP VIEW rental_stretches;
-- How long each rental takes its units, in civil minutes, and where they come back.
CREATE VIEW rental_stretches AS
SELECT booking.id AS booking_id, booking.status, booking.expires_at, booking.last_update, booking.status = 'in_progress' AS is_out,
  booking.branch_group_id, back.branch_group_id AS return_branch_group_id,
  min(unixepoch(booking.date_from || ' ' || booking.time_from) / 60, iif(booking.status = 'in_progress', coalesce((
    SELECT went.at / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= went.at ORDER BY from_at DESC LIMIT 1), 0)
    FROM (SELECT min(at) AS at FROM (SELECT unit.delivered_at AS at FROM booking_units AS unit WHERE unit.booking_id = booking.id
      UNION ALL SELECT before.delivered_at FROM exchanged_vehicles AS before WHERE before.booking_id = booking.id)) AS went WHERE went.at IS NOT NULL
  ), 9007199254740991), 9007199254740991)) AS starts_at,
  unixepoch(booking.date_to || ' ' || booking.time_to) / 60 AS returns_at,
  coalesce(settings.preparation_minutes, 60) AS preparation_minutes,
  CASE WHEN back.branch_group_id = booking.branch_group_id THEN 0 ELSE 1440 * coalesce(pair.days, settings.repatriation_days, 3) END AS repatriation_minutes,
  back.branch_group_id <> booking.branch_group_id AND coalesce(settings.one_way_mode, 'returns_home') = 'stays' AS stays
FROM bookings AS booking JOIN branches AS back ON back.code = booking.return_branch_code
  LEFT JOIN settings ON settings.id = 1
  LEFT JOIN repatriations AS pair ON pair.branch_group_id = booking.branch_group_id AND pair.return_branch_group_id = back.branch_group_id;

-- Rows are replaced and not changed, but for their end, which is what the settings make of a return that stays, and their beginning where a unit went out earlier.
DROP TRIGGER stock_allocations_are_replaced_not_changed;
CREATE TRIGGER stock_allocations_are_replaced_not_changed BEFORE UPDATE OF kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes ON stock_allocations
WHEN (NEW.kind, NEW.code, NEW.branch_group_id) IS NOT (OLD.kind, OLD.code, OLD.branch_group_id)
  OR NEW.starts_at <> OLD.starts_at AND (OLD.kind = 'transfer' OR OLD.quantity < 0 OR NEW.starts_at > OLD.starts_at
    OR NOT EXISTS (SELECT 1 FROM booking_units WHERE booking_id = OLD.booking_id AND delivered_at IS NOT NULL))
  OR ((NEW.ends_at, NEW.preparation_minutes) IS NOT (OLD.ends_at, OLD.preparation_minutes)
    AND (OLD.kind = 'transfer' AND NEW.ends_at - NEW.preparation_minutes <> OLD.ends_at - OLD.preparation_minutes
      OR NOT EXISTS (SELECT 1 FROM booking_allocations AS taken WHERE taken.booking_id = OLD.booking_id AND taken.kind = OLD.kind AND taken.code = OLD.code
        AND taken.branch_group_id = OLD.branch_group_id AND taken.starts_at = OLD.starts_at AND taken.returns_at IS OLD.returns_at
        AND taken.ends_at = NEW.ends_at AND taken.preparation_minutes = NEW.preparation_minutes)))
  OR NEW.quantity <> OLD.quantity AND (NEW.quantity NOT BETWEEN min(0, OLD.quantity) AND max(0, OLD.quantity)
    OR abs(NEW.quantity - OLD.quantity) > (SELECT abs(total(quantity)) FROM stock_allocations
        WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id)
      - (SELECT abs(total(quantity)) FROM booking_allocations
        WHERE booking_id = OLD.booking_id AND kind = OLD.kind AND code = OLD.code AND branch_group_id = OLD.branch_group_id))
BEGIN
  SELECT RAISE(ABORT, 'stock_allocations_are_replaced');
END;

-- Nobody asks the guard: what is out is out, and where somebody else relied on it, it waits for a person as a shortage. The phones' and the desk's work, and
-- what is brought from elsewhere; a contract is in progress before its first unit is out.
CREATE TRIGGER booking_units_go_out AFTER UPDATE OF delivered_at ON booking_units WHEN OLD.delivered_at IS NULL AND NEW.delivered_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET starts_at = went.at FROM (SELECT NEW.delivered_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at) AS went
  WHERE booking_id = NEW.booking_id AND kind <> 'transfer' AND quantity > 0 AND starts_at > went.at;
END;
CREATE TRIGGER booking_units_are_out AFTER INSERT ON booking_units WHEN NEW.delivered_at IS NOT NULL
BEGIN
  UPDATE stock_allocations SET starts_at = went.at FROM (SELECT NEW.delivered_at / 60000
    + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= NEW.delivered_at ORDER BY from_at DESC LIMIT 1), 0) AS at) AS went
  WHERE booking_id = NEW.booking_id AND kind <> 'transfer' AND quantity > 0 AND starts_at > went.at;
END;

-- A vehicle that is out is promised to nobody before it is back, whenever its rental was to begin.
DROP TRIGGER vehicles_are_promised_once;
CREATE TRIGGER vehicles_are_promised_once BEFORE UPDATE OF vehicle_reference ON booking_units
WHEN NEW.vehicle_reference IS NOT NULL AND NEW.delivered_at IS NULL AND NEW.vehicle_reference IS NOT OLD.vehicle_reference
BEGIN
  SELECT RAISE(ABORT, 'vehicle_promised')
  WHERE EXISTS (SELECT 1 FROM bookings AS mine
    JOIN booking_units AS other INDEXED BY booking_units_promised ON other.vehicle_reference = NEW.vehicle_reference AND other.collected_at IS NULL
    JOIN bookings AS theirs ON theirs.id = other.booking_id
    WHERE mine.id = NEW.booking_id AND other.id <> NEW.id AND theirs.status IN ('confirmed', 'in_progress')
      AND (other.delivered_at IS NOT NULL OR theirs.date_from || theirs.time_from < mine.date_to || mine.time_to)
      AND mine.date_from || mine.time_from < theirs.date_to || theirs.time_to);
  SELECT RAISE(ABORT, 'vehicle_blocked')
  WHERE EXISTS (SELECT 1 FROM bookings AS mine JOIN vehicle_blocks AS block ON block.vehicle_reference = NEW.vehicle_reference
    WHERE mine.id = NEW.booking_id
      AND block.ends_at > unixepoch(mine.date_from || ' ' || mine.time_from) / 60
      AND block.starts_at < unixepoch(mine.date_to || ' ' || mine.time_to) / 60);
END;

-- What is out already.
UPDATE stock_allocations SET starts_at = (SELECT starts_at FROM rental_stretches AS rental WHERE rental.booking_id = stock_allocations.booking_id)
WHERE is_out AND kind <> 'transfer' AND quantity > 0
  AND starts_at > (SELECT starts_at FROM rental_stretches AS rental WHERE rental.booking_id = stock_allocations.booking_id);
