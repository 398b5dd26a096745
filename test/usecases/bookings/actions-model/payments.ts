import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { openTestTenant } from "#support/databases.ts";
import {
  createRedsysDenial,
  createRedsysNotice,
  createRedsysRefundNotice,
  type GatewayFields,
  type IntentRow,
} from "#support/payments.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { preparePayment } from "#worker/usecases/payments/prepare-payment.ts";
import { processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  HOUR,
  type KnownBooking,
  type ModelActions,
  type ModelState,
  openFaultyTenant,
  readAcmeRows,
} from "./contract-life.ts";
import { enterPositiveCharge } from "./documents.ts";

const rejectPostBack = () => Promise.reject(new Error("Redsys signs its message"));

/** Sends the gateway's notification twice, after one with an invalid key. */
async function notify(life: ModelState, fields: GatewayFields): Promise<boolean> {
  const hear = (fields: GatewayFields) => {
    const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
    return processGatewayNotification(openFaultyTenant(life), "tpvA256", body, {
      now: life.now,
      sendToGateway: rejectPostBack,
    });
  };
  const forged = await hear({ ...fields, Ds_Signature: "AAAA" });
  expect(forged.alert).toBe("forged_notification");
  const noticeResult = await hear(fields);
  const again = await hear(fields);
  expect(again.answer.status).toBe(noticeResult.answer.status);
  return noticeResult.alert === undefined && noticeResult.answer.status === 200;
}

const pickIntent = async (condition: string): Promise<IntentRow | undefined> =>
  (
    await readAcmeRows<IntentRow>(`SELECT * FROM payment_intents WHERE ${condition} ORDER BY abs(random() % 7) LIMIT 1`)
  )[0];

const getOwedCents = async ({ id }: KnownBooking) =>
  (
    await readAcmeRows<{
      cents: number;
    }>(`SELECT total_cents - credited_cents - total_paid_cents - agent_commission_prepaid_cents AS cents
      FROM bookings WHERE id = ${id}`)
  )[0]?.cents ?? 0;

/** Payments at the desk and at a gateway, with notifications in time, late, repeated, and about refunds. */
export function createPaymentActions(life: ModelState): ModelActions {
  const goToGateway = async (booking: KnownBooking) => {
    const [part, intentId] = [life.random.pick(["deposit", "total"] as const), createFreeAccessId()];
    const paymentRequest = { freeAccessId: booking.free_access_id, part, method: "tpvA256", summaryUrl: undefined };
    const prepared = await preparePayment(openFaultyTenant(life), paymentRequest, {
      ...{ now: life.now, intentId },
      sendToGateway: () => Promise.reject(new Error("nothing may be fetched")),
    });
    return prepared.ok ? intentId : undefined;
  };
  return {
    pay: async (booking) =>
      booking.total_cents > booking.total_paid_cents &&
      enterPositiveCharge(life, booking, "charge", booking.total_cents - booking.total_paid_cents),
    // A refund on a closed contract must not increase its pending amount.
    givesBack: async (booking) => {
      const before = await getOwedCents(booking);
      const wasSuccessful =
        booking.total_paid_cents > 0 &&
        (await enterPositiveCharge(life, booking, "payment", Math.min(1000, booking.total_paid_cents)));
      if (wasSuccessful && booking.status === "done")
        expect(await getOwedCents(booking)).toBeLessThanOrEqual(Math.max(0, before));
      return wasSuccessful;
    },
    goesToGateway: async (booking) => (await goToGateway(booking)) !== undefined,
    paysAtGateway: async (booking) => {
      const intentId = await goToGateway(booking);
      const intent = intentId && (await pickIntent(`id = '${intentId}'`));
      return intent ? notify(life, createRedsysNotice(intent)) : false;
    },
    // The hold expires during the payment.
    paysLate: async (booking) => {
      const intentId = await goToGateway(booking);
      life.now += 11 * HOUR;
      await expireUnpaidStockHolds(openTestTenant(env), life.now);
      const intent = intentId && (await pickIntent(`id = '${intentId}'`));
      return intent ? notify(life, createRedsysNotice(intent)) : false;
    },
    isDenied: async (booking) => {
      const intentId = await goToGateway(booking);
      const intent = intentId && (await pickIntent(`id = '${intentId}'`));
      return intent ? notify(life, createRedsysDenial(intent)) : false;
    },
    gatewayGivesBack: async () => {
      const intent = await pickIntent("state = 'paid' AND refunded_cents < amount_cents");
      if (!intent) return false;
      const remainingCents = intent.amount_cents - intent.refunded_cents;
      const code = String(100_000 + life.random.below(900_000));
      return notify(
        life,
        createRedsysRefundNotice(intent, life.random.pick([remainingCents, Math.ceil(remainingCents / 3)]), code),
      );
    },
  };
}
