-- Money that is given back at the gateway that took it. A row is written before the gateway is asked, so that nothing is asked twice and
-- nothing that was asked is forgotten; its charge is written when the gateway has said that it did it, by its answer or by its notification.
CREATE TABLE gateway_refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  intent_id TEXT NOT NULL REFERENCES payment_intents (id),
  -- The refund that two people decided on, where it is of one.
  request_id INTEGER REFERENCES refund_requests (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL,
  -- sent: asked, and what came of it is not known yet. by_hand, dropped: a person has decided on what the gateway did not do.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'done', 'refused', 'by_hand', 'dropped')),
  -- What the gateway said, or that it said nothing.
  problem TEXT,
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  sent_at INTEGER,
  ended_at INTEGER,
  CHECK (state <> 'sent' OR sent_at IS NOT NULL),
  CHECK ((state IN ('done', 'by_hand', 'dropped')) = (ended_at IS NOT NULL))
) STRICT;
CREATE INDEX gateway_refunds_by_booking ON gateway_refunds (booking_id);
CREATE INDEX gateway_refunds_by_intent ON gateway_refunds (intent_id);
CREATE INDEX gateway_refunds_by_request ON gateway_refunds (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX gateway_refunds_open ON gateway_refunds (asked_at) WHERE state IN ('waiting', 'sent', 'refused');
-- What has ended stays as it ended; of what was decided by two racers the second batch is refused.
CREATE TRIGGER gateway_refunds_end_once BEFORE UPDATE OF state ON gateway_refunds WHEN OLD.state IN ('done', 'by_hand', 'dropped')
BEGIN
  SELECT RAISE(ABORT, 'refund_decided');
END;
CREATE TRIGGER gateway_refunds_stay_as_asked BEFORE UPDATE OF id, booking_id, intent_id, amount_cents ON gateway_refunds
BEGIN
  SELECT RAISE(ABORT, 'refund_as_asked');
END;

-- Of a refund that two people decide on: a person gives it back, no gateway is asked.
ALTER TABLE refund_requests ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1));

-- A serie that goes on from another system begins after a number of there; one that is made before its first document at none. What is
-- known of it by the office, and when the office changed it last: issuing a document says neither.
CREATE TABLE number_series_of_the_office (
  company_id INTEGER NOT NULL,
  serie TEXT NOT NULL,
  last_number INTEGER NOT NULL CHECK (last_number >= 0),
  last_date TEXT NOT NULL CHECK (last_date IS date(last_date)),
  note TEXT,
  last_update INTEGER,
  PRIMARY KEY (company_id, serie)
) STRICT, WITHOUT ROWID;
INSERT INTO number_series_of_the_office (company_id, serie, last_number, last_date)
  SELECT company_id, serie, last_number, last_date FROM number_series;
DROP TABLE number_series;
ALTER TABLE number_series_of_the_office RENAME TO number_series;
-- Numbers have no gaps: where a document was issued in it nobody moves a serie but the next document.
CREATE TRIGGER number_series_of_documents_stay BEFORE UPDATE OF last_update ON number_series
WHEN (NEW.last_number <> OLD.last_number OR NEW.last_date <> OLD.last_date) AND EXISTS (SELECT 1 FROM documents
  WHERE company_id = OLD.company_id AND serie = OLD.serie AND form IS NOT NULL AND number IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'series_used');
END;
CREATE TRIGGER number_series_of_documents_are_not_removed BEFORE DELETE ON number_series WHEN EXISTS (SELECT 1 FROM documents
  WHERE company_id = OLD.company_id AND serie = OLD.serie AND form IS NOT NULL AND number IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'series_used');
END;
