-- What is held of each contract's deposit: received, less what went back and what is kept. A contract that is over and still has one waits for a person.
ALTER TABLE bookings ADD COLUMN deposit_held_cents INTEGER NOT NULL DEFAULT 0;
UPDATE bookings SET deposit_held_cents = held.cents
  FROM (SELECT booking_id, sum(CASE source_doc WHEN 'deposit_received' THEN amount_cents ELSE -amount_cents END) AS cents
    FROM charges WHERE virtual = 1 AND booking_id IS NOT NULL GROUP BY booking_id) AS held
  WHERE held.booking_id = bookings.id AND held.cents <> 0;
CREATE TRIGGER charges_hold_deposits AFTER INSERT ON charges WHEN NEW.virtual = 1 AND NEW.booking_id IS NOT NULL
BEGIN
  UPDATE bookings SET deposit_held_cents = deposit_held_cents + CASE NEW.source_doc WHEN 'deposit_received' THEN NEW.amount_cents ELSE -NEW.amount_cents END
    WHERE id = NEW.booking_id;
END;
CREATE INDEX bookings_deposit_held ON bookings (id) WHERE status IN ('done', 'cancelled') AND deposit_held_cents > 0;
