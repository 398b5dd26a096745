-- What a booking writes: an index costs a page of it. Without a customer or a vehicle nothing is found by one, and
-- what is to be delivered is found by its moment (bookings_to_remind), whatever its branch.
DROP INDEX bookings_to_deliver;
DROP INDEX bookings_by_customer;
CREATE INDEX bookings_by_customer ON bookings (customer_id) WHERE customer_id IS NOT NULL;
DROP INDEX booking_units_by_vehicle;
CREATE INDEX booking_units_by_vehicle ON booking_units (vehicle_reference) WHERE vehicle_reference IS NOT NULL;
