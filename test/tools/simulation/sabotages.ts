/** Guards of the database that are taken away, each with the SQL that does it: a run without one must fail. */
export const SABOTAGES: Readonly<Record<string, string>> = {
  stock: "DROP TRIGGER stock_allocations_never_exceed_stock",
  money: `CREATE TRIGGER sabotage AFTER INSERT ON charges BEGIN
    UPDATE bookings SET total_paid_cents = total_paid_cents + 100 WHERE id = NEW.booking_id; END`,
};
