-- The trips of a day, in order of time.
CREATE INDEX transfer_trips_by_day ON transfer_trips (date, time);
