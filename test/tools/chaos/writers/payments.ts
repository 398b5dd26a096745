import { setTimeout } from "node:timers/promises";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import { createHoldEndNotice } from "#tools/platform/redsys-server.ts";
import type { Actor, ChaosWriter } from "./actor.ts";
import { sellRental } from "./reservations.ts";

/** Longer than a hold during chaos. */
const LONG_MILLISECONDS = 62_000;
const GATEWAY = "tpvA256";

type Fields = Readonly<Record<string, string>>;

/**
 * Simulates a paying visitor and a gateway that notifies the platform twice. Sometimes part is refunded, possibly with
 * its notification first.
 */
export async function simulateOnlinePayment(
  actor: Actor,
  freeAccessId: string,
  operations: readonly string[],
): Promise<void> {
  const { account, history, random } = actor;
  const fields = { id: freeAccessId, payment: random.pick(["total", "deposit"]), payment_method_id: GATEWAY };
  // The hold has expired, and there's nothing left to pay.
  const page = await actor.send(random.pick(operations), {}, fields, { refusals: [404] });
  if (!page.isDone) return;
  const { reference, cents, fields: paid, refund } = buildRedsysNotice(page.answer.bytes.toString());
  // A slow visitor: the hold may expire before the payment, which is accepted anyway.
  if (random.chance(0.05)) await setTimeout(LONG_MILLISECONDS);
  const payment = { account, cents };
  const notifyPayment = async () => {
    history.payments.set(reference, { ...payment, acknowledged: false });
    await notify(actor, paid, () => history.payments.set(reference, { ...payment, acknowledged: true }));
  };
  const notifyRefund = async () => {
    const code = random.hex(16);
    const part = { account, order: reference, cents: random.chance(0.4) ? cents : random.between(1, cents) };
    history.refunds.set(code, { ...part, acknowledged: false });
    await notify(actor, refund(part.cents, code), () => history.refunds.set(code, { ...part, acknowledged: true }));
  };
  const notifications = [notifyPayment, ...(random.chance(0.3) ? [notifyRefund] : [])];
  for (const run of random.chance(0.2) ? notifications.reverse() : notifications) await run();
}

// The gateway repeats notifications, with or without a response.
async function notify(actor: Actor, fields: Fields, acknowledge: () => void = () => undefined): Promise<true> {
  const reply = await actor.send("notifyPayment", { gateway: GATEWAY }, fields);
  acknowledge();
  if (actor.chance(0.5)) await actor.repeat(reply);
  return true;
}

const LINK = "SELECT 1 FROM payment_links WHERE id = ? AND status = ?";
const HOLD = "SELECT 1 FROM payment_holds WHERE id = ? AND status = ?";
const CAPTURED = "SELECT 1 FROM charges WHERE uid = ?";

/**
 * Sends payment links and card holds as the office, pays or authorises them at Redsys as a customer, and captures,
 * releases and cancels them.
 */
export const writePaymentLinksAndHolds: ChaosWriter = async (actor) => {
  const reservation = await sellRental(actor, { name: "Lara", phone: "+34600111333" }, { status: "confirmed" });
  if (!reservation) return;
  const { id } = reservation;
  const useLink = await actor.random.pickWeighted([
    [payByLink, 3],
    [cancelLink, 1],
  ] as const);
  if (actor.chance(0.5)) return useHold(actor, id);
  const link = await actor.write("createPaymentLink", { id }, { purpose: "payment", amount: "10.00" });
  if (link) await useLink(actor, link.content.payment_link, id);
};

interface PaymentLink {
  readonly id: number;
  readonly url: string;
}

async function payByLink(actor: Actor, link: PaymentLink): Promise<void> {
  const { account, history } = actor;
  const notice = await openGateway(actor, link);
  if (!notice) return;
  const { reference, cents, fields } = notice;
  history.payments.set(reference, { account, cents, acknowledged: false });
  await actor.track(`link ${link.id}`, [LINK, [link.id, "paid"]], () => notify(actor, fields));
  history.payments.set(reference, { account, cents, acknowledged: true });
}

async function cancelLink(actor: Actor, { id }: PaymentLink, reservation: number): Promise<void> {
  await actor.track(`link ${id}`, [LINK, [id, "cancelled"]], () =>
    actor.chance(0.5)
      ? actor.write("cancelPaymentLink", { id })
      : actor.write("cancelReservationPaymentLink", { id: reservation, link_id: id }),
  );
}

async function useHold(actor: Actor, reservation: number): Promise<void> {
  const cents = actor.random.between(1000, 5000);
  const requested = await actor.write("requestCardHold", { id: reservation }, { amount: formatCents(cents) });
  const notice = requested && (await openGateway(actor, requested.content.payment_link));
  if (!notice) return;
  const { id } = requested.content.hold;
  const name = `hold ${id}`;
  await actor.track(name, [HOLD, [id, "authorised"]], () => notify(actor, notice.hold));
  const isCapture = actor.chance(0.6);
  const endedCents = isCapture ? actor.random.between(100, cents) : cents;
  const capture = { amount: formatCents(endedCents), reason: "chaos" };
  await actor.track(name, [HOLD, [id, isCapture ? "captured" : "released"]], async () => {
    // Answers 202 if the gateway's answer was lost.
    await (isCapture ? actor.send("captureCardHold", { id }, capture) : actor.send("releaseCardHold", { id }));
    // Redsys also reports the end, because its answer may have been lost.
    const end = { order: notice.reference, type: isCapture ? "2" : "9", cents: endedCents } as const;
    return notify(actor, createHoldEndNotice(end));
  });
  actor.expect(`${name}, charge`, CAPTURED, [`hold:${id}:captured`], isCapture ? 1 : 0);
}

const formatCents = (cents: number) => (cents / 100).toFixed(2);

async function openGateway(actor: Actor, { url }: PaymentLink) {
  const token = new URL(url).pathname.split("/").at(-1) ?? "";
  const { answer } = await actor.send("payLink", { token }, { payment_method_id: GATEWAY });
  const text = answer.bytes.toString();
  // The link's page without a form, if nothing is due any more.
  return text.includes("Ds_MerchantParameters") ? buildRedsysNotice(text) : undefined;
}
