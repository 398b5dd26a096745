-- Calendars of a vehicle or a category for programs that read iCal. Who knows the link reads it, so it is made at random.
CREATE TABLE calendars (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  vehicle_reference TEXT REFERENCES vehicles (reference),
  category_code TEXT REFERENCES categories (code),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  link TEXT NOT NULL UNIQUE DEFAULT ('/calendars/' || lower(hex(randomblob(20))) || '.ics'),
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((vehicle_reference IS NULL) <> (category_code IS NULL))
) STRICT;
-- What goes with a vehicle or a category is found by it.
CREATE INDEX calendars_by_vehicle ON calendars (vehicle_reference);
CREATE INDEX calendars_by_category ON calendars (category_code);
