-- What the office looks for by any part of a text, in blocks that are the wider the older they are: a search reads few rows however long the history is,
-- and no further back than it takes (decision 0047). A view that keeps nothing takes what the tables' triggers say; derived, so no copy holds the blocks.
DROP TRIGGER bookings_are_searched;
DROP TRIGGER bookings_are_searched_as_changed;
DROP TRIGGER bookings_are_searched_no_more;
DROP TRIGGER customers_are_searched;
DROP TRIGGER customers_are_searched_as_changed;
DROP TRIGGER customers_are_searched_no_more;
DROP TRIGGER vehicles_are_searched;
DROP TRIGGER vehicles_are_searched_as_changed;
DROP TRIGGER vehicles_are_searched_no_more;
DROP TRIGGER documents_are_searched;
DROP TRIGGER documents_are_searched_as_changed;
DROP TRIGGER documents_are_searched_no_more;
DROP TRIGGER charges_are_searched;
DROP TRIGGER charges_are_searched_as_changed;
DROP TRIGGER charges_are_searched_no_more;
ALTER TABLE search_blocks RENAME TO search_blocks_before;
-- Of ids from `first_id` on, `width` of them; no two blocks of a list have an id in common. Lines lie one behind the other, the newest first: a text,
-- what its id is beyond the last multiple of 8,192 as one letter of the private use planes, and a mark (DEL). The text is what JSON writes as it is.
CREATE TABLE search_blocks (
  list TEXT NOT NULL CHECK (list IN ('bookings', 'customers', 'vehicles', 'documents', 'charges')),
  first_id INTEGER NOT NULL,
  width INTEGER NOT NULL CHECK (width IN (128, 1024, 8192) AND first_id % width = 0),
  texts TEXT NOT NULL,
  PRIMARY KEY (list, first_id)
) STRICT, WITHOUT ROWID;
INSERT INTO search_blocks (list, first_id, width, texts)
SELECT list, 128 * block, 128, group_concat(replace(trim(text, '"'), '\', '_') || mark, '' ORDER BY id DESC)
FROM (SELECT list, block, CAST(line.key AS INTEGER) AS id, char(983040 + CAST(line.key AS INTEGER) % 8192, 127) AS mark,
    json_quote(replace(replace(replace(replace(line.value, char(10), '|'), '"', ''''), '\', '_'), char(127), '_')) AS text
  FROM search_blocks_before JOIN json_each(search_blocks_before.texts) AS line)
GROUP BY list, block;
DROP TABLE search_blocks_before;
INSERT INTO search_blocks (list, first_id, width, texts)
  SELECT list, first_id - first_id % 1024, 1024, group_concat(texts, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 1024 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 1024
  GROUP BY list, first_id - first_id % 1024 HAVING sum(octet_length(texts)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, texts = excluded.texts;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 1024 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 1024
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 1024 AND wide.width = 1024);
INSERT INTO search_blocks (list, first_id, width, texts)
  SELECT list, first_id - first_id % 8192, 8192, group_concat(texts, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 8192 - 8192 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 8192
  GROUP BY list, first_id - first_id % 8192 HAVING sum(octet_length(texts)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, texts = excluded.texts;
DELETE FROM search_blocks WHERE first_id < (SELECT max(top.first_id) - max(top.first_id) % 8192 - 8192 FROM search_blocks AS top WHERE top.list = search_blocks.list) AND width < 8192
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 8192 AND wide.width = 8192);

CREATE VIEW search_lines AS SELECT NULL AS list, NULL AS id, NULL AS before, NULL AS after;
CREATE TRIGGER bookings_are_searched AFTER INSERT ON bookings
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('bookings', NEW.id, NULL, coalesce(NEW.agency_reservation_id, '') || ' ' || coalesce(NEW.customer_name, '') || ' ' || coalesce(NEW.customer_surname, '') || ' ' || coalesce(NEW.customer_email, '') || '|' || replace(replace(replace(replace(coalesce(NEW.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.customer_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER bookings_are_searched_as_changed AFTER UPDATE OF agency_reservation_id, customer_name, customer_surname, customer_email, customer_document_id, customer_phone ON bookings
WHEN NEW.agency_reservation_id IS NOT OLD.agency_reservation_id OR NEW.customer_name IS NOT OLD.customer_name OR NEW.customer_surname IS NOT OLD.customer_surname OR NEW.customer_email IS NOT OLD.customer_email OR NEW.customer_document_id IS NOT OLD.customer_document_id OR NEW.customer_phone IS NOT OLD.customer_phone
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('bookings', NEW.id, coalesce(OLD.agency_reservation_id, '') || ' ' || coalesce(OLD.customer_name, '') || ' ' || coalesce(OLD.customer_surname, '') || ' ' || coalesce(OLD.customer_email, '') || '|' || replace(replace(replace(replace(coalesce(OLD.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.customer_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''), coalesce(NEW.agency_reservation_id, '') || ' ' || coalesce(NEW.customer_name, '') || ' ' || coalesce(NEW.customer_surname, '') || ' ' || coalesce(NEW.customer_email, '') || '|' || replace(replace(replace(replace(coalesce(NEW.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.customer_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER bookings_are_searched_no_more AFTER DELETE ON bookings
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('bookings', OLD.id, coalesce(OLD.agency_reservation_id, '') || ' ' || coalesce(OLD.customer_name, '') || ' ' || coalesce(OLD.customer_surname, '') || ' ' || coalesce(OLD.customer_email, '') || '|' || replace(replace(replace(replace(coalesce(OLD.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.customer_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''), NULL);
END;
CREATE TRIGGER customers_are_searched AFTER INSERT ON customers
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('customers', NEW.id, NULL, coalesce(NEW.name, '') || ' ' || coalesce(NEW.surname, '') || ' ' || coalesce(NEW.email, '') || '|' || replace(replace(replace(replace(coalesce(NEW.document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.phone_number, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.mobile_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER customers_are_searched_as_changed AFTER UPDATE OF name, surname, email, document_id, phone_number, mobile_phone ON customers
WHEN NEW.name IS NOT OLD.name OR NEW.surname IS NOT OLD.surname OR NEW.email IS NOT OLD.email OR NEW.document_id IS NOT OLD.document_id OR NEW.phone_number IS NOT OLD.phone_number OR NEW.mobile_phone IS NOT OLD.mobile_phone
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('customers', NEW.id, coalesce(OLD.name, '') || ' ' || coalesce(OLD.surname, '') || ' ' || coalesce(OLD.email, '') || '|' || replace(replace(replace(replace(coalesce(OLD.document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.phone_number, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.mobile_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''), coalesce(NEW.name, '') || ' ' || coalesce(NEW.surname, '') || ' ' || coalesce(NEW.email, '') || '|' || replace(replace(replace(replace(coalesce(NEW.document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.phone_number, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.mobile_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER customers_are_searched_no_more AFTER DELETE ON customers
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('customers', OLD.id, coalesce(OLD.name, '') || ' ' || coalesce(OLD.surname, '') || ' ' || coalesce(OLD.email, '') || '|' || replace(replace(replace(replace(coalesce(OLD.document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.phone_number, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.mobile_phone, ''), ' ', ''), '-', ''), '.', ''), '/', ''), NULL);
END;
CREATE TRIGGER vehicles_are_searched AFTER INSERT ON vehicles
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('vehicles', NEW.id, NULL, coalesce(NEW.name, '') || ' ' || coalesce(NEW.brand, '') || ' ' || coalesce(NEW.model, '') || ' ' || coalesce(NEW.alias, '') || '|' || replace(replace(replace(replace(coalesce(NEW.reference, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.plate, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER vehicles_are_searched_as_changed AFTER UPDATE OF name, brand, model, alias, reference, plate ON vehicles
WHEN NEW.name IS NOT OLD.name OR NEW.brand IS NOT OLD.brand OR NEW.model IS NOT OLD.model OR NEW.alias IS NOT OLD.alias OR NEW.reference IS NOT OLD.reference OR NEW.plate IS NOT OLD.plate
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('vehicles', NEW.id, coalesce(OLD.name, '') || ' ' || coalesce(OLD.brand, '') || ' ' || coalesce(OLD.model, '') || ' ' || coalesce(OLD.alias, '') || '|' || replace(replace(replace(replace(coalesce(OLD.reference, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.plate, ''), ' ', ''), '-', ''), '.', ''), '/', ''), coalesce(NEW.name, '') || ' ' || coalesce(NEW.brand, '') || ' ' || coalesce(NEW.model, '') || ' ' || coalesce(NEW.alias, '') || '|' || replace(replace(replace(replace(coalesce(NEW.reference, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.plate, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER vehicles_are_searched_no_more AFTER DELETE ON vehicles
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('vehicles', OLD.id, coalesce(OLD.name, '') || ' ' || coalesce(OLD.brand, '') || ' ' || coalesce(OLD.model, '') || ' ' || coalesce(OLD.alias, '') || '|' || replace(replace(replace(replace(coalesce(OLD.reference, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.plate, ''), ' ', ''), '-', ''), '.', ''), '/', ''), NULL);
END;
CREATE TRIGGER documents_are_searched AFTER INSERT ON documents
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('documents', NEW.id, NULL, coalesce(NEW.customer_full_name, '') || ' ' || coalesce(NEW.concept, '') || '|' || replace(replace(replace(replace(coalesce(NEW.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.serie, '') || coalesce(NEW.number, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER documents_are_searched_as_changed AFTER UPDATE OF customer_full_name, concept, customer_document_id, serie, number ON documents
WHEN NEW.customer_full_name IS NOT OLD.customer_full_name OR NEW.concept IS NOT OLD.concept OR NEW.customer_document_id IS NOT OLD.customer_document_id OR NEW.serie IS NOT OLD.serie OR NEW.number IS NOT OLD.number
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('documents', NEW.id, coalesce(OLD.customer_full_name, '') || ' ' || coalesce(OLD.concept, '') || '|' || replace(replace(replace(replace(coalesce(OLD.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.serie, '') || coalesce(OLD.number, ''), ' ', ''), '-', ''), '.', ''), '/', ''), coalesce(NEW.customer_full_name, '') || ' ' || coalesce(NEW.concept, '') || '|' || replace(replace(replace(replace(coalesce(NEW.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(NEW.serie, '') || coalesce(NEW.number, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER documents_are_searched_no_more AFTER DELETE ON documents
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('documents', OLD.id, coalesce(OLD.customer_full_name, '') || ' ' || coalesce(OLD.concept, '') || '|' || replace(replace(replace(replace(coalesce(OLD.customer_document_id, ''), ' ', ''), '-', ''), '.', ''), '/', '') || '|' || replace(replace(replace(replace(coalesce(OLD.serie, '') || coalesce(OLD.number, ''), ' ', ''), '-', ''), '.', ''), '/', ''), NULL);
END;
CREATE TRIGGER charges_are_searched AFTER INSERT ON charges
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('charges', NEW.id, NULL, replace(replace(replace(replace(coalesce(NEW.external_operation_number, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER charges_are_searched_as_changed AFTER UPDATE OF external_operation_number ON charges
WHEN NEW.external_operation_number IS NOT OLD.external_operation_number
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('charges', NEW.id, replace(replace(replace(replace(coalesce(OLD.external_operation_number, ''), ' ', ''), '-', ''), '.', ''), '/', ''), replace(replace(replace(replace(coalesce(NEW.external_operation_number, ''), ' ', ''), '-', ''), '.', ''), '/', ''));
END;
CREATE TRIGGER charges_are_searched_no_more AFTER DELETE ON charges
BEGIN
  INSERT INTO search_lines (list, id, before, after) VALUES ('charges', OLD.id, replace(replace(replace(replace(coalesce(OLD.external_operation_number, ''), ' ', ''), '-', ''), '.', ''), '/', ''), NULL);
END;
CREATE TRIGGER search_lines_are_new INSTEAD OF INSERT ON search_lines
WHEN NEW.before IS NULL
BEGIN
  INSERT INTO search_blocks (list, first_id, width, texts)
  SELECT NEW.list, coalesce((SELECT first_id FROM search_blocks WHERE list = NEW.list AND first_id = (SELECT max(first_id) FROM search_blocks WHERE list = NEW.list AND first_id <= NEW.id) AND first_id + width > NEW.id),
    NEW.id - NEW.id % 128), 128, iif(NEW.after GLOB '*[^] !#-[^-~]*', (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.after) AS t))))), lower(NEW.after)) || char(983040 + NEW.id % 8192, 127) WHERE true
  ON CONFLICT (list, first_id) DO UPDATE SET texts = iif(unicode(substr(texts, instr(texts, char(127)) - 1, 1)) < 983040 + NEW.id % 8192,
    excluded.texts || texts, (SELECT group_concat(line.value || char(127), '' ORDER BY unicode(substr(line.value, -1)) DESC)
    FROM json_each('["' || replace(excluded.texts || rtrim(texts, char(127)), char(127), '","') || '"]') AS line WHERE line.value <> ''));
END;
CREATE TRIGGER search_lines_are_changed INSTEAD OF INSERT ON search_lines
WHEN NEW.before IS NOT NULL
BEGIN
  UPDATE search_blocks SET texts = replace(texts, iif(NEW.before GLOB '*[^] !#-[^-~]*', (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.before) AS t))))), lower(NEW.before)) || char(983040 + NEW.id % 8192, 127), coalesce(iif(NEW.after GLOB '*[^] !#-[^-~]*', (SELECT replace(trim(json_quote(t), '"'), '\', '_') FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'Ş', 's'), 'Ș', 's'), 'ß', 'ss'), 'ẞ', 'ss'), 'ť', 't'), 'ț', 't'), 'Ť', 't'), 'Ț', 't'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u'), 'ů', 'u'), 'ű', 'u'), 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'Ů', 'u'), 'Ű', 'u'), 'ý', 'y'), 'ÿ', 'y'), 'Ý', 'y'), 'Ÿ', 'y'), 'ž', 'z'), 'ź', 'z'), 'ż', 'z'), 'Ž', 'z'), 'Ź', 'z'), 'Ż', 'z'), '"', ''''), '\', '_'), char(127), '_') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'í', 'i'), 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'ı', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i'), 'Ï', 'i'), 'İ', 'i'), 'ł', 'l'), 'Ł', 'l'), 'ñ', 'n'), 'ń', 'n'), 'ň', 'n'), 'Ñ', 'n'), 'Ń', 'n'), 'Ň', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o'), 'ö', 'o'), 'õ', 'o'), 'ø', 'o'), 'ő', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o'), 'Õ', 'o'), 'Ø', 'o'), 'Ő', 'o'), 'ř', 'r'), 'Ř', 'r'), 'š', 's'), 'ś', 's'), 'ş', 's'), 'ș', 's'), 'Š', 's'), 'Ś', 's') AS t FROM (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a'), 'ă', 'a'), 'ą', 'a'), 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a'), 'Ă', 'a'), 'Ą', 'a'), 'ç', 'c'), 'ć', 'c'), 'č', 'c'), 'Ç', 'c'), 'Ć', 'c'), 'Č', 'c'), 'ď', 'd'), 'đ', 'd'), 'Ď', 'd'), 'Đ', 'd'), 'é', 'e'), 'è', 'e'), 'ê', 'e'), 'ë', 'e'), 'ę', 'e'), 'ě', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'Ę', 'e'), 'Ě', 'e'), 'ğ', 'g'), 'Ğ', 'g') AS t FROM (SELECT lower(NEW.after) AS t))))), lower(NEW.after)) || char(983040 + NEW.id % 8192, 127), ''))
  WHERE list = NEW.list AND first_id = (SELECT max(first_id) FROM search_blocks WHERE list = NEW.list AND first_id <= NEW.id);
