import { type Clients, callUntilAnswered, formatEpochDay, getAgencyReference } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import { createRequestKey, OFFICE_PATH, type OfficeContext, sendOfficeWrite } from "./office-write.ts";
import { signInStaff } from "./staff.ts";
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
  const token = id === undefined ? undefined : await signInStaff(clients);
  if (id === undefined || !token) return;
  const desk = { clients, step: step.id, token };
  const read = await readReservation(desk, id);
  if (!read) return;
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
const expectVersion = ({ version }: ReadReservation) => ({ expected_version: version });
const getActionPath = ({ id }: ReadReservation, move: string) => `/reservations/${id}/${move}`;

const BOOKING_ACTIONS: Readonly<Record<SimulatedOfficeAction, BookingAction>> = {
  agent: (desk, booking, percent) => {
    const prepaidAmount = percent % 3 === 0 ? getPercentage(booking, percent).toFixed(2) : "0";
    const agent_id = percent % 7 === 0 ? null : 1 + (percent % 2);
    const body = {
      ...expectVersion(booking),
      agent_id,
      agent_comission_prepaid_amount: agent_id === null ? "0" : prepaidAmount,
    };
    return sendOfficeWrite(desk, { method: "POST", path: getActionPath(booking, "agent"), body });
  },
  change: (desk, booking, percent) => {
    const date_to = dayAfter(booking.date_to, (percent % 4) - 1);
    const isOut = booking.status === "in_progress";
    if (isOut) {
      const body = { ...expectVersion(booking), date_to, time_to: booking.time_to };
      return sendOfficeWrite(desk, {
        method: "POST",
        path: getActionPath(booking, percent % 4 === 0 ? "early-return" : "extend"),
        body,
      });
    }
    const body = { ...expectVersion(booking), date_to, notes: `step ${desk.step}` };
    return sendOfficeWrite(desk, { method: "PATCH", path: `/reservations/${booking.id}`, body });
  },
  cancel: (desk, booking, percent) => {
    const body = {
      ...expectVersion(booking),
      reason: `step ${desk.step}`,
      fee: getPercentage(booking, percent).toFixed(2),
    };
    return sendOfficeWrite(desk, { method: "POST", path: getActionPath(booking, "cancel"), body });
  },
  cash: (desk, booking, percent) =>
    takeCash(desk, booking, Math.max(1, Math.floor(Number(booking.total_cost) * percent))),
  giveBack: (desk, booking, percent) => {
    const body = {
      amount: (percent / 4 + 0.25).toFixed(2),
      payment_method_id: "cash",
      by_hand: true,
      reason: "said so",
    };
    return sendOfficeWrite(desk, { method: "POST", path: getActionPath(booking, "refund"), body });
  },
  surcharge: (desk, booking, percent) => {
    const { surcharges } = desk.clients.history;
    const [text, cents] = [`fine of step ${desk.step}.`, 100 + percent * 37];
    const fine = { code: "FINE", amount: (cents / 100).toFixed(2), text, reason: "the police wrote" };
    const path = getActionPath(booking, "surcharge");
    return sendOfficeWrite(desk, { method: "POST", path, body: { ...expectVersion(booking), ...fine } }, (state) =>
      surcharges.set(text, { description: path, state, cents, at: desk.clients.timeline.now() }),
    );
  },
  reopen: async (desk, booking) => {
    const body = { ...expectVersion(booking), reason: `step ${desk.step}` };
    const opened = await sendOfficeWrite(desk, { method: "POST", path: getActionPath(booking, "reopen"), body });
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
    const body = { ...expectVersion(now), ...read };
    await sendOfficeWrite(desk, { method: "POST", path: getActionPath(now, "collect"), body, turn: 2 + at });
  }
}

// The agent is often added only when the commission is settled.
async function settle(desk: OfficeContext, booking: ReadReservation, move: "settle" | "unsettle"): Promise<void> {
  const { id } = booking;
  const agent_id = booking.agent_id ?? (move === "settle" ? await nameLate(desk, booking) : undefined);
  if (agent_id === undefined) return;
  const { settled } = desk.clients.history;
  const before = settled.has(id) ? { cents: settled.get(id) } : undefined;
  const body = { ...(move === "settle" && { agent_id }), reservation_ids: [id] };
  const path = `/commissions/${move}`;
  const answer = await sendOfficeWrite(desk, { method: "POST", path, body, turn: 2 }, (state) => {
    if (state === "asked") settled.set(id, undefined);
    else if (state === "refused" && before) settled.set(id, before.cents);
    else settled.delete(id);
  });
  if (answer?.status !== 200 || move === "unsettle") return;
  settled.set(id, Math.round(Number(JSON.parse(answer.text).data[0].agent_comission_total) * 100));
}

async function nameLate(desk: OfficeContext, booking: ReadReservation): Promise<number | undefined> {
  const answer = await sendOfficeWrite(desk, {
    method: "POST",
    path: getActionPath(booking, "agent"),
    body: { ...expectVersion(booking), agent_id: 1 },
  });
  return answer?.status === 200 ? 1 : undefined;
}

function dayAfter(date: string, days: number): string {
  return formatEpochDay(Date.parse(date) / DAY + days);
}
