-- What a vehicle cost, day by day: its page asks for it, and what is entered twice is found by it.
CREATE INDEX expenses_by_vehicle ON expenses (vehicle_reference, date, id);
