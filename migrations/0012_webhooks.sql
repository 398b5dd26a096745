-- Webhooks: addresses, events (the outbox), deliveries and attempts (Standard Webhooks 1.0).
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL CHECK (length(url) <= 500),
  description TEXT,
  events TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(events)), -- empty: all events
  agency_id INTEGER REFERENCES agencies (id), -- the owning agency. NULL: the company's own systems
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  disabled_at TEXT, -- ISO, UTC
  disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing')),
  secret_sealed TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_valid_until INTEGER,
  public_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_update INTEGER NOT NULL,
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CHECK (disabled_at IS NULL OR active = 0)
) STRICT;

-- Delivery state of an address. Separate, because it changes with every failure.
CREATE TABLE webhook_states (
  webhook_id INTEGER PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  failing_since INTEGER,
  paused_until INTEGER
) STRICT;

-- Events, written by triggers in the causing batch. The message text is set at the first read.
CREATE TABLE webhook_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  subject TEXT NOT NULL, -- ordering key: 'booking:12', 'vehicle:A-1'
  resource TEXT, -- the charge, the document or the vehicle
  booking_id INTEGER,
  at INTEGER NOT NULL,
  agency_id INTEGER,
  body TEXT
) STRICT;

CREATE INDEX webhook_events_to_spread ON webhook_events (id) WHERE body IS NULL;

CREATE INDEX webhook_events_by_time ON webhook_events (at);

CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  first_at INTEGER,
  next_at INTEGER NOT NULL, -- while it is being sent, the end of the lease
  created_at INTEGER NOT NULL,
  UNIQUE (webhook_id, event_id)
) STRICT;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';

CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (webhook_id, subject, event_id) WHERE state = 'waiting';

CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);

CREATE TABLE webhook_attempts (
  id INTEGER PRIMARY KEY,
  delivery_id INTEGER NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  url TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  signature TEXT NOT NULL,
  status INTEGER,
  problem TEXT,
  answer TEXT, -- start of the response
  milliseconds INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id);

CREATE TRIGGER webhooks_update_reset_state AFTER UPDATE OF active, url ON webhooks WHEN NEW.url <> OLD.url OR (NEW.active = 1 AND OLD.active = 0)
BEGIN
  DELETE FROM webhook_states WHERE webhook_id = NEW.id;
  UPDATE webhook_deliveries SET next_at = min(next_at, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE webhook_id = NEW.id AND state = 'waiting';
END;
