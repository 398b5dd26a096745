import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { formatMoney } from "#domain/money-notation.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  createRedsysDenial,
  createRedsysNotice,
  enableGateways,
  type GatewayFields,
  type IntentRow,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
  submitDepositPayment,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { runWithinOneClockMinute } from "#support/time-limit.ts";
import { requestWorker } from "#support/worker.ts";
import { paymentTexts } from "#worker/api/payments/texts.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { readReturningVisitorPaymentState } from "#worker/usecases/payments/read-returned-payment.ts";
import { processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";

const DAY = 86_400_000;
const rejectPostBack: SendToGateway = () => Promise.reject(new Error("nothing may be fetched"));

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
});

function bytes(fields: GatewayFields): Uint8Array {
  return new TextEncoder().encode(new URLSearchParams(fields).toString());
}

function settle(intent: IntentRow, { now = Date.now(), faults = ["none"] as readonly RoundTripFault[] } = {}) {
  const tenant = openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) });
  return processGatewayNotification(tenant, "tpvB", bytes(createCecabankNotice(intent)), {
    now,
    sendToGateway: rejectPostBack,
  });
}

describe("a payment that PayPal takes days to decide", () => {
  test("keeps a PayPal payment pending after the attempt's hour, and records it once it arrives", async () => {
    const id = await bookOnWebsite();
    const intent = await startPayment(id, "wallet_standard", "total");
    const answerAsPayPal = (status: string) =>
      processGatewayNotification(
        openTestTenant(env),
        "wallet_standard",
        bytes({
          invoice: intent.order_reference,
          txn_id: "ECHECK1",
          payment_status: status,
          mc_gross: (intent.amount_cents / 100).toFixed(2),
          mc_currency: "EUR",
          business: "payments@acme.test",
        }),
        { now: Date.now(), sendToGateway: () => Promise.resolve(new Response("VERIFIED")) },
      );
    const readShownState = async () => (await readReturningVisitorPaymentState(openTestTenant(env), intent.id))?.state;
    await answerAsPayPal("Pending");
    expect(await readShownState()).toBe("pending");
    await company.db.prepare("UPDATE payment_intents SET state = 'expired'").run();
    expect(await readShownState()).toBe("pending");
    await answerAsPayPal("Completed");
    expect(await readShownState()).toBe("paid");
    expect((await readPaymentLedger(id)).charges).toHaveLength(1);
  });
});

