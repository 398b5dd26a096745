import { setTimeout } from "node:timers/promises";
import type { AccountName } from "#tools/platform/client.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { sendToOffice, sendWithIdempotencyKey, writeOfficeResource } from "./office-requests.ts";
import { expectRows, recordExpectation } from "./record-expectations.ts";
import { applyReservationAction, RESERVATIONS_PATH, type ReservationSnapshot } from "./reservation-actions.ts";

const ZONES: Readonly<Record<AccountName, string>> = { acme: "Europe/Madrid", globex: "America/New_York" };
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const READ = { fuel_eighths: 8, readings_confirmed: true };
const DENT = { part: "roof", kind: "dent", severity: "light", x: 500, y: 483 };
const EXCHANGED = { fuel_eighths_in: 8, fuel_eighths_out: 8, damages_in: [DENT], readings_confirmed: true };

interface Vehicle {
  readonly reference: string;
  readonly usage_units: number;
}

/** Applies consecutive actions to a reservation. */
type Doing = (
  reservation: ReservationSnapshot,
  move: string,
  fields: object,
) => Promise<ReservationSnapshot | undefined>;

/**
 * Creates desk staff who perform a contract's life: sale to a walk-in, hand-over with payment, extension or early
 * return, vehicle exchange, return, and reopening after an error.
 */
export function createContractLifeWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const rental = pickRental(context, account);
    const [first, second] = await twoVehicles(context, account, rental);
    const deskSale = await sellAtDesk(context, account, rental, 2 * MINUTE);
    if (!deskSale) return;
    const { told, doing } = deskSale;
    if (!first || !second) return void (await doing(told, "cancel", { reason: "chaos" }));
    const assigned = await doing(told, "assign", { reference: first.reference });
    const kind = context.random.pick(["payment", "deposit_taken"]);
    const charges = [{ kind, amount: "10.00", payment_method_id: "cash" }];
    const out = { reference: first.reference, kilometres: first.usage_units, charges, ...READ };
    const delivered = await doing(assigned ?? told, "deliver", out);
    if (delivered) await drive(doing, context, { snapshot: delivered, first, second });
  };
}

/** Creates desk staff with a customer who doesn't show up: a reservation for this minute is a no-show in the next. */
export function createNoShowWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const rental = pickRental(context, account);
    await twoVehicles(context, account, rental);
    const deskSale = await sellAtDesk(context, account, rental, 0);
    if (!deskSale) return;
    await setTimeout(MINUTE - (Date.now() % MINUTE) + 100);
    await deskSale.doing(deskSale.told, "no-show", context.random.chance(0.5) ? { fee: "5.00" } : {});
  };
}

async function sellAtDesk(
  context: WriterContext,
  account: AccountName,
  { place, code }: Pick<ReturnType<typeof pickRental>, "place" | "code">,
  fromNow: number,
) {
  const road = { account, token: context.staffTokens[account] };
  const body = {
    ...{
      ...formatBranchTime(account, "from", fromNow),
      ...formatBranchTime(account, "to", 2 * DAY),
      category_code: code,
    },
    ...{ pickup_place: place, return_place: place, customer: { name: "Rosa", surname: `of ${account}` } },
    confirm_new: true,
  };
  const reservation = await applyReservationAction(
    context,
    { ...road, path: RESERVATIONS_PATH, method: "POST", reservation: undefined },
    body,
  );
  const doing: Doing = (rental, move, fields) =>
    applyReservationAction(
      context,
      { ...road, path: `${RESERVATIONS_PATH}/${rental.id}/${move}`, method: "POST", reservation: rental },
      { expected_version: rental.version, ...fields },
    );
  return reservation && { told: reservation, doing };
}

async function drive(
  doing: Doing,
  context: WriterContext,
  {
    snapshot,
    first,
    second,
  }: { readonly snapshot: ReservationSnapshot; readonly first: Vehicle; readonly second: Vehicle },
): Promise<void> {
  const { random } = context;
  const until = random.pick([DAY, 3 * DAY, 4 * DAY]);
  const move = until < 2 * DAY ? "early-return" : "extend";
  const agreed = (await doing(snapshot, move, formatBranchTime("acme", "to", until))) ?? snapshot;
  const [at, out] = [first.usage_units, second.usage_units];
  const other = { reference: second.reference, kilometres_in: at + 5, kilometres_out: out, ...EXCHANGED };
  const exchanged = random.chance(0.5) ? await doing(agreed, "exchange", other) : undefined;
  if (exchanged && random.chance(0.7)) await repair(context, first.reference);
  const back = { ...READ, kilometres: (exchanged ? out : at) + 20 };
  const closed = await doing(exchanged ?? agreed, "collect", back);
  if (!closed) return;
  const charged = random.chance(0.5) ? await charge(doing, closed) : closed;
  await random.pickWeighted<() => Promise<unknown>>([
    [async () => undefined, 1],
    [() => settle(context, doing, charged), 1],
    [() => takeBackAgain(doing, charged, { ...back, kilometres: back.kilometres + random.between(0, 9) }), 2],
  ])();
}

