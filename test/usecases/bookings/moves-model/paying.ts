import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { aTenant } from "#support/databases.ts";
import { type IntentRow, redsysDenial, redsysNotice, redsysRefund, type Values } from "#support/payments.ts";
import { expireHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { preparePayment } from "#worker/usecases/payments/prepare-payment.ts";
import { settlePayment } from "#worker/usecases/payments/settle-payment.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { type Doors, HOUR, type Known, type Life, rows, someTenant } from "./life.ts";
import { enter } from "./papers.ts";

const nobodyAsked = () => Promise.reject(new Error("Redsys signs what it says"));

/** What the gateway tells, twice, as gateways do; before it somebody else tells the same without its key. */
async function notify(life: Life, fields: Values): Promise<boolean> {
  const hear = (said: Values) => {
    const body = new TextEncoder().encode(new URLSearchParams(said).toString());
    return settlePayment(someTenant(life), "tpvA256", body, { now: life.now, postBack: nobodyAsked });
  };
  const forged = await hear({ ...fields, Ds_Signature: "AAAA" });
  expect(forged.alert).toBe("forged_notification");
  const heard = await hear(fields);
  const again = await hear(fields);
  expect(again.answer.status).toBe(heard.answer.status);
  return heard.alert === undefined && heard.answer.status === 200;
}

const anIntent = async (condition: string): Promise<IntentRow | undefined> =>
  (await rows<IntentRow>(`SELECT * FROM payment_intents WHERE ${condition} ORDER BY abs(random() % 7) LIMIT 1`))[0];

const owedOf = async ({ id }: Known) =>
  (
    await rows<{
      cents: number;
    }>(`SELECT total_cents - credited_cents - total_paid_cents - agent_commission_prepaid_cents AS cents
      FROM bookings WHERE id = ${id}`)
  )[0]?.cents ?? 0;

/** Money: at the desk, and at a gateway that tells in time, late, twice, and of what it gave back. */
export function payingDoors(life: Life): Doors {
  const goToGateway = async (of: Known) => {
    const [part, intentId] = [life.random.pick(["deposit", "total"] as const), newFreeAccessId()];
    const asked = { freeAccessId: of.free_access_id, part, method: "tpvA256", summaryUrl: undefined };
    const prepared = await preparePayment(someTenant(life), asked, { now: life.now, intentId });
    return prepared.ok ? intentId : undefined;
  };
  return {
    pay: async (of) =>
      of.total_cents > of.total_paid_cents && enter(life, of, "charge", of.total_cents - of.total_paid_cents),
    // Of what is closed nobody owes more than before because money went back.
    givesBack: async (of) => {
      const before = await owedOf(of);
      const wasDone =
        of.total_paid_cents > 0 && (await enter(life, of, "payment", Math.min(1000, of.total_paid_cents)));
      if (wasDone && of.status === "done") expect(await owedOf(of)).toBeLessThanOrEqual(Math.max(0, before));
      return wasDone;
    },
    goesToGateway: async (of) => (await goToGateway(of)) !== undefined,
    paysAtGateway: async (of) => {
      const intentId = await goToGateway(of);
      const intent = intentId && (await anIntent(`id = '${intentId}'`));
      return intent ? notify(life, redsysNotice(intent)) : false;
    },
    // The hold ends while somebody looks for a card.
    paysLate: async (of) => {
      const intentId = await goToGateway(of);
      life.now += 11 * HOUR;
      await expireHolds(aTenant(env), life.now);
      const intent = intentId && (await anIntent(`id = '${intentId}'`));
      return intent ? notify(life, redsysNotice(intent)) : false;
    },
    isDenied: async (of) => {
      const intentId = await goToGateway(of);
      const intent = intentId && (await anIntent(`id = '${intentId}'`));
      return intent ? notify(life, redsysDenial(intent)) : false;
    },
    gatewayGivesBack: async () => {
      const intent = await anIntent("state = 'paid' AND refunded_cents < amount_cents");
      if (!intent) return false;
      const left = intent.amount_cents - intent.refunded_cents;
      const code = String(100_000 + life.random.below(900_000));
      return notify(life, redsysRefund(intent, life.random.pick([left, Math.ceil(left / 3)]), code));
    },
  };
}