END;
CREATE TRIGGER search_blocks_come_together AFTER INSERT ON search_blocks
WHEN NEW.width = 128
BEGIN
  INSERT INTO search_blocks (list, first_id, width, texts)
  SELECT list, first_id - first_id % 1024, 1024, group_concat(texts, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE list = NEW.list AND first_id >= NEW.first_id - NEW.first_id % 8192 - 16384 AND first_id < NEW.first_id - NEW.first_id % 1024 AND width < 1024
  GROUP BY list, first_id - first_id % 1024 HAVING sum(octet_length(texts)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, texts = excluded.texts;
  DELETE FROM search_blocks WHERE list = NEW.list AND first_id >= NEW.first_id - NEW.first_id % 8192 - 16384 AND first_id < NEW.first_id - NEW.first_id % 1024 AND width < 1024
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 1024 AND wide.width = 1024);
  INSERT INTO search_blocks (list, first_id, width, texts)
  SELECT list, first_id - first_id % 8192, 8192, group_concat(texts, '' ORDER BY first_id DESC) FROM search_blocks
  WHERE list = NEW.list AND first_id >= NEW.first_id - NEW.first_id % 8192 - 16384 AND first_id < NEW.first_id - NEW.first_id % 8192 - 8192 AND width < 8192
  GROUP BY list, first_id - first_id % 8192 HAVING sum(octet_length(texts)) < 1000000
  ON CONFLICT (list, first_id) DO UPDATE SET width = excluded.width, texts = excluded.texts;
  DELETE FROM search_blocks WHERE list = NEW.list AND first_id >= NEW.first_id - NEW.first_id % 8192 - 16384 AND first_id < NEW.first_id - NEW.first_id % 8192 - 8192 AND width < 8192
    AND EXISTS (SELECT 1 FROM search_blocks AS wide WHERE wide.list = search_blocks.list AND wide.first_id = search_blocks.first_id - search_blocks.first_id % 8192 AND wide.width = 8192);
END;
