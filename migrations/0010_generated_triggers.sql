-- The triggers that repeat one rule for many tables: made from the list of scripts/schema/generated-triggers.ts, and
-- compared with it by a test.

CREATE TRIGGER settings_insert_moves_catalogue AFTER INSERT ON settings
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER settings_update_moves_catalogue AFTER UPDATE ON settings
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER settings_delete_moves_catalogue AFTER DELETE ON settings
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER classifiers_insert_moves_catalogue AFTER INSERT ON classifiers
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER classifiers_update_moves_catalogue AFTER UPDATE ON classifiers
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER classifiers_delete_moves_catalogue AFTER DELETE ON classifiers
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER sales_channels_insert_moves_catalogue AFTER INSERT ON sales_channels
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER sales_channels_update_moves_catalogue AFTER UPDATE ON sales_channels
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER sales_channels_delete_moves_catalogue AFTER DELETE ON sales_channels
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branch_groups_insert_moves_catalogue AFTER INSERT ON branch_groups
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branch_groups_update_moves_catalogue AFTER UPDATE ON branch_groups
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branch_groups_delete_moves_catalogue AFTER DELETE ON branch_groups
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branches_insert_moves_catalogue AFTER INSERT ON branches
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branches_update_moves_catalogue AFTER UPDATE ON branches
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branches_delete_moves_catalogue AFTER DELETE ON branches
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER opening_hours_insert_moves_catalogue AFTER INSERT ON opening_hours
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER opening_hours_update_moves_catalogue AFTER UPDATE ON opening_hours
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER opening_hours_delete_moves_catalogue AFTER DELETE ON opening_hours
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER closed_dates_insert_moves_catalogue AFTER INSERT ON closed_dates
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER closed_dates_update_moves_catalogue AFTER UPDATE ON closed_dates
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER closed_dates_delete_moves_catalogue AFTER DELETE ON closed_dates
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER pickup_places_insert_moves_catalogue AFTER INSERT ON pickup_places
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER pickup_places_update_moves_catalogue AFTER UPDATE ON pickup_places
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER pickup_places_delete_moves_catalogue AFTER DELETE ON pickup_places
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER return_places_insert_moves_catalogue AFTER INSERT ON return_places
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER return_places_update_moves_catalogue AFTER UPDATE ON return_places
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER return_places_delete_moves_catalogue AFTER DELETE ON return_places
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER translations_insert_moves_catalogue AFTER INSERT ON translations
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER translations_update_moves_catalogue AFTER UPDATE ON translations
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER translations_delete_moves_catalogue AFTER DELETE ON translations
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER families_insert_moves_catalogue AFTER INSERT ON families
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER families_update_moves_catalogue AFTER UPDATE ON families
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER families_delete_moves_catalogue AFTER DELETE ON families
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER categories_insert_moves_catalogue AFTER INSERT ON categories
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER categories_update_moves_catalogue AFTER UPDATE ON categories
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER categories_delete_moves_catalogue AFTER DELETE ON categories
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER category_photos_insert_moves_catalogue AFTER INSERT ON category_photos
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER category_photos_update_moves_catalogue AFTER UPDATE ON category_photos
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER category_photos_delete_moves_catalogue AFTER DELETE ON category_photos
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER seasons_insert_moves_catalogue AFTER INSERT ON seasons
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER seasons_update_moves_catalogue AFTER UPDATE ON seasons
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER seasons_delete_moves_catalogue AFTER DELETE ON seasons
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER season_periods_insert_moves_catalogue AFTER INSERT ON season_periods
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER season_periods_update_moves_catalogue AFTER UPDATE ON season_periods
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER season_periods_delete_moves_catalogue AFTER DELETE ON season_periods
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER tariffs_insert_moves_catalogue AFTER INSERT ON tariffs
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER tariffs_update_moves_catalogue AFTER UPDATE ON tariffs
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER tariffs_delete_moves_catalogue AFTER DELETE ON tariffs
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER tariff_brackets_insert_moves_catalogue AFTER INSERT ON tariff_brackets
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER tariff_brackets_update_moves_catalogue AFTER UPDATE ON tariff_brackets
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER tariff_brackets_delete_moves_catalogue AFTER DELETE ON tariff_brackets
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER offers_insert_moves_catalogue AFTER INSERT ON offers
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER offers_update_moves_catalogue AFTER UPDATE ON offers
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER offers_delete_moves_catalogue AFTER DELETE ON offers
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER promotion_codes_insert_moves_catalogue AFTER INSERT ON promotion_codes
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER promotion_codes_update_moves_catalogue AFTER UPDATE ON promotion_codes
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER promotion_codes_delete_moves_catalogue AFTER DELETE ON promotion_codes
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER driver_age_rules_insert_moves_catalogue AFTER INSERT ON driver_age_rules
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER driver_age_rules_update_moves_catalogue AFTER UPDATE ON driver_age_rules
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER driver_age_rules_delete_moves_catalogue AFTER DELETE ON driver_age_rules
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER extras_insert_moves_catalogue AFTER INSERT ON extras
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER extras_update_moves_catalogue AFTER UPDATE ON extras
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER extras_delete_moves_catalogue AFTER DELETE ON extras
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER extra_stocks_insert_moves_catalogue AFTER INSERT ON extra_stocks
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER extra_stocks_update_moves_catalogue AFTER UPDATE ON extra_stocks
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER extra_stocks_delete_moves_catalogue AFTER DELETE ON extra_stocks
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER agencies_insert_moves_catalogue AFTER INSERT ON agencies
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER agencies_update_moves_catalogue AFTER UPDATE ON agencies
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER agencies_delete_moves_catalogue AFTER DELETE ON agencies
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER agents_insert_moves_catalogue AFTER INSERT ON agents
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER agents_update_moves_catalogue AFTER UPDATE ON agents
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER agents_delete_moves_catalogue AFTER DELETE ON agents
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER partner_keys_insert_moves_catalogue AFTER INSERT ON partner_keys
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER partner_keys_update_moves_catalogue AFTER UPDATE ON partner_keys
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER partner_keys_delete_moves_catalogue AFTER DELETE ON partner_keys
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER engine_keys_insert_moves_catalogue AFTER INSERT ON engine_keys
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER engine_keys_update_moves_catalogue AFTER UPDATE ON engine_keys
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER engine_keys_delete_moves_catalogue AFTER DELETE ON engine_keys
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_points_insert_moves_catalogue AFTER INSERT ON transfer_points
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_points_update_moves_catalogue AFTER UPDATE ON transfer_points
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_points_delete_moves_catalogue AFTER DELETE ON transfer_points
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_vehicles_insert_moves_catalogue AFTER INSERT ON transfer_vehicles
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_vehicles_update_moves_catalogue AFTER UPDATE ON transfer_vehicles
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_vehicles_delete_moves_catalogue AFTER DELETE ON transfer_vehicles
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_prices_insert_moves_catalogue AFTER INSERT ON transfer_prices
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_prices_update_moves_catalogue AFTER UPDATE ON transfer_prices
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_prices_delete_moves_catalogue AFTER DELETE ON transfer_prices
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_extras_insert_moves_catalogue AFTER INSERT ON transfer_extras
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_extras_update_moves_catalogue AFTER UPDATE ON transfer_extras
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_extras_delete_moves_catalogue AFTER DELETE ON transfer_extras
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_supplements_insert_moves_catalogue AFTER INSERT ON transfer_supplements
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_supplements_update_moves_catalogue AFTER UPDATE ON transfer_supplements
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER transfer_supplements_delete_moves_catalogue AFTER DELETE ON transfer_supplements
BEGIN
  UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
