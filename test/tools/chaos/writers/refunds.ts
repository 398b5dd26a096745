import type { AccountName } from "#tools/platform/client.ts";
import { GATEWAY_DECISIONS, type MoneyRequestRecord, REFUND_DECISIONS } from "../history.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { notifyRefund, writeIdempotently } from "./money.ts";
import { buildOfficeCall, OFFICE_PATH, sendToOffice } from "./office-requests.ts";

/** A gateway refund in the office's list. */
interface AtGateway {
  readonly id: number;
  readonly state: string;
  readonly problem: string | null;
}

/** Creates another manager who approves or declines refunds. The requesting user tries too and may not approve. */
export const decideRefundAsManager: ChaosWriter = async (context) => {
  const { random, managerToken, staffTokens } = context;
  const { data } = await sendToOffice(context, { account: "acme", method: "GET", path: "/refunds" });
  if (data.length === 0) return;
  const { id } = random.pick(data as readonly { readonly id: number }[]);
  const decision = random.pick(REFUND_DECISIONS);
  const token = random.chance(0.8) ? managerToken : staffTokens.acme;
  await decide(context, token, `/refunds/${id}/${decision}`, {
    account: "acme",
    what: decision,
    refundId: id,
  });
};

/**
 * Creates a user who checks failed refunds at the gateway: reports executed ones, and retries, pays manually or drops
 * others.
 */
export function createStuckRefundsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { random, gatewayBook, staffTokens } = context;
    const listed = await sendToOffice(context, { account, method: "GET", path: "/gateway-refunds" });
    const stuck = (listed.data as readonly AtGateway[]).filter(isStuck);
    if (stuck.length === 0) return;
    const { id } = random.pick(stuck);
    const gatewayRefund = gatewayBook().find(
      (givenBack) => givenBack.account === account && givenBack.name === `refund-${id}`,
    );
    if (gatewayRefund) return notifyRefund(context, account, gatewayRefund);
    const decision = random.pick(["again", "again", ...GATEWAY_DECISIONS] as const);
    const body = decision === "by-hand" ? { payment_method_id: "cash" } : undefined;
    const path = `/gateway-refunds/${id}/${decision}`;
    await decide(context, staffTokens[account], path, { account, what: decision, refundId: id }, body);
  };
}

// Whether a refund can be resolved. Those in progress can't.
function isStuck({ state, problem }: AtGateway): boolean {
  return state === "refused" || (state === "sent" && problem !== null);
}

async function decide(
  context: WriterContext,
  token: string,
  path: string,
  work: Omit<MoneyRequestRecord, "state">,
  body?: object,
): Promise<void> {
  const call = buildOfficeCall(token, { account: work.account, method: "POST", path: OFFICE_PATH + path }, body);
  await writeIdempotently(context, call, work);
}
