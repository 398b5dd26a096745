-- A phone that was put back to an older copy of itself counts on from there: numbers that come twice are told to the
-- office, and hide no gap of those that never came.
ALTER TABLE check_in_devices ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
CREATE INDEX check_in_operations_by_device ON check_in_operations (device_id, seq);
-- The desk's own work has one number for all.
UPDATE check_in_devices SET repeated = (SELECT count(*) - count(DISTINCT seq)
  FROM check_in_operations AS kept WHERE kept.device_id = check_in_devices.device_id)
WHERE device_id <> 'office';
CREATE TRIGGER check_in_operations_repeat_numbers AFTER INSERT ON check_in_operations
WHEN NEW.device_id <> 'office' AND EXISTS (SELECT 1 FROM check_in_operations AS other
  WHERE other.device_id = NEW.device_id AND other.seq = NEW.seq AND other.op_id <> NEW.op_id)
BEGIN
  UPDATE check_in_devices SET repeated = repeated + 1 WHERE device_id = NEW.device_id;
END;
