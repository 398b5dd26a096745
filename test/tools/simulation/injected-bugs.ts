/** Database guards that can be removed, each with its SQL. A run without one must fail. */
export const SQL_BY_INJECTED_BUG: Readonly<Record<string, string>> = {
  stock: "DROP TRIGGER stock_allocations_insert_limit_stock",
  money: `CREATE TRIGGER sabotage AFTER INSERT ON charges BEGIN
    UPDATE bookings SET total_paid_cents = total_paid_cents + 100 WHERE id = NEW.booking_id; END`,
  commissions: "DROP TRIGGER bookings_update_earned_commission",
  keys: `CREATE TRIGGER sabotage AFTER INSERT ON office_requests BEGIN
    DELETE FROM office_requests WHERE request_key = NEW.request_key; END`,
  expenses: `CREATE TRIGGER sabotage AFTER DELETE ON expenses BEGIN
    INSERT INTO expenses (id, vehicle_reference, expense_concept_id, date, reference, branch_code, branch_group_id, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents)
      VALUES (OLD.id, OLD.vehicle_reference, OLD.expense_concept_id, OLD.date, OLD.reference, OLD.branch_code, OLD.branch_group_id,
        OLD.total_without_taxes_cents, OLD.subtotal_cents, OLD.taxes_cents, OLD.total_cents); END`,
  drawer: `CREATE TRIGGER sabotage AFTER INSERT ON cash_closings BEGIN
    UPDATE cash_closings SET last_charge_id = max(0, last_charge_id - 1) WHERE id = NEW.id; END`,
  places: `CREATE TRIGGER sabotage AFTER UPDATE OF branch_code ON vehicles WHEN NEW.branch_code <> OLD.branch_code BEGIN
    UPDATE vehicles SET branch_code = OLD.branch_code WHERE reference = NEW.reference; END`,
};