END;
CREATE TRIGGER branch_groups_count_up AFTER INSERT ON branch_groups
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('branch_groups', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER branch_groups_count_down AFTER DELETE ON branch_groups
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'branch_groups';
END;
CREATE TRIGGER branches_count_up AFTER INSERT ON branches
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('branches', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER branches_count_down AFTER DELETE ON branches
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'branches';
END;
CREATE TRIGGER pickup_places_count_up AFTER INSERT ON pickup_places
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('pickup_places', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER pickup_places_count_down AFTER DELETE ON pickup_places
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'pickup_places';
END;
CREATE TRIGGER categories_count_up AFTER INSERT ON categories
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('categories', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER categories_count_down AFTER DELETE ON categories
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'categories';
END;
CREATE TRIGGER vehicles_count_up AFTER INSERT ON vehicles
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('vehicles', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER vehicles_count_down AFTER DELETE ON vehicles
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'vehicles';
END;
CREATE TRIGGER customers_count_up AFTER INSERT ON customers
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('customers', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER customers_count_down AFTER DELETE ON customers
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'customers';
END;
CREATE TRIGGER bookings_count_up AFTER INSERT ON bookings WHEN NEW.kind = 'rental'
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('bookings', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER bookings_count_down AFTER DELETE ON bookings WHEN OLD.kind = 'rental'
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'bookings';
END;
CREATE TRIGGER documents_count_up AFTER INSERT ON documents
BEGIN
  INSERT INTO list_totals (list, total) VALUES (NEW.kind, 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER documents_count_down AFTER DELETE ON documents
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = OLD.kind;
END;
CREATE TRIGGER charges_count_up AFTER INSERT ON charges
BEGIN
  INSERT INTO list_totals (list, total) VALUES ('charges', 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER charges_count_down AFTER DELETE ON charges
BEGIN
  UPDATE list_totals SET total = total - 1 WHERE list = 'charges';
END;
CREATE TRIGGER branch_groups_move AFTER UPDATE ON branch_groups WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE branch_groups SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move AFTER UPDATE ON branches WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE branches SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER pickup_places_move AFTER UPDATE ON pickup_places WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE pickup_places SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER categories_move AFTER UPDATE ON categories WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE categories SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER vehicles_move AFTER UPDATE ON vehicles WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER customers_move AFTER UPDATE ON customers WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE customers SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER bookings_move AFTER UPDATE ON bookings WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER documents_move AFTER UPDATE ON documents WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER charges_move AFTER UPDATE ON charges WHEN NEW.last_update = OLD.last_update
BEGIN
  UPDATE charges SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER charges_move_booking AFTER INSERT ON charges WHEN NEW.booking_id IS NOT NULL
BEGIN
  UPDATE bookings SET last_update = NEW.last_update WHERE id = NEW.booking_id AND last_update < NEW.last_update;
END;
CREATE TRIGGER charges_move_document AFTER INSERT ON charges WHEN NEW.document_id IS NOT NULL
BEGIN
  UPDATE documents SET last_update = NEW.last_update WHERE id = NEW.document_id AND last_update < NEW.last_update;
END;
CREATE TRIGGER charges_linked_move_document AFTER UPDATE OF document_id ON charges WHEN NEW.document_id IS NOT NULL
BEGIN
  UPDATE documents SET last_update = NEW.last_update WHERE id = NEW.document_id AND last_update < NEW.last_update;
END;
CREATE TRIGGER documents_move_charges AFTER UPDATE OF invoice_status, serie, number, accounting_processed, customer_full_name, customer_document_id ON documents
BEGIN
  UPDATE charges SET last_update = NEW.last_update WHERE document_id = NEW.id AND last_update < NEW.last_update;
END;
CREATE TRIGGER bookings_move_charges AFTER UPDATE OF customer_name, customer_surname, customer_document_id ON bookings
BEGIN
  UPDATE charges SET last_update = NEW.last_update WHERE booking_id = NEW.id AND last_update < NEW.last_update;
END;
CREATE TRIGGER booking_lines_update_moves_booking AFTER UPDATE ON booking_lines
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_lines_delete_moves_booking AFTER DELETE ON booking_lines
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = OLD.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_extras_update_moves_booking AFTER UPDATE ON booking_extras
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_extras_delete_moves_booking AFTER DELETE ON booking_extras
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = OLD.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER booking_units_move_booking AFTER UPDATE OF vehicle_reference ON booking_units WHEN NEW.vehicle_reference IS NOT OLD.vehicle_reference
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id = NEW.booking_id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER vehicles_move_bookings AFTER UPDATE OF plate ON vehicles WHEN NEW.plate IS NOT OLD.plate
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE id IN (SELECT booking_id FROM booking_units WHERE vehicle_reference = NEW.reference) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER classifiers_move_branch_groups AFTER UPDATE OF name ON classifiers
BEGIN
  UPDATE branch_groups SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE classifier_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER classifiers_move_branches AFTER UPDATE OF name ON classifiers
BEGIN
  UPDATE branches SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE classifier_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER classifiers_move_pickup_places AFTER UPDATE OF name ON classifiers
BEGIN
  UPDATE pickup_places SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE classifier_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER families_move_categories AFTER UPDATE OF name ON families
BEGIN
  UPDATE categories SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE family_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER categories_move_vehicles AFTER UPDATE OF name ON categories WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE category_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move_vehicles AFTER UPDATE OF name ON branch_groups WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (branch_group_id = NEW.id OR owner_branch_group_id = NEW.id) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move_bookings AFTER UPDATE OF name ON branch_groups WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE branch_group_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move_vehicles AFTER UPDATE OF name ON branches WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE vehicles SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE branch_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move_bookings AFTER UPDATE OF name ON branches WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE (branch_code = NEW.code OR return_branch_code = NEW.code) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER sales_channels_move_bookings AFTER UPDATE OF name ON sales_channels WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE sales_channel_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER agencies_move_bookings AFTER UPDATE OF name ON agencies WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE agency_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER agents_move_bookings AFTER UPDATE OF name ON agents WHEN NEW.name IS NOT OLD.name
BEGIN
  UPDATE bookings SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE agent_id = NEW.id AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branches_move_documents AFTER UPDATE OF external_code, branch_group_id ON branches
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE kind IN ('invoice', 'internal_bond') AND branch_code = NEW.code AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
CREATE TRIGGER branch_groups_move_documents AFTER UPDATE OF external_code ON branch_groups WHEN NEW.external_code IS NOT OLD.external_code
BEGIN
  UPDATE documents SET last_update = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE kind IN ('invoice', 'internal_bond') AND branch_code IN (SELECT code FROM branches WHERE branch_group_id = NEW.id) AND last_update < CAST(unixepoch('subsec') * 1000 AS INTEGER);
END;
