-- What an import brought as pending has no end: it waits for the office.
CREATE INDEX bookings_held_without_end ON bookings (date_to) WHERE status = 'pending_confirmation' AND expires_at IS NULL;
