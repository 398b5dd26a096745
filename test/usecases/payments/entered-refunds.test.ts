import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { GatewayEvent, GatewayReportedState } from "#domain/payments/gateway-events.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createRedsysNotice,
  enableGateways,
  type GatewayFields,
  type IntentRow,
  readPaymentLedger,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { applyGatewayEvent } from "#worker/usecases/payments/settle-event.ts";
import { processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";

let company: TestCompany;
let boss = "";
let id = "";
let intent: IntentRow;
let entries = 0;
const STRIPE_ATTEMPT = "5".repeat(32);

/** One gateway's way to report what happened to a payment. */
interface Gateway {
  readonly method: "tpvA256" | "wallet_standard" | "stripe";
  readonly chargeMethod: string;
  /** Reports the payment, under a code. */
  readonly paid: (code: string) => Promise<unknown>;
  /** Reports a refund, with its own code, of the payment with another code. */
  readonly refunded: (code: string, cents: number, of?: string) => Promise<unknown>;
}

const GATEWAYS: readonly Gateway[] = [
  {
    method: "tpvA256",
    chargeMethod: "tpvA_256",
    paid: (code) => sendRedsys(createRedsysNotice(intent, { Ds_AuthorisationCode: code })),
    refunded: (code, cents) =>
      sendRedsys(
        createRedsysNotice(intent, {
          ...{ Ds_Response: "0900", Ds_TransactionType: "3", Ds_Amount: String(cents), Ds_AuthorisationCode: code },
          Ds_Hour: `10%3A${code.slice(-2)}`,
        }),
      ),
  },
  {
    method: "wallet_standard",
    chargeMethod: "wallet_standard",
    paid: (code) => sendPaypal("Completed", code, intent.amount_cents),
    refunded: (code, cents, of = "P1") => sendPaypal("Refunded", code, cents, of),
  },
  {
    method: "stripe",
    chargeMethod: "tpv_online",
    paid: () => sendStripe({ kind: "payment", state: "paid", cents: intent.amount_cents }),
    refunded: (code, cents) => sendStripe({ kind: "refund", id: code, state: "succeeded", cents }),
  },
];

/** Tenant that receives the messages. The model test makes its database fail. */
let receiver = () => openTestTenant(env);

async function sendRedsys(fields: GatewayFields): Promise<void> {
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
  const sendToGateway = () => Promise.reject(new Error("Redsys signs its messages"));
  await processGatewayNotification(receiver(), "tpvA256", body, { now: Date.now(), sendToGateway });
}

async function sendPaypal(status: string, code: string, cents: number, of?: string): Promise<void> {
  const isTaken = status === "Refunded" || status === "Reversed";
  const fields = {
    ...{ invoice: intent.order_reference, txn_id: code, payment_status: status, mc_currency: "EUR" },
    ...{ mc_gross: `${isTaken ? "-" : ""}${(cents / 100).toFixed(2)}`, business: "payments@acme.test" },
    ...(of !== undefined && { parent_txn_id: of }),
  };
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
  const sendToGateway = () => Promise.resolve(new Response("VERIFIED"));
  await processGatewayNotification(receiver(), "wallet_standard", body, { now: Date.now(), sendToGateway });
}

async function sendStripe(fact: GatewayReportedState): Promise<void> {
  const event: GatewayEvent = {
    ...{ id: `evt_${JSON.stringify(fact)}`, type: fact.kind, transaction: "pi_1", order: intent.order_reference },
    ...{ intentId: intent.id, currency: "EUR", fact, answer: undefined },
  };
  await applyGatewayEvent(receiver(), "stripe", event, Date.now());
}

function enter(chargeMethod: string, cents: number, number?: string): Promise<Response> {
  entries += 1;
  return requestWorker(`http://acme.localhost:8787/api/v1/booking/${intent.booking_id}/charges`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: boss },
    body: JSON.stringify({
      ...{ request_id: `by-hand-${entries}`, kind: "payment", amount: (cents / 100).toFixed(2) },
      ...{ payment_method_id: chargeMethod, ...(number !== undefined && { external_operation_number: number }) },
    }),
  });
}