describe("a payment after the hold expired", () => {
  test("records a payment and confirms the booking if the units are free after the hold expired", async () => {
    const id = await bookOnWebsite("C");
    const intent = await startPayment(id, "tpvB");
    await settle(intent, { now: Date.now() + 2 * DAY });
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "confirmed", paid_after_expiry: 0, total_paid_cents: intent.amount_cents });
    expect(charges).toHaveLength(1);
  });

  // Proves "payments.md: gateways": Late success is never lost, and never an oversell
  test("records a payment without confirming the booking after its last unit was sold again", async () => {
    const id = await bookOnWebsite("C");
    const intent = await startPayment(id, "tpvB");
    await company.db.batch([
      company.db.prepare("UPDATE bookings SET expires_at = 1"),
      company.db.prepare("UPDATE stock_allocations SET expires_at = 1"),
    ]);
    await bookOnWebsite("C");
    await settle(intent);
    const { booking, charges, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({
      status: "pending_confirmation",
      paid_after_expiry: 1,
      total_paid_cents: intent.amount_cents,
      payment_status: "deposit",
    });
    expect(charges).toHaveLength(1);
    expect(events).toEqual(["created", "paid"]);
    await settle(intent);
    expect((await readPaymentLedger(id)).charges).toHaveLength(1);
    // The rest isn't accepted for a vehicle that now belongs to another booking.
    const rest = await submitDepositPayment(id, { payment: "pending", payment_method_id: "tpvB" });
    expect(rest.status).toBe(404);
    const readShownState = await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${id}?lang=en`);
    expect(await readShownState.json()).toMatchObject({
      booking: { summary_status: expect.stringContaining("please don't pay again"), status_reason: "paid_too_late" },
      sales_process: { can_pay: false, can_pay_pending: false },
    });
    // The paid booking needs attention, so the next cron run must not cancel it.
    await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 30 * DAY);
    expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "pending_confirmation" });
  });

  // Proves "payments.md: gateways": A late payment revives an expired booking if its units are free
  test("records a payment and reactivates an expired booking if its units are free", async () => {
    const id = await bookOnWebsite("C");
    const intent = await startPayment(id, "tpvB");
    await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY);
    await settle(intent);
    const { booking, charges, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "confirmed", paid_after_expiry: 0, total_paid_cents: intent.amount_cents });
    expect(charges).toHaveLength(1);
    expect(events).toEqual(["created", "expired", "paid", "revived"]);
    expect(await company.db.prepare("SELECT cancelled_at, cancellation_reason FROM bookings").first()).toEqual({
      cancelled_at: null,
      cancellation_reason: null,
    });
  });

  const PERIODS: readonly (readonly [string, string, string])[] = [
    ["the return is over", "date_from = '2026-01-10', date_to = '2026-01-12'", "cancelled"],
    ["the pickup is over, but not the return", "date_from = date('now', '-1 day')", "confirmed"],
  ];
  // Proves "payments.md: gateways": … only while something of it is to come, by gateway or desk; otherwise the office
  //   is informed
  test.each(PERIODS)(
    "handles a payment long after the booking expired alike by gateway and desk: %s",
    async (_name, sql, status) => {
      await addTestUsers();
      const boss = await createToken("boss");
      const bookingId = (id: string) =>
        company.db.prepare("SELECT id FROM bookings WHERE free_access_id = ?").bind(id).first<number>("id");
      for (const [index, receiver] of ["gateway", "desk"].entries()) {
        const id = await bookOnWebsite("C");
        const intent = await startPayment(id, "tpvB");
        await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY);
        await company.db.prepare(`UPDATE bookings SET ${sql} WHERE free_access_id = ?`).bind(id).run();
        if (receiver === "gateway") await settle(intent);
        else {
          const amount = (intent.amount_cents / 100).toFixed(2);
          const body = { request_id: "late-charge-1", kind: "charge", amount, payment_method_id: "cash" };
          const paid = await callApi("POST", `/booking/${await bookingId(id)}/charges`, { token: boss, body });
          expect(paid.status).toBe(200);
        }
        const { booking, charges } = await readPaymentLedger(id);
        expect(charges).toHaveLength(1);
        expect({ receiver, ...booking }).toMatchObject({
          receiver,
          status,
          paid_after_expiry: status === "cancelled" ? 1 : 0,
        });
        const attentionList = await (await callOffice("GET", "/attention", { token: boss })).json<{
          data: { kind: string }[];
        }>();
        const latePaymentTasks = attentionList.data.filter(({ kind }) => kind === "paid_too_late");
        expect(latePaymentTasks).toHaveLength(status === "cancelled" ? index + 1 : 0);
        await company.db.prepare("DELETE FROM stock_allocations").run();
      }
    },
  );

  // Proves "payments.md: gateways": Only a payment that reaches the booking amount confirms
  test("doesn't confirm a booking paid below its booking amount, and flags it once the hold has expired", async () => {
    const id = await bookOnWebsite("C");
    const intent = await startPayment(id, "tpvB");
    await company.db.prepare("UPDATE bookings SET booking_amount_cents = booking_amount_cents + 1").run();
    await settle(intent, { now: Date.now() + 2 * DAY });
    expect((await readPaymentLedger(id)).booking).toMatchObject({
      status: "pending_confirmation",
      paid_after_expiry: 1,
    });
  });

  test("records a payment for an expired booking whose last unit was sold, and flags it for review", async () => {
    const id = await bookOnWebsite("C");
    const intent = await startPayment(id, "tpvB");
    await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY);
    await bookOnWebsite("C");
    expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "cancelled", paid_after_expiry: 0 });
    const readShownState = async () => {
      const answer = await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${id}?lang=en`);
      return (await answer.json<{ booking: { status_reason: string | null; summary_status: string } }>()).booking;
    };
    expect(await readShownState()).toMatchObject({
      status_reason: "expired",
      summary_status: expect.stringContaining("it wasn't paid or confirmed in time"),
    });
    const settled = await settle(intent);
    expect(settled.answer.body).toBe("$*$OKY$*$");
    const { booking, charges, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "cancelled", paid_after_expiry: 1, total_paid_cents: intent.amount_cents });
    expect(charges).toHaveLength(1);
    expect(events).toEqual(["created", "expired", "paid"]);
    expect(await readShownState()).toMatchObject({ status_reason: "paid_too_late" });
  });

  test("shows an expired hold as expired before the cron job has cancelled it", async () => {
    const id = await bookOnWebsite("C");
    await company.db.prepare("UPDATE bookings SET expires_at = ? WHERE free_access_id = ?").bind(Date.now(), id).run();
    const readShownState = await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${id}?lang=en`);
    expect(await readShownState.json()).toMatchObject({
      booking: {
        ...{ status: "pending_confirmation", status_reason: "expired" },
        summary_status: expect.stringContaining("your reservation has expired"),
      },
      sales_process: { can_pay: false },
    });
  });

  test("accepts the rest of a confirmed booking's price after the payment attempt has expired", async () => {
    const id = await bookOnWebsite("C");
    await settle(await startPayment(id, "tpvB"));
    const rest = await startPayment(id, "tpvB", "pending");
    await expireUnpaidStockHolds(openTestTenant(env), Date.now() + DAY);
    await settle(rest);
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "confirmed", payment_status: "total", paid_after_expiry: 0 });
    expect(charges).toHaveLength(2);
  });
});

describe("two payments of one debt", () => {
  // Proves "payments.md: gateways": One booking never takes two payments of the same debt; a second one is kept, to be
  //   given back
  // Proves "rentals.md": 11
  test.each([
    { part: "total", state: "second" },
    { part: "deposit", state: "additional" },
  ])(
    "expires the first attempt to pay the $part when another starts, and flags a double payment for refunding",
    async ({ part, state: shownState }) => {
      const id = await bookOnWebsite("C");
      const first = await startPayment(id, "tpvB", part);
      await company.db.prepare("UPDATE payment_intents SET created_at = 1").run();
      const second = await startPayment(id, "tpvB", part);
      const state = "SELECT state FROM payment_intents WHERE id = ?";
      expect(await company.db.prepare(state).bind(first.id).first("state")).toBe("expired");
      await settle(second);
      await settle(first);
      const { booking, charges, outcomes } = await readPaymentLedger(id);
      expect(charges).toHaveLength(2);
      expect(booking).toMatchObject({ status: "confirmed", total_paid_cents: 2 * first.amount_cents });
      expect(outcomes).toEqual(["authorised paid", "authorised second_payment"]);
      const readShownState = ({ id: payment }: IntentRow) =>
        readReturningVisitorPaymentState(openTestTenant(env), payment);
      expect((await readShownState(second))?.state).toBe("paid");
      expect((await readShownState(first))?.state).toBe(shownState);
    },
  );

  test("shows the customer of a second down payment what was received and what remains, in each language", async () => {
    const id = await bookOnWebsite("C");
    const first = await startPayment(id, "tpvB", "deposit");
    await company.db.prepare("UPDATE payment_intents SET created_at = 1").run();
    const second = await startPayment(id, "tpvB", "deposit");
    await settle(second);
    await settle(first);
    const totalCents = Number(await company.db.prepare("SELECT total_cents FROM bookings").first("total_cents"));
    const pendingCents = totalCents - 2 * first.amount_cents;
    expect(pendingCents).toBeGreaterThan(0);
    for (const language of PLATFORM_LANGUAGES) {
      await company.db.prepare("UPDATE bookings SET customer_language = ?").bind(language).run();
      const page = await requestWorker(
        `http://acme.localhost:8787/reserva/payment-gateway-return/ok?payment=${first.id}`,
      );
      const text = await page.text();
      const { title, text: sentence } = paymentTexts[language].additional;
      const format = { currency: "EUR", decimals: 2, language };
      const balance = paymentTexts[language].balance
        .replace("{paid}", formatMoney(2 * first.amount_cents, format))
        .replace("{pending}", formatMoney(pendingCents, format));
      for (const shown of [title, sentence, balance]) expect(text).toContain(shown.replaceAll("'", "&#39;"));
    }
  });
});

