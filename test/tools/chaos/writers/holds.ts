import type { AccountName } from "#tools/platform/client.ts";
import type { ChaosWriter } from "./context.ts";
import { sendToOffice, sendWithIdempotencyKey } from "./office-requests.ts";
import { expectRows, recordExpectation } from "./record-expectations.ts";

const ENDED_HOLDS_SQL = "SELECT DISTINCT booking_id FROM booking_history WHERE detail ->> 'reason' = ?";
/** True if all released bookings hold nothing unpaid. */
const ENDED = `SELECT count(*) AS ended FROM bookings WHERE id IN (${ENDED_HOLDS_SQL})
  HAVING ended > 0 AND sum(status = 'pending_confirmation' AND total_paid_cents = 0) = 0`;

/** Creates a user who releases unpaid holds of websites, with the visitor's other holds. */
export function createHoldsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { random } = context;
    const path = "/reservations?status=pending_confirmation&page_size=50";
    const { data } = await sendToOffice(context, { account, method: "GET", path });
    if (data.length === 0) return;
    const { id } = random.pick(data as readonly { readonly id: number }[]);
    const reason = `chaos ${random.hex(12)}`;
    const body = { reservation_id: id, reason };
    const write = { account, method: "POST", path: "/holds/end", kind: "holds", body, mayBeGone: true } as const;
    const name = `end of hold ${id}, ${reason}`;
    const question = { account, values: [reason] };
    const endedHolds = await recordExpectation(context, name, { ...question, sql: ENDED, before: 0, after: 1 }, () =>
      sendWithIdempotencyKey(context, write),
    );
    if (endedHolds) expectRows(context, `${name}, all`, { ...question, sql: ENDED_HOLDS_SQL }, endedHolds.ended.length);
  };
}
