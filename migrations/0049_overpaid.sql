-- What an agent kept is no debt of the customer: who paid it, too, is owed it back, and waits for a person.
DROP INDEX bookings_overpaid;
CREATE INDEX bookings_overpaid ON bookings (last_update)
  WHERE status <> 'cancelled' AND total_paid_cents > total_cents - credited_cents - agent_commission_prepaid_cents;
