-- What is done in the order of its ids, as bookings_not_done has the rest: a list by status reads its page and no more.
CREATE INDEX bookings_done ON bookings (status) WHERE status = 'done';
