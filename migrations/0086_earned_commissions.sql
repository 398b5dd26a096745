-- What an agent earns of a booking by its terms and its price as they stand; nothing of what is cancelled (decision 0060).
CREATE VIEW earned_commissions AS
SELECT id AS booking_id,
  iif(agent_id IS NULL OR status = 'cancelled', 0, item_cents) AS base_cents,
  CASE WHEN agent_id IS NULL OR status = 'cancelled' THEN 0
    WHEN agent_commission_calculation = 'percentage' THEN (item_cents * agent_commission_basis_points + 5000) / 10000
    ELSE agent_commission_fixed_cents END AS total_cents
FROM bookings;

-- The triggers say when it is reckoned, by that alone.
DROP TRIGGER bookings_begin_commission;
DROP TRIGGER bookings_change_agent;
DROP TRIGGER bookings_earn_commission;
CREATE TRIGGER bookings_begin_commission AFTER INSERT ON bookings WHEN NEW.agent_id IS NOT NULL AND NEW.agent_commission_calculation IS NULL
BEGIN
  UPDATE bookings SET (agent_commission_calculation, agent_commission_fixed_cents, agent_commission_basis_points) =
    (SELECT commission_calculation, commission_fixed_cents, commission_basis_points FROM agents WHERE id = NEW.agent_id) WHERE id = NEW.id;
  UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = NEW.id) WHERE id = NEW.id;
END;
CREATE TRIGGER bookings_change_agent AFTER UPDATE OF agent_id ON bookings WHEN NEW.agent_id IS NOT OLD.agent_id AND NEW.agent_commission_paid = 0
BEGIN
  UPDATE bookings SET
      agent_commission_calculation = (SELECT commission_calculation FROM agents WHERE id = NEW.agent_id),
      agent_commission_fixed_cents = coalesce((SELECT commission_fixed_cents FROM agents WHERE id = NEW.agent_id), 0),
      agent_commission_basis_points = coalesce((SELECT commission_basis_points FROM agents WHERE id = NEW.agent_id), 0)
    WHERE id = NEW.id;
  UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = NEW.id) WHERE id = NEW.id;
END;
CREATE TRIGGER bookings_earn_commission AFTER UPDATE OF item_cents, status ON bookings
WHEN NEW.agent_id IS NOT NULL AND NEW.agent_commission_paid = 0 AND (NEW.item_cents <> OLD.item_cents OR (NEW.status = 'cancelled') <> (OLD.status = 'cancelled'))
BEGIN
  UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = NEW.id) WHERE id = NEW.id;
END;
