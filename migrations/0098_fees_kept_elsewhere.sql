-- A fee that was kept of what was cancelled, and of which no paper is here at all, was credited by nobody: an imported
-- contract's invoice is in the system that it came from, and its fee was shown as owed back.
UPDATE bookings SET credited_cents = 0, last_update = max(last_update, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE status = 'cancelled' AND credited_cents > 0 AND NOT EXISTS (SELECT 1 FROM documents WHERE booking_id = bookings.id);
