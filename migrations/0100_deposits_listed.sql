-- The deposits that are held are listed and added up, what is due back longest first.
CREATE INDEX bookings_with_deposit ON bookings (date_to, id, status, branch_code, return_branch_code, deposit_held_cents) WHERE deposit_held_cents > 0;
