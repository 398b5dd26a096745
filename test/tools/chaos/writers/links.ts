import { randomUUID } from "node:crypto";
import { type AccountName, type Call, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import { createHoldEndNotice } from "#tools/platform/redsys-server.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { addIdempotencyKey, buildOfficeCall, OFFICE_PATH, sendWithIdempotencyKey } from "./office-requests.ts";
import { expectRows, recordExpectation } from "./record-expectations.ts";
import { applyReservationAction, RESERVATIONS_PATH } from "./reservation-actions.ts";

const GATEWAY = "tpvA256";
const PAID = "SELECT 1 FROM payment_links WHERE id = ? AND status = 'paid'";
const CANCELLED = "SELECT 1 FROM payment_links WHERE id = ? AND status = 'cancelled'";
const HELD = "SELECT 1 FROM payment_holds WHERE id = ? AND status = ?";
const CAPTURED = "SELECT 1 FROM charges WHERE uid = ?";

interface Place {
  readonly account: AccountName;
  readonly reservation: number;
}

interface LinkSnapshot {
  readonly id: number;
  readonly url: string;
}

/**
 * Creates an office user who sends payment links and card holds, a customer who pays or authorises them at Redsys, and
 * captures, releases and cancellations.
 */
export function createLinksWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const reservation = await sell(context, account);
    if (reservation === undefined) return;
    const place = { account, reservation };
    await context.random.pickWeighted<() => Promise<unknown>>([
      [() => payByLink(context, place), 3],
      [() => cancelLink(context, place), 1],
      [() => useHold(context, place), 4],
    ])();
  };
}

async function createLink(context: WriterContext, { account, reservation }: Place): Promise<LinkSnapshot | undefined> {
  const path = `/reservations/${reservation}/payment-links`;
  const body = { purpose: "payment", amount: "10.00" };
  const answer = await sendWithIdempotencyKey(context, { account, method: "POST", path, body, kind: "links" });
  return answer?.payment_link;
}

async function payByLink(context: WriterContext, place: Place): Promise<void> {
  const { account } = place;
  const { payments } = context.history;
  const link = await createLink(context, place);
  const notice = link && (await openGateway(context, account, link));
  if (!link || !notice) return;
  const { reference, cents, fields } = notice;
  payments.set(reference, { account, cents, acknowledged: false });
  const question = { account, sql: PAID, values: [link.id], before: 0, after: 1 };
  await recordExpectation(context, `link ${account} ${link.id}`, question, () => notify(context, account, fields));
  payments.set(reference, { account, cents, acknowledged: true });
}

async function cancelLink(context: WriterContext, place: Place): Promise<void> {
  const { account, reservation } = place;
  const link = await createLink(context, place);
  if (!link) return;
  const isShort = context.random.chance(0.5);
  const path = isShort ? `/payment-links/${link.id}` : `/reservations/${reservation}/payment-links/${link.id}`;
  const question = { account, sql: CANCELLED, values: [link.id], before: 0, after: 1 };
  await recordExpectation(context, `link ${account} ${link.id}`, question, () =>
    sendWithIdempotencyKey(context, { account, method: "DELETE", path, kind: "links" }),
  );
}

async function useHold(context: WriterContext, { account, reservation }: Place): Promise<void> {
  const { random } = context;
  const cents = random.between(1000, 5000);
  const body = { amount: (cents / 100).toFixed(2) };
  const path = `/reservations/${reservation}/holds`;
  const answer = await sendWithIdempotencyKey(context, { account, method: "POST", path, body, kind: "holds" });
  const notice = answer && (await openGateway(context, account, answer.payment_link));
  if (!notice) return;
  const { id } = answer.hold;
  const name = `hold ${account} ${id}`;
  const question = { account, sql: HELD, values: [id, "authorised"], before: 0, after: 1 };
  await recordExpectation(context, name, question, () => notify(context, account, notice.hold));
  const isCapture = random.chance(0.6);
  const endedCents = isCapture ? random.between(100, cents) : cents;
  const [status, type] = isCapture ? (["captured", "2"] as const) : (["released", "9"] as const);
  const action = isCapture
    ? { path: `/holds/${id}/capture`, body: { amount: (endedCents / 100).toFixed(2), reason: "chaos" } }
    : { path: `/holds/${id}/release`, body: undefined };
  await recordExpectation(
    context,
    name,
    { account, sql: HELD, values: [id, status], before: 0, after: 1 },
    async () => {
      await endHold(context, account, action);
      // Redsys also reports the end, because its answer may have been lost.
      return notify(context, account, createHoldEndNotice({ order: notice.reference, type, cents: endedCents }));
    },
  );
  const charges = isCapture ? 1 : 0;
  expectRows(context, `${name}, charge`, { account, sql: CAPTURED, values: [`hold:${id}:captured`] }, charges);
}

// Answers 202 if the gateway's answer was lost.
async function endHold(
  { client, staffTokens }: WriterContext,
  account: AccountName,
  { path, body }: { readonly path: string; readonly body: object | undefined },
): Promise<void> {
  const callTarget = { account, method: "POST", path: OFFICE_PATH + path };
  const call = addIdempotencyKey(buildOfficeCall(staffTokens[account], callTarget, body), randomUUID());
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200 && answer.status !== 202) throw createUnexpectedAnswerError(call, answer);
}

async function openGateway({ client }: WriterContext, account: AccountName, { url }: LinkSnapshot) {
  const path = new URL(url).pathname;
  const call = form(account, path, { payment_method_id: GATEWAY });
  const page = await client.sendUntilAnswered(call);
  if (page.status !== 200) throw createUnexpectedAnswerError(call, page);
  const text = page.bytes.toString();
  // The link's page without a form, if nothing is due any more.
  return text.includes("Ds_MerchantParameters") ? buildRedsysNotice(text) : undefined;
}

// The gateway repeats notifications, with or without a response.
async function notify(
  { client, random }: WriterContext,
  account: AccountName,
  fields: Readonly<Record<string, string>>,
): Promise<true> {
  const call = form(account, `/charge-processed/${GATEWAY}`, fields);
  for (let times = random.chance(0.5) ? 2 : 1; times > 0; times--) {
    const answer = await client.sendUntilAnswered(call);
    if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  }
  return true;
}

function form(account: AccountName, path: string, fields: Readonly<Record<string, string>>): Call {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { account, method: "POST", path, headers, body: new URLSearchParams(fields).toString() };
}

async function sell(context: WriterContext, account: AccountName): Promise<number | undefined> {
  const { from, to, place, code } = pickRental(context, account);
  const reservation = await applyReservationAction(
    context,
    { account, token: context.staffTokens[account], path: RESERVATIONS_PATH, method: "POST", reservation: undefined },
    {
      ...{ date_from: from, time_from: "10:00", date_to: to, time_to: "10:00", category_code: code },
      ...{ pickup_place: place, return_place: place, status: "confirmed" },
      customer: { name: "Lara", surname: `of ${account}`, phone: "+34600111333" },
      confirm_new: true,
    },
  );
  return reservation?.id;
}
