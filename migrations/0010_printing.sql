-- Layout of the company's documents. The logo is a PNG or JPEG in base64, the colour #rrggbb.
CREATE TABLE letterhead (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  color TEXT NOT NULL DEFAULT '#1f4e79' CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
  logo TEXT CHECK (length(logo) <= 300000),
  foot TEXT NOT NULL DEFAULT ''
) STRICT;

-- General conditions of rental contracts, in each of the company's languages.
CREATE TABLE contract_terms (
  language TEXT PRIMARY KEY CHECK (language IN ('es', 'ca', 'en', 'de', 'fr', 'it', 'pt', 'nl')),
  terms TEXT NOT NULL CHECK (length(terms) BETWEEN 1 AND 60000)
) STRICT, WITHOUT ROWID;