describe("the prepayment and the total in two tabs", () => {
  const ORDERS = [
    ["deposit", "total"],
    ["total", "deposit"],
  ] as const;

  // Proves "rentals.md": 11b
  test.each(ORDERS)(
    "records both payments, the %s first and then the %s, and flags the second for refunding",
    async (item, other) => {
      const id = await bookOnWebsite("C");
      const tabs = {
        deposit: await startPayment(id, "tpvB", "deposit"),
        total: await startPayment(id, "tpvA256", "total"),
      };
      const settleIn = (part: keyof typeof tabs) =>
        part === "deposit" ? settle(tabs.deposit) : sendGatewayNotice("tpvA256", createRedsysNotice(tabs.total));
      await settleIn(item);
      await settleIn(other);
      // A repeated notification and a later rejection change nothing.
      await settleIn(item);
      await sendGatewayNotice("tpvA256", createRedsysDenial(tabs.total));
      const { booking, charges, outcomes, events } = await readPaymentLedger(id);
      const both = tabs.deposit.amount_cents + tabs.total.amount_cents;
      expect(booking).toMatchObject({ status: "confirmed", payment_status: "total", total_paid_cents: both });
      expect(charges).toHaveLength(2);
      expect(outcomes.filter((outcome) => outcome.startsWith("authorised"))).toEqual([
        "authorised paid",
        "authorised second_payment",
      ]);
      expect(events.filter((event) => event === "confirmed")).toHaveLength(1);
    },
  );
});

