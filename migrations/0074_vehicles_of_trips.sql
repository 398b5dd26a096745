-- A trip takes its vehicle wherever the vehicle's branch belongs by now: where that had moved to another branch group, or the vehicle to another branch, its
-- trips were counted there as if it had none, and it was sold twice. The ways are looked for where they matter alone: a busy day of one vehicle read them for each of its trips.
CREATE TRIGGER transfers_never_exceed_vehicles BEFORE INSERT ON stock_allocations WHEN NEW.quantity > 0 AND NEW.kind = 'transfer'
BEGIN
  -- A trip is sold where fewer living trips than there are vehicles get in its way: no vehicle can drive both. Each of those could have been given a
  -- vehicle of its own when it came, so that one is left, whatever the ways.
  SELECT RAISE(ABORT, 'sold_out transfer ' || NEW.code)
  WHERE NOT EXISTS (SELECT 1 FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0 AND kind = NEW.kind AND code = NEW.code
      AND starts_at = NEW.starts_at AND ends_at >= NEW.ends_at AND origin_point_id = NEW.origin_point_id AND destination_point_id = NEW.destination_point_id)
    AND coalesce((SELECT units FROM transfer_vehicles WHERE id = CAST(NEW.code AS INTEGER) AND active = 1), 0) <= (
      SELECT count(*) FROM stock_allocations AS other, (
        SELECT way, max(way, coalesce((SELECT max(minutes) FROM transfer_prices WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER)), 0)) AS longest
        FROM (SELECT coalesce((SELECT transfer_way_minutes FROM settings WHERE id = 1), 60) AS way)
      ) AS unknown
      WHERE other.branch_group_id IN (SELECT id FROM branch_groups) AND other.kind = NEW.kind AND other.code = NEW.code
        AND other.starts_at > NEW.starts_at - 2880 AND other.starts_at < NEW.starts_at + 2880
        AND (other.expires_at IS NULL OR other.expires_at > NEW.allocated_at)
        -- Whatever the way between them; only then the way is looked for, from the one that departs first to the other.
        AND other.ends_at - other.preparation_minutes + max(other.preparation_minutes, unknown.longest) > NEW.starts_at
        AND NEW.ends_at - NEW.preparation_minutes + max(NEW.preparation_minutes, unknown.longest) > other.starts_at
        AND CASE WHEN other.starts_at <= NEW.starts_at THEN other.ends_at - other.preparation_minutes
          + max(other.preparation_minutes, CASE WHEN other.destination_point_id = NEW.origin_point_id THEN 0 ELSE coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = other.destination_point_id
                AND destination_point_id = NEW.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way) END) > NEW.starts_at
        ELSE NEW.ends_at - NEW.preparation_minutes
          + max(NEW.preparation_minutes, CASE WHEN NEW.destination_point_id = other.origin_point_id THEN 0 ELSE coalesce((SELECT minutes FROM transfer_ways
              WHERE transfer_vehicle_id = CAST(NEW.code AS INTEGER) AND origin_point_id = NEW.destination_point_id
                AND destination_point_id = other.origin_point_id ORDER BY rank DESC, price_id LIMIT 1), unknown.way) END) > other.starts_at END
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