async function readBooks() {
  const { booking, charges } = await readPaymentLedger(id);
  const netPaidCents = charges.reduce(
    (sum, charge) => sum + Number(charge["amount_cents"]) * (charge["payment_type"] === "payment" ? -1 : 1),
    0,
  );
  expect(netPaidCents).toBe(booking["total_paid_cents"]);
  return { refundedCents: intent.amount_cents - netPaidCents, tasks: await countTasks() };
}

async function countTasks(): Promise<number> {
  const answer = await callOffice("GET", "/attention", { token: boss });
  const { data } = await answer.json<{ data: readonly { kind: string }[] }>();
  return data.filter(({ kind }) => kind === "payment_mismatch").length;
}

beforeEach(async () => {
  receiver = () => openTestTenant(env);
  await setUpShop();
});

async function setUpShop(): Promise<void> {
  company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  boss = await createToken("boss");
  await company.db.batch([
    company.db.prepare("UPDATE settings SET refund_approval_cents = 100000000"),
    company.db.prepare(
      `INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('stripe', 'stand_in', '{}', 'x', 0, 0)`,
    ),
  ]);
  await openTestTenant(env).freshSnapshot();
  id = await bookOnWebsite();
}

async function startAttempt(method: Gateway["method"]): Promise<void> {
  intent = await startPayment(id, method === "stripe" ? "tpvA256" : method, "total");
  if (method !== "stripe") return;
  // An attempt at Stripe without its page.
  await company.db.batch([
    company.db.prepare(
      `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, created_at, expires_at)
        SELECT '${STRIPE_ATTEMPT}', booking_id, 'stripe', part, '9999' || substr(order_reference, 5), amount_cents, currency, created_at, expires_at
        FROM payment_intents WHERE id = '${intent.id}'`,
    ),
  ]);
  intent = { ...intent, id: STRIPE_ATTEMPT, order_reference: `9999${intent.order_reference.slice(4)}` };
}

describe.each(GATEWAYS.map((gateway) => [gateway.method, gateway] as const))(
  "refunds entered by hand for payments of %s",
  (_, gateway) => {
    const { method, chargeMethod, paid, refunded } = gateway;

    beforeEach(async () => {
      await startAttempt(method);
      await paid("P1");
    });

    test("counts a refund entered by hand once if the gateway later reports it, even under another number", async () => {
      expect((await enter(chargeMethod, 1000, "R01")).status).toBe(200);
      await refunded("R01", 1000);
      expect(await readBooks()).toEqual({ refundedCents: 1000, tasks: 0 });
      expect((await enter(chargeMethod, 2000)).status).toBe(200);
      await refunded("R02", 2000);
      await refunded("R02", 2000);
      expect(await readBooks()).toEqual({ refundedCents: 3000, tasks: 0 });
      expect((await enter(chargeMethod, 500, "typed wrongly")).status).toBe(200);
      await refunded("R03", 500);
      expect(await readBooks()).toEqual({ refundedCents: 3500, tasks: 1 });
    });

    test("refuses a refund entered by hand if the gateway has reported that refund already", async () => {
      await refunded("R01", 1000);
      for (const number of [undefined, "R01", "another"]) {
        const refused = await enter(chargeMethod, 1000, number);
        expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([409, "refund_reported"]);
      }
      expect(await readBooks()).toEqual({ refundedCents: 1000, tasks: 0 });
    });

    test("counts each of several equal refunds once, whether entered by hand or reported by the gateway", async () => {
      expect((await enter(chargeMethod, 1000)).status).toBe(200);
      await refunded("R01", 1000);
      await refunded("R02", 1000);
      expect(await readBooks()).toEqual({ refundedCents: 2000, tasks: 0 });
      expect([(await enter(chargeMethod, 700)).status, (await enter(chargeMethod, 700)).status]).toEqual([200, 200]);
      await refunded("R03", 700);
      await refunded("R04", 700);
      expect(await readBooks()).toEqual({ refundedCents: 3400, tasks: 0 });
    });

    test("counts two equal refunds entered by hand once each if the gateway reports both at the same time", async () => {
      expect([(await enter(chargeMethod, 700)).status, (await enter(chargeMethod, 700)).status]).toEqual([200, 200]);
      await Promise.all([refunded("R03", 700), refunded("R04", 700)]);
      expect(await readBooks()).toEqual({ refundedCents: 1400, tasks: 0 });
    });

    test("shows a task for a refund entered by hand until the gateway reports its amount", async () => {
      expect((await enter(chargeMethod, 1000)).status).toBe(200);
      await refunded("R01", 300);
      expect(await readBooks()).toEqual({ refundedCents: 1300, tasks: 1 });
      await refunded("R02", 1000);
      expect(await readBooks()).toEqual({ refundedCents: 1300, tasks: 0 });
    });

    test("never records more refunds by hand and by the gateway than the payment", async () => {
      expect((await enter(chargeMethod, intent.amount_cents - 100)).status).toBe(200);
      await refunded("R01", intent.amount_cents);
      expect((await readBooks()).refundedCents).toBeLessThanOrEqual(intent.amount_cents);
      expect((await readBooks()).tasks).toBe(1);
    });
  },
);