describe("a failing database", () => {
  // Steps: the gateway's row, the intent's row, the settlement.
  // Proves "payments.md: gateways": A crash at any step settles once
  test.each([
    [["before", "none"]],
    [["none", "before", "none"]],
    [["none", "after", "none"]],
    [["none", "none", "before", "none"]],
    [["none", "none", "after", "none"]],
    [["none", "none", "after", "none", "after", "none"]],
  ] as const)(
    "records a payment once despite the database faults %j, at once or at the gateway's retry",
    async (faults) => {
      const id = await bookOnWebsite();
      const intent = await startPayment(id, "tpvB");
      await settle(intent, { faults }).catch(() => settle(intent));
      const { booking, charges, events } = await readPaymentLedger(id);
      expect(charges).toHaveLength(1);
      expect(booking).toMatchObject({ status: "confirmed", total_paid_cents: intent.amount_cents });
      expect(events).toEqual(["created", "paid", "confirmed"]);
    },
  );

  test("records no payment and no booking change if the settlement keeps failing", async () => {
    const id = await bookOnWebsite();
    const intent = await startPayment(id, "tpvB");
    await expect(settle(intent, { faults: ["none", "none", "before"] })).rejects.toThrow();
    const { booking, charges, outcomes } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "pending_confirmation", total_paid_cents: 0 });
    expect([charges, outcomes]).toEqual([[], []]);
  });
});

