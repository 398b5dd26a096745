-- The catalogue is what changes seldom and is read always: settings, places, categories, prices, extras, keys. The Worker
-- keeps it in memory and asks, in the same round trip as the live data, whether its version is still this one (decision 0004).
-- Each table of the catalogue moves the version by itself, so that no writer can forget to.

CREATE TABLE catalogue_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO catalogue_version (id, version) VALUES (1, 1);

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