test("shows a task and counts a refund once if the gateway reports its number with another amount", async () => {
  await startAttempt("wallet_standard");
  await sendPaypal("Completed", "P1", intent.amount_cents);
  await enter("wallet_standard", 1000, "R-01");
  await sendPaypal("Refunded", "R01", 1200, "P1");
  expect(await readBooks()).toEqual({ refundedCents: 1000, tasks: 1 });
});

test("shows a task for a refund entered by hand that fails at Stripe", async () => {
  await startAttempt("stripe");
  await sendStripe({ kind: "payment", state: "paid", cents: intent.amount_cents });
  await enter("tpv_online", 1000);
  await sendStripe({ kind: "refund", id: "re_1", state: "succeeded", cents: 1000 });
  await sendStripe({ kind: "refund", id: "re_1", state: "failed", cents: 1000 });
  expect(await readBooks()).toEqual({ refundedCents: 1000, tasks: 1 });
});

test("counts a dispute in addition to a refund entered by hand with the same amount", async () => {
  await startAttempt("stripe");
  await sendStripe({ kind: "payment", state: "paid", cents: intent.amount_cents });
  await enter("tpv_online", 1000);
  await sendStripe({ kind: "dispute", id: "dp_1", state: "open", cents: 1000 });
  expect(await readBooks()).toEqual({ refundedCents: 2000, tasks: 1 });
  await sendStripe({ kind: "refund", id: "re_1", state: "succeeded", cents: 1000 });
  await sendStripe({ kind: "dispute", id: "dp_1", state: "won", cents: 1000 });
  expect(await readBooks()).toEqual({ refundedCents: 1000, tasks: 0 });
});

test("keeps a payment's amount if PayPal reports a dispute as won before it reports it as opened", async () => {
  await startAttempt("wallet_standard");
  await sendPaypal("Canceled_Reversal", "W1", intent.amount_cents, "P1");
  await sendPaypal("Completed", "P1", intent.amount_cents);
  await sendPaypal("Reversed", "D1", intent.amount_cents, "P1");
  expect(await readBooks()).toEqual({ refundedCents: 0, tasks: 0 });
});

/** Event of a payment at a bank, with what staff do about it. */
type BankEvent =
  | {
      readonly kind: "refund";
      readonly cents: number;
      /** When staff enter the refund by hand, if they do. */
      readonly entered: "never" | "before" | "numbered" | "after";
    }
  | { readonly kind: "dispute"; readonly cents: number; readonly end: "open" | "won" | "lost" }
  | { readonly kind: "second" };

const arbitraryCents = fc.constantFrom(100, 100, 300, 700);
const arbitraryBankEvent: fc.Arbitrary<BankEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      cents: arbitraryCents,
      entered: fc.constantFrom("never", "before", "numbered", "after"),
    }),
  },
  fc.record({
    kind: fc.constant("dispute" as const),
    cents: arbitraryCents,
    end: fc.constantFrom("open", "won", "lost"),
  }),
  fc.constant({ kind: "second" as const }),
);