describe("PayPal's postback", () => {
  const raw =
    "first_name=Ren%E9&payment_status=Completed&txn_id=8XY&receiver_email=payments%40acme.test&mc_currency=EUR";

  async function settleBy(answer: Response | Error, changes = "") {
    const id = await bookOnWebsite();
    const intent = await startPayment(id, "wallet_standard");
    const amount = (intent.amount_cents / 100).toFixed(2);
    const body = `${raw}&mc_gross=${amount}&invoice=${intent.order_reference}${changes}`;
    const calls: Parameters<SendToGateway>[] = [];
    const sendToGateway: SendToGateway = async (...call) => {
      calls.push(call);
      if (answer instanceof Error) throw answer;
      return answer.clone() as Response;
    };
    const settled = await processGatewayNotification(
      openTestTenant(env),
      "wallet_standard",
      new TextEncoder().encode(body),
      {
        now: Date.now(),
        sendToGateway,
      },
    );
    return { settled, calls, body, ledger: await readPaymentLedger(id) };
  }

  test("asks PayPal about only a few notifications with unknown orders per minute", () =>
    runWithinOneClockMinute(async () => {
      let callCount = 0;
      const sendToGateway: SendToGateway = async () => {
        callCount++;
        return new Response("INVALID");
      };
      const unknown = (order: number) =>
        processGatewayNotification(
          openTestTenant(env),
          "wallet_standard",
          new TextEncoder().encode(`${raw}&mc_gross=1.00&invoice=9999ZZZZ${order}`),
          { now: Date.now(), sendToGateway },
        );
      for (let order = 1000; order < 1035; order++) await unknown(order);
      expect(callCount).toBeLessThanOrEqual(30);
      expect((await unknown(2000)).answer.status).toBe(503);
      const { calls } = await settleBy(new Response("VERIFIED"));
      expect(calls).toHaveLength(1);
    }));

  // Proves "payments.md: gateways": PayPal: the postback, its own bytes, its own host, no redirect
  test("posts a notification back to PayPal's own URL with the same bytes, without following redirects", async () => {
    await company.db.prepare("UPDATE payment_gateways SET environment = 'live'").run();
    const { settled, calls, body, ledger } = await settleBy(new Response("VERIFIED"));
    expect(settled.answer).toMatchObject({ status: 200, body: "" });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0]).toBe("https://ipnpb.paypal.com/cgi-bin/webscr");
    expect(calls[0]?.[1]).toMatchObject({ method: "POST", redirect: "manual" });
    expect(new TextDecoder().decode(calls[0]?.[1].body)).toBe(`cmd=_notify-validate&${body}`);
    expect(ledger.booking).toMatchObject({ status: "confirmed" });
  });

  test("records nothing if PayPal answers that a notification is INVALID", async () => {
    const { settled, ledger } = await settleBy(new Response("INVALID"));
    expect(settled).toMatchObject({ answer: { status: 403 }, alert: "forged_notification" });
    expect([ledger.charges, ledger.outcomes]).toEqual([[], []]);
  });

  test.each([
    ["times out", new Error("timeout")],
    ["is redirected", new Response("VERIFIED", { status: 302, headers: { Location: "https://evil.example" } })],
    ["is answered with status 500", new Response("VERIFIED", { status: 500 })],
    ["is answered with other text", new Response("VERIFIED\nINVALID")],
  ])("lets PayPal resend the notification if its verification %s", async (_title, answer) => {
    const { settled, ledger } = await settleBy(answer);
    expect(settled).toMatchObject({ answer: { status: 503 }, alert: "postback_failed" });
    expect([ledger.charges, ledger.outcomes]).toEqual([[], []]);
  });

  test("records a payment to another PayPal account as a mismatch, and answers 200", async () => {
    await company.db
      .prepare(
        `UPDATE payment_gateways SET merchant = '{"business":"other@acme.test"}' WHERE method = 'wallet_standard'`,
      )
      .run();
    const { settled, ledger } = await settleBy(new Response("VERIFIED"));
    expect(settled).toMatchObject({ answer: { status: 200 }, alert: "payment_mismatch" });
    expect([ledger.charges, ledger.outcomes]).toEqual([[], ["authorised mismatch"]]);
  });
});

describe("the cron job", () => {
  // Proves "payments.md: gateways": Unpaid holds expire, every few minutes (rules.md)
  // Proves "rules.md: quotes, counts and agreements": A hold that is not paid ends: cancelled, its units free
  test("cancels unpaid expired holds once, and releases their units", async () => {
    const id = await bookOnWebsite("C");
    await startPayment(id);
    expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + DAY - 60_000)).toBe(0);
    expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + DAY + 60_000)).toBe(1);
    expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + DAY + 60_000)).toBe(0);
    const { booking, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "cancelled", expires_at: null });
    expect(events).toEqual(["created", "expired"]);
    expect(await company.db.prepare("SELECT count(*) AS n FROM stock_allocations").first("n")).toBe(0);
    expect(await company.db.prepare("SELECT state FROM payment_intents").first("state")).toBe("expired");
    await bookOnWebsite("C");
  });

  test("doesn't cancel paid bookings when holds expire", async () => {
    const id = await bookOnWebsite("C");
    await settle(await startPayment(id, "tpvB"));
    expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 30 * DAY)).toBe(0);
    expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "confirmed" });
  });

  test("runs the cron job for every account although one of them fails", async () => {
    const id = await bookOnWebsite("C");
    const broken = addFaults(env.TENANT_GLOBEX, ["before"]);
    await runScheduledJobs({ ...env, TENANT_AAA: broken, TENANT_GLOBEX: broken } as typeof env, Date.now() + 2 * DAY);
    expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "cancelled" });
  });

  test("confirms a booking with one charge despite forty simultaneous notices of its payment and ten hold expiries", async () => {
    const id = await bookOnWebsite("C");
    const intent = await startPayment(id, "tpvB");
    const now = Date.now() + 2 * DAY;
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 5 === 0 ? expireUnpaidStockHolds(openTestTenant(env), now) : settle(intent, { now }),
      ),
    );
    const { booking, charges } = await readPaymentLedger(id);
    expect(charges).toHaveLength(1);
    expect(booking).toMatchObject({ status: "confirmed", total_paid_cents: intent.amount_cents });
  });
});
