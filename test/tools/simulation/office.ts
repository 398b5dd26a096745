import { type Clients, callUntilAnswered, formatEpochDay, getAgencyReference } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import { createRequestKey, OFFICE_PATH, type OfficeContext, sendOfficeWrite, signInAtDesk } from "./office-write.ts";
import type { SimulatedOfficeAction, Step } from "./steps.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type StepOf<K extends Step["does"]> = Extract<Step, { readonly does: K }>;

/** A reservation as the office reads it before an action. */
export interface ReadReservation {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly total_cost: string;
  readonly agent_id: number | null;
  readonly units: readonly { readonly id: number; readonly reference: string; readonly collected: string | null }[];
}

/** Finds the booking id of an earlier step. */
export type FindBooking = (booking: {
  readonly reference: string;
  readonly freeAccessId: string;
}) => number | undefined;

/** Applies an office action to the current state of a booking. */
export async function applyOfficeAction(clients: Clients, step: StepOf<"office">, find: FindBooking): Promise<void> {
  const { history } = clients;
  const bought = history.purchases.get(step.booking);
  const freeAccessId = bought?.state === "placed" ? bought.freeAccessId : "";
  if (!freeAccessId && history.bookings.get(step.booking) !== "booked") return;
  const id = find({ reference: getAgencyReference(step.booking), freeAccessId });
  const desk = id === undefined ? undefined : await signInAtDesk(clients, step.id);
  const read = desk && id !== undefined ? await readReservation(desk, id) : undefined;
  if (!desk || !read) return;
  // The agency isn't informed of a cancellation by the office.
  if (step.move === "cancel" && history.bookings.has(step.booking)) history.bookings.set(step.booking, "cancelling");
  await BOOKING_ACTIONS[step.move](desk, read, step.percent);
}

async function readReservation({ clients, token }: OfficeContext, id: number): Promise<ReadReservation | undefined> {
  const path = `${OFFICE_PATH}/reservations/${id}`;
  const answer = await callUntilAnswered(clients, { method: "GET", path, headers: { Authorization: token } });
  if (answer && answer.status !== 200) clients.history.faults.push(`GET ${path}: ${answer.status} ${answer.text}`);
  return answer?.status === 200 ? JSON.parse(answer.text).reservation : undefined;
}

type BookingAction = (desk: OfficeContext, booking: ReadReservation, percent: number) => Promise<unknown>;

const getPercentage = ({ total_cost }: ReadReservation, percent: number) =>
  Math.floor(Number(total_cost) * percent) / 100;

/** Posts an action on a reservation at its version. */
function post(
  desk: OfficeContext,
  { id, version }: ReadReservation,
  action: string,
  fields: object,
  options?: Parameters<typeof sendOfficeWrite>[4],
) {
  return sendOfficeWrite(
    desk,
    "POST",
    `/reservations/${id}/${action}`,
    { expected_version: version, ...fields },
    options,
  );
}