async function takeBackAgain(doing: Doing, closed: ReservationSnapshot, back: object): Promise<void> {
  const opened = await doing(closed, "reopen", { reason: "chaos" });
  if (opened) await doing(opened, "collect", back);
}

// Adds a fine after the contract has ended.
async function charge(doing: Doing, closed: ReservationSnapshot): Promise<ReservationSnapshot> {
  const fine = { code: "FINE", amount: "12.34", text: `Chaos ${closed.id}`, reason: "chaos" };
  return (await doing(closed, "surcharge", fine)) ?? closed;
}

const SETTLED = "SELECT 1 FROM bookings WHERE id = ? AND agent_commission_paid = 1";

// Settles the agent's commission, and sometimes reopens it.
async function settle(context: WriterContext, doing: Doing, closed: ReservationSnapshot): Promise<void> {
  const agentReservation = await doing(closed, "agent", { agent_id: 1 });
  if (!agentReservation) return;
  const paid = { account: "acme", sql: SETTLED, values: [closed.id] } as const;
  const write = { account: "acme", method: "POST", kind: "commissions", id: String(closed.id) } as const;
  const ids = { reservation_ids: [closed.id] };
  const settlement = await recordExpectation(context, `commission ${closed.id}`, { ...paid, before: 0, after: 1 }, () =>
    sendWithIdempotencyKey(context, { ...write, path: "/commissions/settle", body: { agent_id: 1, ...ids } }),
  );
  if (!settlement || context.random.chance(0.7)) return;
  await recordExpectation(context, `commission ${closed.id}`, { ...paid, before: 1, after: 0 }, () =>
    sendWithIdempotencyKey(context, { ...write, path: "/commissions/unsettle", body: ids }),
  );
}

const REPAIRED = "SELECT 1 FROM vehicle_damages WHERE id = ? AND repaired_at IS NOT NULL";
const REPAIRS = "SELECT 1 FROM vehicle_history WHERE vehicle_reference = ? AND event = 'repaired'";

// Repairs a damaged vehicle in the workshop.
async function repair(context: WriterContext, reference: string): Promise<void> {
  const path = `/vehicles/${reference}`;
  const { vehicle } = await sendToOffice(context, { account: "acme", method: "GET", path });
  const [damage] = vehicle.damages;
  const question = { account: "acme", sql: REPAIRED, values: [damage.id] } as const;
  const write = { account: "acme", method: "POST", path: `${path}/damages/${damage.id}/repaired` } as const;
  await recordExpectation(context, `damage ${damage.id}`, { ...question, before: 0, after: 1 }, () =>
    sendWithIdempotencyKey(context, { ...write, kind: "repairs", id: reference }),
  );
  expectRows(context, `repairs of ${reference}`, { account: "acme", sql: REPAIRS, values: [reference] }, 1);
}

// Creates two vehicles at the pickup branch, because the demo's own are reserved.
async function twoVehicles(
  context: WriterContext,
  account: AccountName,
  { place, code }: Pick<ReturnType<typeof pickRental>, "place" | "code">,
): Promise<readonly Vehicle[]> {
  const rental_location_code = context.accountData[account].branchOf.get(place);
  const createdVehicles = [];
  for (let value = 0; value < 2; value++) {
    const reference = `ROAD-${context.random.hex(8).toUpperCase()}`;
    const body = { reference, name: "Road", category_code: code, rental_location_code };
    createdVehicles.push(
      await writeOfficeResource(context, { account, method: "POST", path: "/vehicles", body, kind: "vehicles" }),
    );
  }
  return createdVehicles.flatMap((createdVehicle) =>
    createdVehicle ? [{ reference: createdVehicle.id, usage_units: 0 }] : [],
  );
}

/** Returns the date fields of a future time in the account's time zone. */
function formatBranchTime(account: AccountName, which: "from" | "to", milliseconds: number) {
  const localTime = new Date(Date.now() + milliseconds).toLocaleString("sv-SE", { timeZone: ZONES[account] });
  return { [`date_${which}`]: localTime.slice(0, 10), [`time_${which}`]: localTime.slice(11, 16) };
}
