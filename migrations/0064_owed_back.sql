-- What is owed back, the newest made first: thousands of years that were brought from elsewhere are not read for a page.
DROP INDEX bookings_owed_back;
CREATE INDEX bookings_owed_back ON bookings (id) WHERE status = 'cancelled' AND total_paid_cents > cancellation_fee_cents - credited_cents;
