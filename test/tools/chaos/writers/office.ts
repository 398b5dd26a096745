import { randomUUID } from "node:crypto";
import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import type { ChaosWriter } from "./context.ts";
import {
  addIdempotencyKey,
  buildOfficeCall,
  OFFICE_PATH,
  sendToOffice,
  sendWithIdempotencyKey,
} from "./office-requests.ts";

const OPERATIONS = "/api/v1/booking/check-in-operations";

/** Creates a manager who accepts or dismisses rejected work. */
export function createOfficeWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { client, history, random } = context;
    const token = context.staffTokens[account];
    const list = { account, method: "GET", path: `${OPERATIONS}?state=conflict`, headers: { Authorization: token } };
    const listed = await client.sendUntilAnswered(list);
    if (listed.status !== 200) throw createUnexpectedAnswerError(list, listed);
    const open: readonly { readonly op_id: string }[] = parseJson(listed).data;
    if (open.length === 0) return;
    const { op_id: opId } = random.pick(open);
    const action = random.pick(["accept", "dismiss"] as const);
    const state = action === "accept" ? "accepted" : "dismissed";
    history.resolutions.set(opId, { state, isAcknowledged: false });
    const call = createJsonCall(
      { account, method: "POST", path: `${OPERATIONS}/${opId}/resolution` },
      { action, note: "chaos" },
      token,
    );
    const answer = await client.sendUntilAnswered(call);
    if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
    history.resolutions.set(opId, { state, isAcknowledged: true });
  };
}

/** Creates a manager who reviews pending tasks that only need acknowledgement, and then the tax records. */
export function createAttentionWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { client, random, staffTokens } = context;
    const { data } = await sendToOffice(context, { account, method: "GET", path: "/attention" });
    const doableTasks = (data as readonly { readonly id: string; readonly dismissible: boolean }[]).filter(
      ({ dismissible }) => dismissible,
    );
    if (doableTasks.length > 0) {
      const path = `${OFFICE_PATH}/attention/${random.pick(doableTasks).id}/done`;
      // A repetition has no further effect, although no key is stored.
      const call = addIdempotencyKey(
        buildOfficeCall(staffTokens[account], { account, method: "POST", path }, undefined),
        randomUUID(),
      );
      const answer = await client.sendUntilAnswered(call);
      if (answer.status !== 200 && answer.status !== 409) throw createUnexpectedAnswerError(call, answer);
    }
    const retry = {
      account,
      method: "POST",
      path: "/tax-records/retry",
      kind: "tax-records",
      id: "tax_records",
    } as const;
    await sendWithIdempotencyKey(context, retry);
  };
}
