-- A trip takes its vehicle wherever the vehicle's branch belongs by now: where that had moved to another branch group, or the vehicle to another branch, its
-- trips were counted there as if it had none, and it was sold twice.
DROP TRIGGER stock_allocations_never_exceed_stock;
CREATE TRIGGER stock_allocations_never_exceed_stock BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0 AND NEW.kind <> 'transfer'
BEGIN
  SELECT RAISE(ABORT, 'sold_out ' || NEW.kind || ' ' || NEW.code)
  FROM (
    SELECT max(NEW.starts_at, coalesce((SELECT CASE WHEN sum(quantity) >= NEW.quantity THEN min(ends_at) END FROM stock_allocations
        WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code AND branch_group_id = NEW.branch_group_id
          AND starts_at <= NEW.starts_at), NEW.starts_at)) AS starts_at,
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

CREATE TRIGGER transfers_never_exceed_vehicles BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0 AND NEW.kind = 'transfer'
BEGIN
  -- A trip is sold where fewer living trips than there are vehicles get in its way: no vehicle can drive both. Each of those could have been given a
  -- vehicle of its own when it came, so that one is left, whatever the ways.
  SELECT RAISE(ABORT, 'sold_out transfer ' || NEW.code)
  WHERE NOT EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code
      AND starts_at = NEW.starts_at AND ends_at >= NEW.ends_at AND origin_point_id = NEW.origin_point_id AND destination_point_id = NEW.destination_point_id)
    AND coalesce((SELECT units FROM transfer_vehicles WHERE id = CAST(NEW.code AS INTEGER) AND active = 1), 0) <= (
      SELECT count(*) FROM stock_allocations AS other, (SELECT coalesce((SELECT transfer_way_minutes FROM settings WHERE id = 1), 60) AS way) AS unknown
      WHERE other.branch_group_id IN (SELECT id FROM branch_groups) AND other.kind = NEW.kind AND other.code = NEW.code
        AND other.starts_at > NEW.starts_at - 2880 AND other.starts_at < NEW.starts_at + 2880
        AND (other.expires_at IS NULL OR other.expires_at > NEW.allocated_at)
        AND other.ends_at - other.preparation_minutes
          + max(other.preparation_minutes, CASE WHEN other.destination_point_id = NEW.origin_point_id THEN 0 ELSE coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = other.destination_point_id
                AND destination_point_id = NEW.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way) END) > NEW.starts_at
        AND NEW.ends_at - NEW.preparation_minutes
          + max(NEW.preparation_minutes, CASE WHEN NEW.destination_point_id = other.origin_point_id THEN 0 ELSE coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = NEW.destination_point_id
                AND destination_point_id = other.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way) END) > other.starts_at
    );
END;

-- What is taken of transfer vehicles has a number of its own: who looks for vehicles that are missing reads it anew where that has moved.
ALTER TABLE stock_version ADD COLUMN transfers INTEGER NOT NULL DEFAULT 1;
CREATE TRIGGER stock_allocations_insert_moves_transfers AFTER INSERT ON stock_allocations WHEN NEW.kind = 'transfer'
BEGIN
  UPDATE stock_version SET transfers = transfers + 1 WHERE id = 1;
END;
CREATE TRIGGER stock_allocations_update_moves_transfers AFTER UPDATE ON stock_allocations WHEN NEW.kind = 'transfer'
BEGIN
  UPDATE stock_version SET transfers = transfers + 1 WHERE id = 1;
END;
CREATE TRIGGER stock_allocations_delete_moves_transfers AFTER DELETE ON stock_allocations WHEN OLD.kind = 'transfer'
BEGIN
  UPDATE stock_version SET transfers = transfers + 1 WHERE id = 1;
END;
