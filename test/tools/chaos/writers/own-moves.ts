import { randomUUID } from "node:crypto";
import { type AccountName, jsonCall, parseJson, unexpected } from "#tools/platform/client.ts";
import type { OwnMove } from "../history.ts";
import type { WriterContext } from "./context.ts";

const REFUSALS = [400, 403, 409];

interface CustomerMoveRecord {
  readonly account: AccountName;
  readonly freeAccessId: string;
  readonly move: OwnMove["move"];
  /** What is to be otherwise. */
  readonly change?: object;
}

/**
 * A customer asks what it costs to cancel or change a booking of their own, and does it. Where the account lets
 * nobody, the office or the end of the hold came first, or there is not enough of what is wished for, it stays as it
 * is; answers whether it was done.
 */
export async function moveAsCustomer({ client, history }: WriterContext, own: CustomerMoveRecord): Promise<boolean> {
  const { account, freeAccessId, move, change = {} } = own;
  const path = `/api/v1/web-customer/reservations/${freeAccessId}`;
  const question = jsonCall({ account, method: "POST", path: `${path}/quote` }, { ...change, move });
  const quoted = await client.sendUntilAnswered(question);
  if (![200, ...REFUSALS].includes(quoted.status)) throw unexpected(question, quoted);
  const call = jsonCall({ account, method: "POST", path: `${path}/${move}` }, change);
  const name = randomUUID();
  const moveRecord = { account, freeAccessId, move } as const;
  history.ownMoves.set(name, { ...moveRecord, state: "asked" });
  const answer = await client.sendUntilAnswered(call);
  if (![200, ...REFUSALS].includes(answer.status)) throw unexpected(call, answer);
  const isDone = answer.status === 200;
  if (isDone) history.ownMoves.set(name, { ...moveRecord, state: "done", version: parseJson(answer).booking.version });
  // A repeated cancellation whose first answer was lost is refused, and done.
  if (!isDone && (account === "globex" || move === "change"))
    history.ownMoves.set(name, { ...moveRecord, state: "refused" });
  return isDone;
}
