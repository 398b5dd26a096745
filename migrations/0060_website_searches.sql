-- What websites let a visitor choose, by the account's choice (docs/interfaces/booking-engine-vehicles.md#an-accounts-choices).
ALTER TABLE settings ADD COLUMN pickup_return_places_same_rental_location INTEGER NOT NULL DEFAULT 0 CHECK (pickup_return_places_same_rental_location IN (0, 1));
ALTER TABLE settings ADD COLUMN rent_dates_selector TEXT NOT NULL DEFAULT 'date_from_date_to' CHECK (rent_dates_selector IN ('date_from_date_to', 'date_from_duration'));
ALTER TABLE settings ADD COLUMN multiple_products_selection INTEGER NOT NULL DEFAULT 0 CHECK (multiple_products_selection IN (0, 1));
