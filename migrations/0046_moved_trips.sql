-- A transfer can be moved: what of its trips stays as it was keeps its right, whatever else is in the way by now, and is taken first, so that the
-- guard counts it for the trip that moves. Taken in order of time, a trip that stayed was let in unasked after the one that had moved into its way.
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
  DELETE FROM stock_allocations WHERE booking_id = NEW.booking_id AND expires_at = 0;
  SELECT RAISE(IGNORE);
END;
