-- What the authorities call makes, colours, kinds of vehicles and municipalities, as it was fetched (docs/interfaces/ses.md#lists).
CREATE TABLE communication_lists (
  name TEXT NOT NULL, -- brand, color, type, licence; municipalities:07 is a province's
  environment TEXT NOT NULL CHECK (environment IN ('test', 'production')),
  entries TEXT NOT NULL CHECK (json_valid(entries)), -- [["SEAT", "Seat"], …]: code and word
  fetched_at INTEGER NOT NULL,
  PRIMARY KEY (name, environment)
) STRICT;

-- Whom a branch's rentals are communicated to. Only ses_hospedajes is built.
ALTER TABLE branches ADD COLUMN rental_register TEXT NOT NULL DEFAULT 'ses_hospedajes'
  CHECK (rental_register IN ('ses_hospedajes', 'mossos', 'ertzaintza', 'other', 'none'));

-- How a customer consented to marketing, beside when (marketing_consent_at), and that it was withdrawn.
ALTER TABLE customers ADD COLUMN marketing_consent_door TEXT
  CHECK (marketing_consent_door IN ('desk', 'phone', 'website', 'mail', 'paper'));
ALTER TABLE customers ADD COLUMN marketing_withdrawn_at INTEGER;
ALTER TABLE customers ADD COLUMN marketing_withdrawn_door TEXT
  CHECK (marketing_withdrawn_door IN ('desk', 'phone', 'website', 'mail', 'paper'));

-- What was deleted because its time was over: of which kind, when and how many; never what it was.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  count INTEGER NOT NULL
) STRICT;
CREATE INDEX deletions_by_kind ON deletions (kind, at);

-- When what is due and not communicated yet was looked at last: what mends it (a vehicle, a code) changes no contract.
ALTER TABLE communication_cursor ADD COLUMN looked_at INTEGER NOT NULL DEFAULT 0;
