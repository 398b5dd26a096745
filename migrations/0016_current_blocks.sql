-- What is blocked now or will be, whatever was blocked before.
CREATE INDEX vehicle_blocks_by_end ON vehicle_blocks (ends_at, vehicle_reference, starts_at);