/** Lists the messages about an event, and what it takes from the company. */
function sendBankEvent({ method, refunded, paid }: Gateway, event: BankEvent, n: number) {
  const code = `X${String(n).padStart(2, "0")}`;
  switch (event.kind) {
    case "refund":
      return { code, cents: event.cents, messages: [() => refunded(code, event.cents)] };
    case "second":
      if (method !== "wallet_standard") return { code, cents: 0, messages: [] };
      return {
        ...{ code, cents: 0 },
        messages: [() => paid(`S${code}`), () => refunded(code, intent.amount_cents, `S${code}`)],
      };
    case "dispute":
      // Redsys reports no disputes.
      if (method === "tpvA256") return { code, cents: 0, messages: [] };
      return { code, cents: event.end === "won" ? 0 : event.cents, messages: listDisputeMessages(method, event, code) };
  }
}

function listDisputeMessages(
  method: Gateway["method"],
  { cents, end }: Extract<BankEvent, { kind: "dispute" }>,
  code: string,
): readonly (() => Promise<unknown>)[] {
  const sendState = (state: "open" | "won" | "lost") => () => sendStripe({ kind: "dispute", id: code, state, cents });
  if (method === "stripe") return end === "open" ? [sendState("open")] : [sendState("open"), sendState(end)];
  const opened = () => sendPaypal("Reversed", code, cents, "P1");
  const won = () => sendPaypal("Canceled_Reversal", `W${code}`, cents, "P1");
  return end === "won" ? [opened, won] : [opened];
}

/** Delivers a message until the receiver answers, while its database fails. */
async function deliver(message: () => Promise<unknown>, faults: readonly RoundTripFault[]): Promise<void> {
  const faulty = { ...env, TENANT_ACME: addFaults(env.TENANT_ACME, [...faults, "none"]) };
  receiver = () => openTestTenant(faulty);
  for (let attempt = 0; attempt < 6; attempt++) {
    const isDone = await message().then(
      () => true,
      () => false,
    );
    if (isDone) break;
  }
  receiver = () => openTestTenant(env);
}

describe.each(GATEWAYS.map((gateway) => [gateway.method, gateway] as const))(
  "payments and refunds of %s",
  (_, gateway) => {
    test("records the bank's balance in any order of refunds, disputes and refunds entered by hand", async () => {
      const run = fc.record({
        events: fc.array(arbitraryBankEvent, { minLength: 2, maxLength: 6 }),
        order: fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }),
        faults: fc.array(fc.constantFrom<RoundTripFault>("none", "none", "before", "after", "twice"), { maxLength: 5 }),
      });
      await fc.assert(
        fc.asyncProperty(run, async ({ events, order, faults }) => {
          await setUpShop();
          await startAttempt(gateway.method);
          await gateway.paid("P1");
          const happened = events.map((event, n) => ({ event, ...sendBankEvent(gateway, event, n) }));
          const enterAll = async (when: Extract<BankEvent, { kind: "refund" }>["entered"]) => {
            const chosen = happened.filter(({ event }) => event.kind === "refund" && event.entered === when);
            for (const { code, cents } of chosen) {
              const answer = await enter(gateway.chargeMethod, cents, when === "numbered" ? code : undefined);
              expect([200, 409]).toContain(answer.status);
            }
          };
          await enterAll("before");
          await enterAll("numbered");
          // Each message arrives twice.
          const messages = happened.flatMap(({ messages }) => [...messages, ...messages]);
          const shuffled = messages
            .map((message, n) => ({ message, rank: order[n] ?? 0 }))
            .toSorted((a, b) => a.rank - b.rank);
          for (const { message } of shuffled) await deliver(message, faults);
          await enterAll("after");
          const refundedCents = happened.reduce((sum, { cents }) => sum + cents, 0);
          expect((await readBooks()).refundedCents).toBe(refundedCents);
        }),
        { numRuns: inject("isThorough") ? 60 : 2, seed: 20_261_129, endOnFailure: true },
      );
    });
  },
);
