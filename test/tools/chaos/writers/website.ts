import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { applyActionAsCustomer } from "./customer-actions.ts";
import { simulateOnlinePayment } from "./payment.ts";

const ENGINE = "/api/booking/frontend";
const PAYMENT_PATHS = ["/reserva/pagar", "/book/pay"];

interface Visit {
  readonly account: AccountName;
  readonly cart: string;
  /** Acknowledged quantity by extra code. */
  readonly extras: Map<string, number>;
}

/**
 * Creates a website visitor: cart, product, extras, changes of mind and checkout. Sometimes also contract data, a
 * payment, and a change or cancellation.
 */
export function createPurchaseWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const visit = await fillCart(context, account);
    if (!visit) return;
    const freeAccessId = await placeBooking(context, visit);
    if (freeAccessId === undefined) return;
    if (context.random.chance(0.5)) await fillContract(context, account, freeAccessId);
    if (account === "acme" && context.random.chance(0.6))
      await simulateOnlinePayment(context, { account, freeAccessId, paths: PAYMENT_PATHS });
    if (context.random.chance(0.3)) await thinkAgain(context, visit, freeAccessId);
  };
}

// Expects the last returned values. If the outcome is unknown or rejected, either is possible.
async function thinkAgain(context: WriterContext, visit: Visit, freeAccessId: string): Promise<void> {
  const { history, random, accountData } = context;
  const { account, cart, extras } = visit;
  const booked = { account, kind: "rental", freeAccessId } as const;
  const own = { account, freeAccessId };
  if (random.chance(0.4)) {
    history.purchases.set(cart, { ...booked, state: "cancelling", extras });
    const isCancelled = await applyActionAsCustomer(context, { ...own, action: "cancel" });
    if (isCancelled) history.purchases.set(cart, { ...booked, state: "cancelled", extras });
    return;
  }
  const code = random.pick(accountData[account].extras);
  history.purchases.set(cart, { ...booked, state: "booked" });
  const change = { extras: [{ code, quantity: 1 }], time_from: "11:00" };
  const isCancelled = await applyActionAsCustomer(context, { ...own, action: "change", change });
  if (isCancelled) history.purchases.set(cart, { ...booked, state: "booked", extras: new Map([[code, 1]]) });
}

function buildSearch(context: WriterContext, account: AccountName) {
  const { from, to, place, code } = pickRental(context, account);
  const search = {
    date_from: from.split("-").reverse().join("/"),
    time_from: "10:00",
    date_to: to.split("-").reverse().join("/"),
    time_to: "10:00",
    pickup_place: String(place),
    return_place: String(place),
  };
  return { search, code };
}

async function fillCart(context: WriterContext, account: AccountName): Promise<Visit | undefined> {
  const { client, random } = context;
  const { search, code } = buildSearch(context, account);
  const path = `${ENGINE}/shopping-cart?api_key=${account}-web`;
  const create = createJsonCall({ account, method: "POST", path }, search);
  const created = await client.sendUntilAnswered(create);
  if (created.status === 400) return undefined; // the branch is closed that day
  if (created.status !== 200) throw createUnexpectedAnswerError(create, created);
  const cart = String(parseJson(created).shopping_cart.free_access_id);
  const visit = { account, cart, extras: new Map<string, number>() };
  if (!(await change(context, visit, "POST", "/set-product", { product: code }))) return undefined;
  for (let remainingChanges = random.between(0, 2); remainingChanges > 0; remainingChanges--)
    await changeExtra(context, visit);
  if (random.chance(0.2))
    await change(context, visit, random.pick(["PUT", "POST"]), "", buildSearch(context, account).search);
  if (random.chance(0.2)) await tryCode(context, visit, "WELCOME10");
  return visit;
}

/** Checks a promotion code like a website's form. The cart decides. */
async function tryCode(context: WriterContext, visit: Visit, code: string): Promise<void> {
  const call = {
    account: visit.account,
    method: "POST",
    path: "/api/check-promotion-code",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ code }).toString(),
  };
  const answer = await context.client.sendUntilAnswered(call);
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  await change(context, visit, "POST", "/apply-promotion-code", { promotion_code: code });
}

async function changeExtra(context: WriterContext, visit: Visit): Promise<void> {
  const { random, accountData } = context;
  const extra = random.pick(accountData[visit.account].extras);
  const quantity = random.between(1, 2);
  if (await change(context, visit, "POST", "/set-extra", { extra, quantity })) visit.extras.set(extra, quantity);
  if (!random.chance(0.3)) return;
  if (await change(context, visit, "POST", "/remove-extra", { extra })) visit.extras.delete(extra);
}

/**
 * Sends a cart change. Returns whether it was accepted. Closed branches, invalid codes and too many extras are
 * rejected.
 */
async function change(
  { client }: WriterContext,
  { account, cart }: Visit,
  method: string,
  step: string,
  content: unknown,
): Promise<boolean> {
  const path = `${ENGINE}/shopping-cart/${cart}${step}?api_key=${account}-web`;
  const call = createJsonCall({ account, method, path }, content);
  const answer = await client.sendUntilAnswered(call);
  if (![200, 400, 409].includes(answer.status)) throw createUnexpectedAnswerError(call, answer);
  return answer.status === 200;
}

async function placeBooking(
  { client, history }: WriterContext,
  { account, cart, extras }: Visit,
): Promise<string | undefined> {
  const customer = { customer_name: "Ana", customer_surname: `of ${account}`, customer_email: "ana@example.com" };
  const path = `${ENGINE}/shopping-cart/${cart}/checkout?api_key=${account}-web`;
  const checkout = createJsonCall({ account, method: "POST", path }, customer);
  history.purchases.set(cart, { account, kind: "rental", state: "asked" });
  const answer = await client.sendUntilAnswered(checkout);
  if (answer.status === 409) {
    history.purchases.set(cart, { account, kind: "rental", state: "refused" });
    return undefined;
  }
  if (answer.status !== 200) throw createUnexpectedAnswerError(checkout, answer);
  const freeAccessId = String(parseJson(answer).free_access_id);
  history.purchases.set(cart, { account, kind: "rental", state: "booked", freeAccessId, extras });
  return freeAccessId;
}

async function fillContract(
  { client, history, random }: WriterContext,
  account: AccountName,
  id: string,
): Promise<void> {
  for (let remainingChanges = 0; remainingChanges < 2; remainingChanges++) {
    const flight = `IB${random.digits(4)}`;
    const before = history.contractData.get(id);
    history.contractData.set(id, {
      ...before,
      account,
      requestedFlights: [...(before?.requestedFlights ?? []), flight],
    });
    const path = `${ENGINE}/booking/${id}?api_key=${account}-web`;
    const putCall = createJsonCall({ account, method: "PUT", path }, { flight_number: flight });
    const answer = await client.sendUntilAnswered(putCall);
    // The hold and with it the booking has expired.
    if (answer.status === 409) return;
    if (answer.status !== 200) throw createUnexpectedAnswerError(putCall, answer);
    history.contractData.set(id, { account, requestedFlights: [flight], acknowledged: flight });
  }
}
