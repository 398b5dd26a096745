-- What became of each mail of a booking. Until when it is tried; of those of before nothing of it was kept.
ALTER TABLE booking_mails ADD COLUMN address TEXT;
ALTER TABLE booking_mails ADD COLUMN useless_at INTEGER;
ALTER TABLE booking_mails ADD COLUMN sent_at INTEGER;
-- Why it did not go out last, by its kind alone: the post office's own words may name the person.
ALTER TABLE booking_mails ADD COLUMN last_error TEXT;
-- In a gateway's own words, why it took the money or did not.
ALTER TABLE payment_notifications ADD COLUMN answer TEXT NOT NULL DEFAULT '';
-- What the office did with all that it keeps, day by day.
CREATE INDEX office_history_by_time ON office_history (at);
