import { randomUUID } from "node:crypto";
import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import type { CustomerActionRecord } from "../history.ts";
import type { WriterContext } from "./context.ts";

const REFUSALS = [400, 403, 409];

interface CustomerActionRequest {
  readonly account: AccountName;
  readonly freeAccessId: string;
  readonly action: CustomerActionRecord["action"];
  /** Changed values. */
  readonly change?: object;
}

/**
 * Requests a quote and cancels or changes a customer's own booking. It stays unchanged if the account doesn't allow it,
 * if the office or an expired hold came first, or if something isn't available. Returns whether it succeeded.
 */
export async function applyActionAsCustomer(
  { client, history }: WriterContext,
  request: CustomerActionRequest,
): Promise<boolean> {
  const { account, freeAccessId, action, change = {} } = request;
  const path = `/api/v1/web-customer/reservations/${freeAccessId}`;
  const question = createJsonCall({ account, method: "POST", path: `${path}/quote` }, { ...change, move: action });
  const quoted = await client.sendUntilAnswered(question);
  if (![200, ...REFUSALS].includes(quoted.status)) throw createUnexpectedAnswerError(question, quoted);
  const call = createJsonCall({ account, method: "POST", path: `${path}/${action}` }, change);
  const name = randomUUID();
  const actionRecord = { account, freeAccessId, action } as const;
  history.customerActions.set(name, { ...actionRecord, state: "asked" });
  const answer = await client.sendUntilAnswered(call);
  if (![200, ...REFUSALS].includes(answer.status)) throw createUnexpectedAnswerError(call, answer);
  const isDone = answer.status === 200;
  if (isDone)
    history.customerActions.set(name, { ...actionRecord, state: "done", version: parseJson(answer).booking.version });
  // A retried cancellation after a lost response is rejected although it was executed.
  if (!isDone && (account === "globex" || action === "change"))
    history.customerActions.set(name, { ...actionRecord, state: "refused" });
  return isDone;
}
