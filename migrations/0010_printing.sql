-- What is printed: the company's own head, its general conditions, contracts as they were signed; the mails that link them.
-- How the company's papers look. The logo is a PNG or a JPEG in base64, the colour #rrggbb.
CREATE TABLE letterhead (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  color TEXT NOT NULL DEFAULT '#1f4e79' CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
  logo TEXT CHECK (length(logo) <= 300000),
  foot TEXT NOT NULL DEFAULT ''
) STRICT;

-- The general conditions of rental contracts, in each language the company has them in.
CREATE TABLE contract_terms (
  language TEXT PRIMARY KEY CHECK (language IN ('es', 'ca', 'en', 'de')),
  terms TEXT NOT NULL CHECK (length(terms) BETWEEN 1 AND 60000)
) STRICT, WITHOUT ROWID;
