-- Customer access and staff sign-in (document 2, customer access; decisions, section 8).

-- Which key signs the account's tokens: a new generation is a new key, the generation before stays good, the one before that does not.
-- Without a row it is 1. To rotate (decision 0006): INSERT INTO token_keys (id, generation) VALUES (1, 2)
-- ON CONFLICT (id) DO UPDATE SET generation = generation + 1;
CREATE TABLE token_keys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL CHECK (generation >= 1)
) STRICT;

-- How often something was tried lately, by a user, a name nobody has or an address; names and addresses only as keyed hashes.
CREATE TABLE access_attempts (
  action TEXT NOT NULL CHECK (action IN ('login', 'sign_up', 'check', 'forgotten', 'change')),
  subject TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 1),
  window_ends_at INTEGER NOT NULL,
  PRIMARY KEY (action, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX access_attempts_by_end ON access_attempts (window_ends_at);

-- A new password ends all links of its user; expired ones are swept out.
CREATE INDEX password_resets_by_user ON password_resets (user_id);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);

-- What was sent, for the page /dev/mailbox. Development builds write it; a production build does not know it.
CREATE TABLE development_mails (
  id INTEGER PRIMARY KEY,
  sent_at INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL
) STRICT;
