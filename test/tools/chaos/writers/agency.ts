import { type Actor, type ChaosWriter, pickRental } from "./actor.ts";

/** Creates a travel agency that books, retries if uncertain, changes and cancels. */
export function createAgencyWriter(apiKey: string): ChaosWriter {
  return async (actor) => {
    const { account, history, random } = actor;
    const { category_code: code, ...rental } = pickRental(actor);
    const reference = `chaos-${random.hex(16)}`;
    const id = `${apiKey}/${reference}`;
    const reservation = {
      ...rental,
      ...{ customer_name: "Ana", customer_surname: `of ${account}`, agency_reservation_id: reference },
      products: [{ code, quantity: random.between(1, 2) }],
      extras: random.chance(0.4) ? [{ code: random.pick(actor.data.extras), quantity: 1 }] : [],
    };
    history.agencyBookings.set(id, { account, state: "asked" });
    // Sold out, or the branch is closed that day.
    const booked = await actor.send("createBooking", {}, { reservation }, { apiKey, refusals: [400, 409] });
    history.agencyBookings.set(id, { account, state: booked.isDone ? "booked" : "refused" });
    if (!booked.isDone) return;
    // An uncertain agency retries and gets the stored booking.
    if (random.chance(0.15)) await actor.repeat(booked);
    if (random.chance(0.3)) await change(actor, apiKey, reference);
    if (!random.chance(0.3)) return;
    history.agencyBookings.set(id, { account, state: "cancelling" });
    await actor.send("cancelBooking", {}, { reservation: { agency_reservation_id: reference } }, { apiKey });
    history.agencyBookings.set(id, { account, state: "cancelled" });
  };
}

// May be refused: the vehicle is handed over, or the branch is closed then. A repetition changes nothing.
function change(actor: Actor, apiKey: string, reference: string) {
  const reservation = { agency_reservation_id: reference, time_to: "11:00", customer_name: "Eva" };
  return actor.send("changeBooking", {}, { reservation }, { apiKey, refusals: [400, 409] });
}

/** Creates the company's ERP, which reports invoices and internal bonds as processed. */
export const reportAsErp: ChaosWriter = async (actor) => {
  const { account, random } = actor;
  const { invoices, bonds } = actor.data;
  const isBond = bonds.length > 0 && random.chance(0.3);
  const id = random.pick(isBond ? bonds : invoices);
  const operation = isBond ? "reportInternalBondProcessed" : "reportInvoiceProcessed";
  const name = `processed document ${id}`;
  const sql = "SELECT 1 FROM documents WHERE id = ? AND accounting_processed = 1";
  if (actor.history.expectations.get(`${account} ${name}`)?.atLeast !== 1) actor.expect(name, sql, [id], [0, 1]);
  await actor.send(operation, { id }, { status: "processed" }, { apiKey: `${account}-erp` });
  actor.expect(name, sql, [id], 1);
};
