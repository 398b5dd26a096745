import type { AccountName } from "#tools/platform/client.ts";
import type { WriterContext } from "./context.ts";
import { type ResourceSnapshot, sendWithIdempotencyKey, writeOfficeResource } from "./office-requests.ts";
import { expectRows } from "./record-expectations.ts";

const TRIED = `SELECT 1 FROM webhook_deliveries AS told JOIN webhook_events AS event ON event.id = event_id
  JOIN office_requests AS asked ON asked.resource = uid WHERE uid = ? AND webhook_id = ?`;
const DELIVERY_COUNT_SQL = "SELECT count(*) AS told FROM webhook_deliveries WHERE webhook_id = ? HAVING told >= ?";

/** Tests a webhook, redelivers today's events and rotates the secret. Returns its latest state. */
export async function testAndRotateWebhook(
  context: WriterContext,
  account: AccountName,
  { id }: ResourceSnapshot,
): Promise<() => void> {
  const path = `/webhooks/${id}`;
  const postTarget = { account, method: "POST" } as const;
  const tried = await sendWithIdempotencyKey(context, { ...postTarget, path: `${path}/test`, kind: "trials" });
  const uid = tried.delivery.event_id;
  const expect = (name: string, sql: string, values: readonly (string | number)[], rows: number) =>
    expectRows(context, `${name} of webhook ${id}`, { account, sql, values }, rows);
  expect(`trial ${uid}`, TRIED, [uid, Number(id)], 1);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const replay = await sendWithIdempotencyKey(context, {
    ...postTarget,
    path: `${path}/replay`,
    body: { from },
    kind: "replays",
  });
  expect("replay", DELIVERY_COUNT_SQL, [Number(id), replay.replayed + 1], 1);
  await writeOfficeResource(context, { ...postTarget, path: `${path}/rotate-secret`, body: {}, kind: "webhooks", id });
  // Removing a webhook deletes its deliveries.
  return () => {
    for (const name of [`trial ${uid}`, "replay"]) context.history.expectations.delete(`${name} of webhook ${id}`);
  };
}
