-- What a batch writes was decided on a catalogue that was remembered. Its first statement says which version that was; where the catalogue is
-- another one by now the whole batch is refused, so that nothing is sold at yesterday's price. Nothing is ever kept here.
CREATE TABLE expected_catalogue (
  version INTEGER NOT NULL
) STRICT;
CREATE TRIGGER expected_catalogue_holds BEFORE INSERT ON expected_catalogue
BEGIN
  SELECT RAISE(ABORT, 'catalogue_changed') WHERE NEW.version IS NOT (SELECT version FROM catalogue_version WHERE id = 1);
  SELECT RAISE(IGNORE);
END;
