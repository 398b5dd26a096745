-- A contract that is cancelled lets go of the vehicles that were assigned to it: who asks to whom a vehicle is promised
-- read those of all that were ever cancelled, and such a contract showed a vehicle that somebody else drives.
CREATE TRIGGER bookings_let_vehicles_go AFTER UPDATE OF status ON bookings WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled'
BEGIN
  UPDATE booking_units SET vehicle_reference = NULL WHERE booking_id = NEW.id AND vehicle_reference IS NOT NULL AND delivered_at IS NULL;
END;
UPDATE booking_units INDEXED BY booking_units_promised SET vehicle_reference = NULL
WHERE vehicle_reference IS NOT NULL AND collected_at IS NULL AND delivered_at IS NULL
  AND EXISTS (SELECT 1 FROM bookings WHERE id = booking_units.booking_id AND status = 'cancelled');
