-- What was credited of a kept fee is owed back: of a cancelled contract, credited_cents is what no paper asks for of it.
UPDATE bookings SET credited_cents = max(0, cancellation_fee_cents - (SELECT sum(paper.total_cents) FROM documents AS paper
  WHERE paper.booking_id = bookings.id AND paper.replaced_by_document_id IS NULL
    AND (paper.invoice_status = 'invoice' OR paper.invoice_mode <> 'reservation_retainer')))
  WHERE status = 'cancelled' AND cancellation_fee_cents > 0 AND EXISTS (SELECT 1 FROM documents WHERE booking_id = bookings.id);
DROP INDEX bookings_owed_back;
CREATE INDEX bookings_owed_back ON bookings (last_update) WHERE status = 'cancelled' AND total_paid_cents > cancellation_fee_cents - credited_cents;
