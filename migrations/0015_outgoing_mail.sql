-- Mails that could not be handed over. They hold links that open accounts, so they are sealed; each is tried again until it is of no use.
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

-- What a person has to look at, found without reading what is in order.
CREATE INDEX documents_not_integrated ON documents (last_update) WHERE integration_error IS NOT NULL;
CREATE INDEX bookings_paid_too_late ON bookings (last_update) WHERE paid_after_expiry = 1;
