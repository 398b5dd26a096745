-- A list of some days is read in the order of its pickups, a page and no more. What is overdue is found without the
-- rest that is out, whatever its branch.
CREATE INDEX bookings_by_moment ON bookings (date_from || 'T' || time_from);
CREATE INDEX bookings_overdue ON bookings (date_to || ' ' || time_to) WHERE status = 'in_progress';
