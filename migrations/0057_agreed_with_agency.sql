-- What an agency agreed to, kept when the first vehicle goes out: what its customer buys and is charged from then on is the contract's.
ALTER TABLE bookings ADD COLUMN agreed_with_agency TEXT CHECK (agreed_with_agency IS NULL OR json_valid(agreed_with_agency));