const BOOKING_ACTIONS: Readonly<Record<SimulatedOfficeAction, BookingAction>> = {
  agent: (desk, booking, percent) => {
    const prepaidAmount = percent % 3 === 0 ? getPercentage(booking, percent).toFixed(2) : "0";
    const agent_id = percent % 7 === 0 ? null : 1 + (percent % 2);
    const prepaid = agent_id === null ? "0" : prepaidAmount;
    return post(desk, booking, "agent", { agent_id, agent_comission_prepaid_amount: prepaid });
  },
  change: (desk, booking, percent) => {
    const date_to = formatEpochDay(Date.parse(booking.date_to) / DAY + (percent % 4) - 1);
    if (booking.status === "in_progress")
      return post(desk, booking, percent % 4 === 0 ? "early-return" : "extend", { date_to, time_to: booking.time_to });
    const body = { expected_version: booking.version, date_to, notes: `step ${desk.step}` };
    return sendOfficeWrite(desk, "PATCH", `/reservations/${booking.id}`, body);
  },
  cancel: (desk, booking, percent) =>
    post(desk, booking, "cancel", { reason: `step ${desk.step}`, fee: getPercentage(booking, percent).toFixed(2) }),
  cash: (desk, booking, percent) =>
    takeCash(desk, booking, Math.max(1, Math.floor(Number(booking.total_cost) * percent))),
  giveBack: (desk, { id }, percent) => {
    const amount = (percent / 4 + 0.25).toFixed(2);
    const body = { amount, payment_method_id: "cash", by_hand: true, reason: "said so" };
    return sendOfficeWrite(desk, "POST", `/reservations/${id}/refund`, body);
  },
  surcharge: (desk, booking, percent) => {
    const { history, timeline } = desk.clients;
    const [text, cents] = [`fine of step ${desk.step}.`, 100 + percent * 37];
    const fine = { code: "FINE", amount: (cents / 100).toFixed(2), text, reason: "the police wrote" };
    const onStateChange = (state: RequestRecord["state"]) =>
      void history.surcharges.set(text, { description: "surcharge", state, cents, at: timeline.now() });
    return post(desk, booking, "surcharge", fine, { onStateChange });
  },
  reopen: async (desk, booking) => {
    const opened = await post(desk, booking, "reopen", { reason: `step ${desk.step}` });
    if (opened?.status !== 200) return;
    await desk.clients.timeline.sleep(HOUR);
    await takeBackAgain(desk, booking.id);
  },
  settle: (desk, booking) => settle(desk, booking, "settle"),
  unsettle: (desk, booking) => settle(desk, booking, "unsettle"),
};

async function takeCash(
  { clients, step, token }: OfficeContext,
  { id }: ReadReservation,
  cents: number,
): Promise<void> {
  const { history, timeline } = clients;
  const uid = createRequestKey(step, 1);
  const keep = (state: RequestRecord["state"]) =>
    history.charges.set(uid, { description: "cash", state, cents, at: timeline.now() });
  const charge = { kind: "charge", amount: (cents / 100).toFixed(2), payment_method_id: "cash" };
  const headers = { Authorization: token, "Content-Type": "application/json" };
  const body = JSON.stringify({ request_id: uid, ...charge });
  keep("asked");
  const path = `/api/v1/booking/${id}/charges`;
  const answer = await callUntilAnswered(clients, { method: "POST", path, headers, body });
  if (answer) keep(answer.status === 200 ? "done" : "refused");
  if (answer && answer.status !== 200) history.refusals.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
}

// Correct the reading of each unit.
async function takeBackAgain(desk: OfficeContext, id: number): Promise<void> {
  const opened = await readReservation(desk, id);
  for (const [at, unit] of (opened?.units ?? []).entries()) {
    const now = await readReservation(desk, id);
    if (!now) return;
    const read = { unit_id: unit.id, kilometres: 500 + desk.step, fuel_eighths: 8, readings_confirmed: true };
    await post(desk, now, "collect", read, { turn: 2 + at });
  }
}

// The agent is often added only when the commission is settled.
async function settle(desk: OfficeContext, booking: ReadReservation, move: "settle" | "unsettle"): Promise<void> {
  const { id } = booking;
  const nameLate = async () => ((await post(desk, booking, "agent", { agent_id: 1 }))?.status === 200 ? 1 : undefined);
  const agent_id = booking.agent_id ?? (move === "settle" ? await nameLate() : undefined);
  if (agent_id === undefined) return;
  const { settled } = desk.clients.history;
  const before = settled.has(id) ? { cents: settled.get(id) } : undefined;
  const body = { ...(move === "settle" && { agent_id }), reservation_ids: [id] };
  const onStateChange = (state: RequestRecord["state"]) => {
    if (state === "asked") settled.set(id, undefined);
    else if (state === "refused" && before) settled.set(id, before.cents);
    else settled.delete(id);
  };
  const answer = await sendOfficeWrite(desk, "POST", `/commissions/${move}`, body, { turn: 2, onStateChange });
  if (answer?.status !== 200 || move === "unsettle") return;
  settled.set(id, Math.round(Number(JSON.parse(answer.text).data[0].agent_comission_total) * 100));
}
