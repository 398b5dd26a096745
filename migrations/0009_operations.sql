-- Mails that wait to be sent, and those that development shows.

-- Mails that could not be handed over. They hold links that open accounts, so they are sealed; each is tried again
-- until it is of no use.
CREATE TABLE outgoing_mails (
  id INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL,
  subject TEXT NOT NULL, -- what staff may see of it
  attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts >= 1),
  next_at INTEGER NOT NULL,
  useless_at INTEGER NOT NULL,
  last_error TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX outgoing_mails_by_next ON outgoing_mails (next_at);

-- What was sent, for the page /dev/mailbox. Development builds write it; a production build does not know it.
CREATE TABLE development_mails (
  id INTEGER PRIMARY KEY,
  sent_at INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL
) STRICT;
