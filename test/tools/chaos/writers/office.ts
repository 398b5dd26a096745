import { type AccountName, jsonCall, jsonOf, unexpected } from "#tools/platform/client.ts";
import type { Writer } from "./context.ts";

const OPERATIONS = "/api/v1/booking/check-in-operations";

/** A manager: takes work that was refused as done, or sets it aside. */
export function officeWriter(account: AccountName): Writer {
  return async (context) => {
    const { client, history, random } = context;
    const token = context.staffTokens[account];
    const list = { account, method: "GET", path: `${OPERATIONS}?state=conflict`, headers: { Authorization: token } };
    const listed = await client.sendUntilAnswered(list);
    if (listed.status !== 200) throw unexpected(list, listed);
    const open: readonly { readonly op_id: string }[] = jsonOf(listed).data;
    if (open.length === 0) return;
    const { op_id: opId } = random.pick(open);
    const action = random.pick(["accept", "dismiss"] as const);
    const state = action === "accept" ? "accepted" : "dismissed";
    history.resolutions.set(opId, { state, isAcknowledged: false });
    const call = jsonCall(
      { account, method: "POST", path: `${OPERATIONS}/${opId}/resolution` },
      { action, note: "chaos" },
      token,
    );
    const answer = await client.sendUntilAnswered(call);
    if (answer.status !== 200) throw unexpected(call, answer);
    history.resolutions.set(opId, { state, isAcknowledged: true });
  };
}
