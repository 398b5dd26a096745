import { randomUUID } from "node:crypto";
import {
  type AccountName,
  type Answer,
  type Call,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { applyActionAsCustomer } from "./customer-actions.ts";
import { addIdempotencyKey, sendToOffice } from "./office-requests.ts";

/** Path of reservations in the office API. */
export const RESERVATIONS_PATH = "/api/v1/office/reservations";

/** A reservation as returned to the office and its customer. */
export interface ReservationSnapshot {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly free_access_id: string;
}

/**
 * Creates an office user who makes, confirms, changes, assigns and cancels a reservation, each step with its own key
 * and sometimes repeated. Sometimes the customer cancels it.
 */
export function createReservationActionsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const token = context.staffTokens[account];
    const { random } = context;
    const { from, to, place, code } = pickRental(context, account);
    const createdReservation = await applyReservationAction(
      context,
      { account, token, path: RESERVATIONS_PATH, method: "POST", reservation: undefined },
      {
        date_from: from,
        time_from: "10:00",
        date_to: to,
        time_to: "10:00",
        pickup_place: place,
        return_place: place,
        category_code: code,
        customer: { name: "Olga", surname: `of ${account}`, phone: "+34600111222" },
        confirm_new: true,
        status: random.pick(["confirmed", "pending_confirmation"]),
      },
    );
    if (createdReservation && random.chance(0.2)) await quote(context, account, createdReservation);
    let latestReservation = createdReservation;
    for (
      let moves = random.between(0, 4);
      latestReservation && latestReservation.status !== "cancelled" && moves > 0;
      moves--
    ) {
      latestReservation = await applySomeAction(context, { account, token, snapshot: latestReservation, to });
    }
  };
}

// Requests a quote, although the reservation may have expired.
function quote(context: WriterContext, account: AccountName, { id }: ReservationSnapshot): Promise<unknown> {
  const path = `/reservations/${id}/quote`;
  return sendToOffice(context, { account, method: "POST", path }, { move: "cancel" }, [409]);
}

async function applySomeAction(
  context: WriterContext,
  {
    account,
    token,
    snapshot,
    to,
  }: {
    readonly account: AccountName;
    readonly token: string;
    readonly snapshot: ReservationSnapshot;
    readonly to: string;
  },
): Promise<ReservationSnapshot | undefined> {
  const { random } = context;
  const path = `${RESERVATIONS_PATH}/${snapshot.id}`;
  const move = random.pickWeighted([
    [snapshot.status === "pending_confirmation" ? "confirm" : "change", 4],
    ["change", 3],
    ["assign", 1],
    ["cancel", 2],
    ["customer", 1],
  ] as const);
  const actionContext = { account, token, reservation: snapshot };
  const body = { expected_version: snapshot.version };
  switch (move) {
    case "confirm":
      return applyReservationAction(context, { ...actionContext, method: "POST", path: `${path}/confirm` }, body);
    case "change": {
      const later = { ...body, date_to: dayLater(to, random.between(1, 2)), notes: `chaos ${random.hex(4)}` };
      return applyReservationAction(
        context,
        { ...actionContext, method: "PATCH", path },
        random.chance(0.5) ? later : { ...body, notes: "chaos" },
      );
    }
    case "assign":
      return applyReservationAction(
        context,
        { ...actionContext, method: "POST", path: `${path}/assign` },
        { ...body, reference: null },
      );
    case "cancel":
      return applyReservationAction(
        context,
        { ...actionContext, method: "POST", path: `${path}/cancel` },
        { ...body, reason: "chaos" },
      );
    case "customer":
      await applyActionAsCustomer(context, { account, freeAccessId: snapshot.free_access_id, action: "cancel" });
      return undefined;
  }
}

function dayLater(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

interface Step {
  readonly account: AccountName;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  /** Not set while being created. */
  readonly reservation: ReservationSnapshot | undefined;
}

/** Sends a write with a key until there's a response. A rejection changes nothing. */
export async function applyReservationAction(
  { client, history, random }: WriterContext,
  { account, token, method, path, reservation }: Step,
  body: object,
): Promise<ReservationSnapshot | undefined> {
  const key = randomUUID();
  const call = addIdempotencyKey(createJsonCall({ account, method, path }, body, token), key);
  const before = { account, action: path.split("/").at(-1) ?? "", ...reservation };
  history.reservationActions.set(key, { ...before, state: "asked" });
  const answer = await client.sendUntilAnswered(call);
  // Sold out, closed, or changed by the customer.
  if (answer.status === 409 || answer.status === 400) {
    const { code, error } = parseJson(answer);
    history.reservationActions.set(key, { ...before, state: "refused", code: code === "invalid_input" ? error : code });
    return undefined;
  }
  const latestReservation = readReservation(call, answer);
  history.reservationActions.set(key, { ...before, ...latestReservation, state: "done" });
  if (random.chance(0.2)) {
    const again = readReservation(call, await client.sendUntilAnswered(call));
    if (again.id !== latestReservation.id) throw createUnexpectedAnswerError(call, answer);
  }
  return latestReservation;
}

function readReservation(call: Call, answer: Answer): ReservationSnapshot {
  if (answer.status !== 200 && answer.status !== 201) throw createUnexpectedAnswerError(call, answer);
  const { id, version, status, free_access_id } = parseJson(answer).reservation as ReservationSnapshot;
  return { id, version, status, free_access_id };
}
