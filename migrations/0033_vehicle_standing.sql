-- Where a vehicle stands, where its key hangs, and what it needs before it goes out again, as staff on the spot said
-- (docs/interfaces/check-in.md#where-a-vehicle-stands).
ALTER TABLE vehicles ADD COLUMN parking_place TEXT CHECK (length(parking_place) <= 60);
ALTER TABLE vehicles ADD COLUMN key_number TEXT CHECK (length(key_number) <= 30);
ALTER TABLE vehicles ADD COLUMN needs_cleaning INTEGER NOT NULL DEFAULT 0 CHECK (needs_cleaning IN (0, 1));
ALTER TABLE vehicles ADD COLUMN needs_fuel INTEGER NOT NULL DEFAULT 0 CHECK (needs_fuel IN (0, 1));
