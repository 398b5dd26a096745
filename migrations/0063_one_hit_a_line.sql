-- What a search reads of a line is one row, however often the line has what is looked for: before the id stands an asterisk, which texts do not have any
-- more, so that a block can be read as JSON in which all but the ids of what was found is comment (decision 0052). Blocks come together two by two.
DROP TRIGGER search_lines_are_new;
DROP TRIGGER search_lines_are_changed;
DROP TRIGGER search_blocks_come_together;
ALTER TABLE search_blocks RENAME TO search_blocks_before;
-- Of ids from `first_id` on, `width` of them; no two blocks of a list have an id in common. Lines lie one behind the other, the newest first: a text, an
-- asterisk, what its id is beyond the last multiple of 8,192 as one letter of the private use planes, and a mark (DEL).
CREATE TABLE search_blocks (
  list TEXT NOT NULL CHECK (list IN ('bookings', 'customers', 'vehicles', 'documents', 'charges')),
  first_id INTEGER NOT NULL,
  width INTEGER NOT NULL CHECK (width IN (128, 256, 512, 1024, 2048, 8192) AND first_id % width = 0),
  lines TEXT NOT NULL,
  PRIMARY KEY (list, first_id)
) STRICT, WITHOUT ROWID;
INSERT INTO search_blocks (list, first_id, width, lines)
SELECT list, first_id, width,
  (SELECT coalesce(group_concat(substr(line.value, 1, length(line.value) - 1) || '*' || substr(line.value, -1) || char(127), '' ORDER BY line.key), '')
  FROM json_each('["' || replace(replace(replace(replace(texts, '*', '_'), char(8232), '_'), char(8233), '_'), char(127), '","') || '"]') AS line WHERE line.value <> '')
FROM search_blocks_before;
DROP TABLE search_blocks_before;
INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 256, 256, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 256 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 256
  GROUP BY list, first_id - first_id % 256 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 256 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 256
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 256 AND wide.width = 256);
INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 512, 512, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 512 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 512
  GROUP BY list, first_id - first_id % 512 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 512 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 512
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 512 AND wide.width = 512);
INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 1024, 1024, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 1024 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 1024
  GROUP BY list, first_id - first_id % 1024 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 1024 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 1024
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 1024 AND wide.width = 1024);
INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 2048, 2048, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 2048 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 2048
  GROUP BY list, first_id - first_id % 2048 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 2048 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 2048
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 2048 AND wide.width = 2048);
INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 8192, 8192, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 8192 - 8192 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 8192
  GROUP BY list, first_id - first_id % 8192 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 8192 - 8192 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 8192
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 8192 AND wide.width = 8192);
CREATE TRIGGER search_lines_are_new INSTEAD OF INSERT ON search_lines
WHEN NEW.before IS NULL
BEGIN
  INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT NEW.list, coalesce((SELECT first_id FROM search_blocks WHERE list = NEW.list AND first_id = (SELECT max(first_id) FROM search_blocks WHERE list = NEW.list AND first_id <= NEW.id) AND first_id + width > NEW.id),
    NEW.id - NEW.id % 128), 128, iif((NEW.after GLOB '*[^] !#-)+-[^-~]*' OR instr(NEW.after, char(0)) > 0), (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_'), '*', '_'), char(8232), '_'), char(8233), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.after) AS t))))), lower(NEW.after)) || '*' || char(983040 + NEW.id % 8192, 127) WHERE true
  ON CONFLICT (list, first_id) DO UPDATE SET lines = iif(unicode(substr(lines, instr(lines, char(127)) - 1, 1)) < 983040 + NEW.id % 8192,
    excluded.lines || lines, (SELECT group_concat(line.value || char(127), '' ORDER BY unicode(substr(line.value, -1)) DESC)
    FROM json_each('["' || replace(excluded.lines || rtrim(lines, char(127)), char(127), '","') || '"]') AS line WHERE line.value <> ''));
END;
CREATE TRIGGER search_lines_are_changed INSTEAD OF INSERT ON search_lines
WHEN NEW.before IS NOT NULL
BEGIN
  UPDATE search_blocks SET lines = replace(lines, iif((NEW.before GLOB '*[^] !#-)+-[^-~]*' OR instr(NEW.before, char(0)) > 0), (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_'), '*', '_'), char(8232), '_'), char(8233), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.before) AS t))))), lower(NEW.before)) || '*' || char(983040 + NEW.id % 8192, 127), coalesce(iif((NEW.after GLOB '*[^] !#-)+-[^-~]*' OR instr(NEW.after, char(0)) > 0), (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_'), '*', '_'), char(8232), '_'), char(8233), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.after) AS t))))), lower(NEW.after)) || '*' || char(983040 + NEW.id % 8192, 127), ''))
  WHERE list = NEW.list AND first_id = (SELECT max(first_id) FROM search_blocks WHERE list = NEW.list AND first_id <= NEW.id);
END;
CREATE TRIGGER search_blocks_come_together AFTER INSERT ON search_blocks
WHEN NEW.width = 128
BEGIN
  INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 256, 256, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE NEW.first_id % 256 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 256 AND first_id < NEW.first_id AND width < 256
  GROUP BY list, first_id - first_id % 256 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_id % 256 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 256 AND first_id < NEW.first_id AND width < 256
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 256 AND wide.width = 256);
  INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 512, 512, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE NEW.first_id % 512 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 512 AND first_id < NEW.first_id AND width < 512
  GROUP BY list, first_id - first_id % 512 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_id % 512 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 512 AND first_id < NEW.first_id AND width < 512
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 512 AND wide.width = 512);
  INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 1024, 1024, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE NEW.first_id % 1024 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 1024 AND first_id < NEW.first_id AND width < 1024
  GROUP BY list, first_id - first_id % 1024 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_id % 1024 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 1024 AND first_id < NEW.first_id AND width < 1024
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 1024 AND wide.width = 1024);
  INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 2048, 2048, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE NEW.first_id % 2048 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 2048 AND first_id < NEW.first_id AND width < 2048
  GROUP BY list, first_id - first_id % 2048 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_id % 2048 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - 2048 AND first_id < NEW.first_id AND width < 2048
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 2048 AND wide.width = 2048);
  INSERT INTO search_blocks (list, first_id, width, lines)
  SELECT list, first_id - first_id % 8192, 8192, group_concat(lines, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE NEW.first_id % 1024 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - NEW.first_id % 8192 - 16384 AND first_id < NEW.first_id - NEW.first_id % 8192 - 8192 AND width < 8192
  GROUP BY list, first_id - first_id % 8192 HAVING sum(octet_length(lines)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, lines = excluded.lines;
  DELETE FROM search_blocks WHERE NEW.first_id % 1024 = 0 AND NEW.first_id > 0 AND list = NEW.list AND first_id >= NEW.first_id - NEW.first_id % 8192 - 16384 AND first_id < NEW.first_id - NEW.first_id % 8192 - 8192 AND width < 8192
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 8192 AND wide.width = 8192);
END;
