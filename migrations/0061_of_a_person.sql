-- What is kept of a person is found without looking through everybody's: contracts that nobody has linked to a customer,
-- by their address, documents by their customer, damage by the contract that it is of.
CREATE INDEX bookings_unlinked ON bookings (lower(customer_email)) WHERE customer_id IS NULL;
CREATE INDEX documents_by_customer ON documents (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX vehicle_damages_by_booking ON vehicle_damages (booking_id) WHERE booking_id IS NOT NULL;
