-- What a batch writes was decided on a booking that was read before. Its first statement says which version that was; where somebody
-- changed the booking meanwhile the whole batch is refused, and what follows needs no condition of its own. Nothing is ever kept here.
CREATE TABLE expected_versions (
  booking_id INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER expected_versions_hold BEFORE INSERT ON expected_versions
BEGIN
  SELECT RAISE(ABORT, 'changed_meanwhile')
  WHERE NOT EXISTS (SELECT 1 FROM bookings WHERE id = NEW.booking_id AND version = NEW.version);
  SELECT RAISE(IGNORE);
END;
