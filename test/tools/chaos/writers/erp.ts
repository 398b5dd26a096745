import { type AccountName, createSignedCall, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { getPartnerKey } from "#tools/platform/credentials.ts";
import type { ChaosWriter } from "./context.ts";

/** Creates the company's ERP, which reports invoices and internal bonds as processed. */
export function createErpWriter(account: AccountName): ChaosWriter {
  const key = getPartnerKey(account, `${account}-erp`);
  return async ({ client, history, random, accountData }) => {
    const { invoices, bonds } = accountData[account];
    const isBond = bonds.length > 0 && random.chance(0.3);
    const id = random.pick(isBond ? bonds : invoices);
    const path = `/api/v1/integration/${isBond ? "internal-bond" : "invoice"}/${id}/processed`;
    const call = createSignedCall(key, { account, method: "POST", path }, { status: "processed" });
    const name = `${account}/${id}`;
    if (!history.processed.get(name)) history.processed.set(name, false);
    const answer = await client.sendUntilAnswered(call);
    if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
    history.processed.set(name, true);
  };
}
