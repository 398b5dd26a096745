-- What a phone said last of the work that is on it and has not been sent, as JSON, and when (epoch ms).
ALTER TABLE check_in_devices ADD COLUMN report TEXT;
ALTER TABLE check_in_devices ADD COLUMN reported_at INTEGER;
