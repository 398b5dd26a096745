-- Trips that nobody came to, by what who drives has said: the office makes no-shows of them. Few, and found without
-- the other work of phones.
CREATE INDEX check_in_operations_nobody_came ON check_in_operations (recorded_at)
  WHERE operation ->> '$.trip.moment' = 'nobody_came';
