import { randomUUID } from "node:crypto";
import { type AccountName, createUnexpectedAnswerError, jsonCall, parseJson } from "#tools/platform/client.ts";
import type { OwnMove } from "../history.ts";
import type { WriterContext } from "./context.ts";

const REFUSALS = [400, 403, 409];

interface CustomerMoveRecord {
  readonly account: AccountName;
  readonly freeAccessId: string;
  readonly move: OwnMove["move"];
  /** Changed values. */
  readonly change?: object;
}

/**
 * Requests a quote and cancels or changes a customer's own booking. It stays unchanged if the account doesn't allow it,
 * if the office or an expired hold came first, or if something isn't available. Returns whether it succeeded.
 */
export async function moveAsCustomer({ client, history }: WriterContext, own: CustomerMoveRecord): Promise<boolean> {
  const { account, freeAccessId, move, change = {} } = own;
  const path = `/api/v1/web-customer/reservations/${freeAccessId}`;
  const question = jsonCall({ account, method: "POST", path: `${path}/quote` }, { ...change, move });
  const quoted = await client.sendUntilAnswered(question);
  if (![200, ...REFUSALS].includes(quoted.status)) throw createUnexpectedAnswerError(question, quoted);
  const call = jsonCall({ account, method: "POST", path: `${path}/${move}` }, change);
  const name = randomUUID();
  const moveRecord = { account, freeAccessId, move } as const;
  history.ownMoves.set(name, { ...moveRecord, state: "asked" });
  const answer = await client.sendUntilAnswered(call);
  if (![200, ...REFUSALS].includes(answer.status)) throw createUnexpectedAnswerError(call, answer);
  const isDone = answer.status === 200;
  if (isDone) history.ownMoves.set(name, { ...moveRecord, state: "done", version: parseJson(answer).booking.version });
  // A retried cancellation after a lost response is rejected although it was executed.
  if (!isDone && (account === "globex" || move === "change"))
    history.ownMoves.set(name, { ...moveRecord, state: "refused" });
  return isDone;
}
