-- What chosen extras took off a line's deposit and guarantee, of each unit: the amounts beside are what is left.
ALTER TABLE booking_lines ADD COLUMN deposit_reduction_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (deposit_reduction_unit_cents >= 0);
ALTER TABLE booking_lines ADD COLUMN guarantee_reduction_unit_cents INTEGER NOT NULL DEFAULT 0 CHECK (guarantee_reduction_unit_cents >= 0);
