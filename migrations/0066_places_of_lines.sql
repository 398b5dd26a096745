-- A block is found by one number: the list's own begin and the ids of its lines from there on. By list and id SQLite kept them in a tree of keys, and read
-- the whole text of a block, half a megabyte of it, to compare it with what it looked for (decision 0054).
DROP TRIGGER search_lines_are_new;
DROP TRIGGER search_lines_are_changed;
DROP TRIGGER search_blocks_come_together;
ALTER TABLE search_blocks RENAME TO search_blocks_before;
-- Of places from `first_place` on, `width` of them; no two blocks have a place in common. A place is the list's number (bookings 1, customers 2, vehicles 3,
-- documents 4, charges 5) times 2^40 and the row's id. Lines lie as before.
CREATE TABLE search_blocks (
  first_place INTEGER PRIMARY KEY,
  width INTEGER NOT NULL CHECK (width IN (128, 256, 512, 1024, 2048, 8192) AND first_place % width = 0),
  lines TEXT NOT NULL
) STRICT;
INSERT INTO search_blocks (first_place, width, lines)
SELECT CASE list WHEN 'bookings' THEN 1 WHEN 'customers' THEN 2 WHEN 'vehicles' THEN 3 WHEN 'documents' THEN 4 WHEN 'charges' THEN 5 END * 1099511627776 + first_id, width, lines
FROM search_blocks_before;
DROP TABLE search_blocks_before;
CREATE TRIGGER search_lines_are_new INSTEAD OF INSERT ON search_lines
WHEN NEW.before IS NULL
BEGIN
  INSERT INTO search_blocks (first_place, width, lines)
  SELECT coalesce((SELECT iif(first_place + width > place, first_place, NULL) FROM search_blocks WHERE first_place <= place ORDER BY first_place DESC LIMIT 1),
    place - place % 128), 128, iif((NEW.after GLOB '*[^] !#-)+-[^-~]*' OR instr(NEW.after, char(0)) > 0), (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_'), '*', '_'), char(8232), '_'), char(8233), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.after) AS t))))), lower(NEW.after)) || '*' || char(983040 + NEW.id % 8192, 127)
  FROM (SELECT (iif(NEW.list = 'bookings', 1099511627776, iif(NEW.list = 'customers', 2199023255552, iif(NEW.list = 'vehicles', 3298534883328, iif(NEW.list = 'documents', 4398046511104, iif(NEW.list = 'charges', 5497558138880, NULL))))) + NEW.id) AS place) WHERE true
  ON CONFLICT (first_place) DO UPDATE SET lines = iif(unicode(substr(lines, instr(lines, char(127)) - 1, 1)) < 983040 + NEW.id % 8192,
    excluded.lines || lines, (SELECT group_concat(line.value || char(127), '' ORDER BY unicode(substr(line.value, -1)) DESC)
    FROM json_each('["' || replace(excluded.lines || rtrim(lines, char(127)), char(127), '","') || '"]') AS line WHERE line.value <> ''));
END;
CREATE TRIGGER search_lines_are_changed INSTEAD OF INSERT ON search_lines
WHEN NEW.before IS NOT NULL
BEGIN
  UPDATE search_blocks SET lines = replace(lines, iif((NEW.before GLOB '*[^] !#-)+-[^-~]*' OR instr(NEW.before, char(0)) > 0), (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_'), '*', '_'), char(8232), '_'), char(8233), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.before) AS t))))), lower(NEW.before)) || '*' || char(983040 + NEW.id % 8192, 127), coalesce(iif((NEW.after GLOB '*[^] !#-)+-[^-~]*' OR instr(NEW.after, char(0)) > 0), (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_'), '*', '_'), char(8232), '_'), char(8233), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.after) AS t))))), lower(NEW.after)) || '*' || char(983040 + NEW.id % 8192, 127), ''))
  WHERE first_place = (SELECT max(first_place) FROM search_blocks WHERE first_place <= (iif(NEW.list = 'bookings', 1099511627776, iif(NEW.list = 'customers', 2199023255552, iif(NEW.list = 'vehicles', 3298534883328, iif(NEW.list = 'documents', 4398046511104, iif(NEW.list = 'charges', 5497558138880, NULL))))) + NEW.id));
END;
CREATE TRIGGER search_blocks_come_together AFTER INSERT ON search_blocks
WHEN NEW.width = 128
BEGIN
  INSERT INTO search_blocks (first_place, width, lines)
  SELECT first_place - first_place % 256, 256, group_concat(lines, '' ORDER BY first_place DESC) FROM search_blocks
  WHERE NEW.first_place % 256 = 0 AND first_place >= NEW.first_place - 256 AND first_place < NEW.first_place AND width < 256
  GROUP BY first_place - first_place % 256 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (first_place) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_place % 256 = 0 AND first_place >= NEW.first_place - 256 AND first_place < NEW.first_place AND width < 256
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.first_place = search_blocks.first_place - search_blocks.first_place % 256 AND wide.width = 256);
  INSERT INTO search_blocks (first_place, width, lines)
  SELECT first_place - first_place % 512, 512, group_concat(lines, '' ORDER BY first_place DESC) FROM search_blocks
  WHERE NEW.first_place % 512 = 0 AND first_place >= NEW.first_place - 512 AND first_place < NEW.first_place AND width < 512
  GROUP BY first_place - first_place % 512 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (first_place) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_place % 512 = 0 AND first_place >= NEW.first_place - 512 AND first_place < NEW.first_place AND width < 512
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.first_place = search_blocks.first_place - search_blocks.first_place % 512 AND wide.width = 512);
  INSERT INTO search_blocks (first_place, width, lines)
  SELECT first_place - first_place % 1024, 1024, group_concat(lines, '' ORDER BY first_place DESC) FROM search_blocks
  WHERE NEW.first_place % 1024 = 0 AND first_place >= NEW.first_place - 1024 AND first_place < NEW.first_place AND width < 1024
  GROUP BY first_place - first_place % 1024 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (first_place) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_place % 1024 = 0 AND first_place >= NEW.first_place - 1024 AND first_place < NEW.first_place AND width < 1024
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.first_place = search_blocks.first_place - search_blocks.first_place % 1024 AND wide.width = 1024);
  INSERT INTO search_blocks (first_place, width, lines)
  SELECT first_place - first_place % 2048, 2048, group_concat(lines, '' ORDER BY first_place DESC) FROM search_blocks
  WHERE NEW.first_place % 2048 = 0 AND first_place >= NEW.first_place - 2048 AND first_place < NEW.first_place AND width < 2048
  GROUP BY first_place - first_place % 2048 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (first_place) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_place % 2048 = 0 AND first_place >= NEW.first_place - 2048 AND first_place < NEW.first_place AND width < 2048
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.first_place = search_blocks.first_place - search_blocks.first_place % 2048 AND wide.width = 2048);
  INSERT INTO search_blocks (first_place, width, lines)
  SELECT first_place - first_place % 8192, 8192, group_concat(lines, '' ORDER BY first_place DESC) FROM search_blocks
  WHERE NEW.first_place % 1024 = 0 AND first_place >= NEW.first_place - NEW.first_place % 8192 - 16384 AND first_place < NEW.first_place - NEW.first_place % 8192 - 8192 AND width < 8192
  GROUP BY first_place - first_place % 8192 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (first_place) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_place % 1024 = 0 AND first_place >= NEW.first_place - NEW.first_place % 8192 - 16384 AND first_place < NEW.first_place - NEW.first_place % 8192 - 8192 AND width < 8192
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.first_place = search_blocks.first_place - search_blocks.first_place % 8192 AND wide.width = 8192);
END;
