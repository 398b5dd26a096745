-- Contracts that leave a branch for another, by their return: a board of days reads them without the pickups of months before.
CREATE INDEX bookings_one_way ON bookings (branch_code, date_to) WHERE return_branch_code <> branch_code;
-- How far a backup is that takes several turns of the clock, as JSON (decision 0043).
ALTER TABLE upkeep ADD COLUMN backup_progress TEXT CHECK (backup_progress IS NULL OR json_valid(backup_progress));
