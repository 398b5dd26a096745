-- What a website shows of an account, chosen by the account (docs/interfaces/booking-engine-vehicles.md#settings).
ALTER TABLE settings ADD COLUMN engine_customer_access INTEGER NOT NULL DEFAULT 0 CHECK (engine_customer_access IN (0, 1));
ALTER TABLE settings ADD COLUMN frontend_date_format TEXT NOT NULL DEFAULT 'DD/MM/YYYY' CHECK (frontend_date_format IN ('DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD.MM.YYYY'));
ALTER TABLE settings ADD COLUMN default_time_start TEXT NOT NULL DEFAULT '10:00' CHECK (default_time_start GLOB '[0-2][0-9]:[0-5][0-9]');
ALTER TABLE settings ADD COLUMN default_time_end TEXT NOT NULL DEFAULT '10:00' CHECK (default_time_end GLOB '[0-2][0-9]:[0-5][0-9]');
ALTER TABLE settings ADD COLUMN same_pickup_return_time INTEGER NOT NULL DEFAULT 0 CHECK (same_pickup_return_time IN (0, 1));
ALTER TABLE settings ADD COLUMN prefill_selector INTEGER NOT NULL DEFAULT 1 CHECK (prefill_selector IN (0, 1));
ALTER TABLE settings ADD COLUMN selector_date_to_days INTEGER NOT NULL DEFAULT 7 CHECK (selector_date_to_days >= 1);
ALTER TABLE settings ADD COLUMN select_family INTEGER NOT NULL DEFAULT 0 CHECK (select_family IN (0, 1));
ALTER TABLE settings ADD COLUMN selector_rental_location INTEGER NOT NULL DEFAULT 0 CHECK (selector_rental_location IN (0, 1));
ALTER TABLE settings ADD COLUMN calendar_show_availability_not_selectable INTEGER NOT NULL DEFAULT 1 CHECK (calendar_show_availability_not_selectable IN (0, 1));
ALTER TABLE settings ADD COLUMN renting_form_fill_data_address INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_address IN (0, 1));
ALTER TABLE settings ADD COLUMN renting_form_fill_data_driver_detail INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_driver_detail IN (0, 1));
ALTER TABLE settings ADD COLUMN renting_form_fill_data_flight INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_flight IN (0, 1));
ALTER TABLE settings ADD COLUMN renting_form_fill_data_additional_driver_1 INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_additional_driver_1 IN (0, 1));
ALTER TABLE settings ADD COLUMN renting_form_fill_data_additional_driver_2 INTEGER NOT NULL DEFAULT 1 CHECK (renting_form_fill_data_additional_driver_2 IN (0, 1));
ALTER TABLE settings ADD COLUMN hide_price_if_zero INTEGER NOT NULL DEFAULT 0 CHECK (hide_price_if_zero IN (0, 1));
ALTER TABLE settings ADD COLUMN hide_price_if_not_available INTEGER NOT NULL DEFAULT 0 CHECK (hide_price_if_not_available IN (0, 1));
ALTER TABLE settings ADD COLUMN literal_deposit_franchise TEXT NOT NULL DEFAULT 'deposit' CHECK (literal_deposit_franchise IN ('deposit', 'franchise'));
ALTER TABLE settings ADD COLUMN deposit_literal TEXT;
ALTER TABLE settings ADD COLUMN deposit_reduction_literal TEXT;
ALTER TABLE settings ADD COLUMN guarantee_literal TEXT;
ALTER TABLE settings ADD COLUMN guarantee_reduction_literal TEXT;
ALTER TABLE settings ADD COLUMN driver_deposit_literal TEXT;
ALTER TABLE settings ADD COLUMN deposit_total_literal TEXT;
ALTER TABLE settings ADD COLUMN transfer_allow_select_return_origin_destination INTEGER NOT NULL DEFAULT 1 CHECK (transfer_allow_select_return_origin_destination IN (0, 1));
ALTER TABLE settings ADD COLUMN transfer_origin_destination_detailed_info_mode TEXT NOT NULL DEFAULT 'trip' CHECK (transfer_origin_destination_detailed_info_mode IN ('trip', 'only_address', 'flight_address'));
ALTER TABLE settings ADD COLUMN transfer_form_fill_billing_address INTEGER NOT NULL DEFAULT 0 CHECK (transfer_form_fill_billing_address IN (0, 1));

-- A category by the four letters of ACRISS.
ALTER TABLE categories ADD COLUMN acriss_code TEXT CHECK (length(acriss_code) = 4);
