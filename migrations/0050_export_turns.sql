-- How far the week's export is, as JSON, from the backup after which it is made until it is whole (decision 0043).
ALTER TABLE upkeep ADD COLUMN export_progress TEXT CHECK (export_progress IS NULL OR json_valid(export_progress));
