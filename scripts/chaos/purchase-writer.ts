import { readRedsysParameters, signedRedsysFields } from "#worker/gateways/redsys.ts";
import { type AccountName, type Call, jsonCall, jsonOf, unexpected } from "./client.ts";
import { type Scene, someRental, type Writer } from "./writers.ts";

const ENGINE = "/api/booking/frontend";
/** Redsys' published test merchant, as the demo companies have it. */
const TEST_SECRET = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";

/** A visitor of a website: cart, product, checkout, perhaps the contract's data, perhaps a payment. */
export function purchaseWriter(account: AccountName): Writer {
  const query = `?api_key=${account}-web`;
  return async (scene) => {
    const cart = await fillCart(scene, account, query);
    if (cart === undefined) return;
    const freeAccessId = await buy(scene, { account, cart, query });
    if (freeAccessId === undefined) return;
    if (scene.random.chance(0.5)) await fillContract(scene, account, freeAccessId);
    if (account === "acme" && scene.random.chance(0.6)) await pay(scene, account, freeAccessId);
  };
}

async function fillCart(scene: Scene, account: AccountName, query: string): Promise<string | undefined> {
  const { client } = scene;
  const { from, to, place, code } = someRental(scene, account);
  const search = {
    date_from: from.split("-").reverse().join("/"),
    time_from: "10:00",
    date_to: to.split("-").reverse().join("/"),
    time_to: "10:00",
    pickup_place: String(place),
    return_place: String(place),
  };
  const create = jsonCall({ account, method: "POST", path: `${ENGINE}/shopping-cart${query}` }, search);
  const created = await client.sendUntilAnswered(create);
  if (created.status === 400) return undefined; // the branch is closed that day
  if (created.status !== 200) throw unexpected(create, created);
  const cart = String(jsonOf(created).shopping_cart.free_access_id);
  const path = `${ENGINE}/shopping-cart/${cart}/set-product${query}`;
  const choose = jsonCall({ account, method: "POST", path }, { product: code });
  const chosen = await client.sendUntilAnswered(choose);
  if (chosen.status === 409) return undefined;
  if (chosen.status !== 200) throw unexpected(choose, chosen);
  return cart;
}

async function buy(
  { client, history }: Scene,
  { account, cart, query }: { readonly account: AccountName; readonly cart: string; readonly query: string },
): Promise<string | undefined> {
  const customer = { customer_name: "Ana", customer_surname: `of ${account}`, customer_email: "ana@example.com" };
  const path = `${ENGINE}/shopping-cart/${cart}/checkout${query}`;
  const checkout = jsonCall({ account, method: "POST", path }, customer);
  history.purchases.set(cart, { account, state: "asked" });
  const answer = await client.sendUntilAnswered(checkout);
  if (answer.status === 409) {
    history.purchases.set(cart, { account, state: "refused" });
    return undefined;
  }
  if (answer.status !== 200) throw unexpected(checkout, answer);
  const freeAccessId = String(jsonOf(answer).free_access_id);
  history.purchases.set(cart, { account, state: "booked", freeAccessId });
  return freeAccessId;
}

async function fillContract({ client, history, random }: Scene, account: AccountName, id: string): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const flight = `IB${random.digits(4)}`;
    const before = history.contractData.get(id);
    history.contractData.set(id, { ...before, asked: [...(before?.asked ?? []), flight] });
    const path = `${ENGINE}/booking/${id}?api_key=${account}-web`;
    const put = jsonCall({ account, method: "PUT", path }, { flight_number: flight });
    const answer = await client.sendUntilAnswered(put);
    if (answer.status !== 200) throw unexpected(put, answer);
    history.contractData.set(id, { asked: [flight], acknowledged: flight });
  }
}

async function pay({ client, history }: Scene, account: AccountName, id: string): Promise<void> {
  const form = (path: string, fields: Readonly<Record<string, string>>): Call => ({
    account,
    method: "POST",
    path,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  const ask = form("/reserva/pagar", { id, payment: "total", payment_method_id: "tpvA256" });
  const page = await client.sendUntilAnswered(ask);
  if (page.status !== 200) throw unexpected(ask, page);
  const parameters = /name="Ds_MerchantParameters" value="([^"]+)"/.exec(page.bytes.toString())?.[1] ?? "";
  const asked = readRedsysParameters(parameters.replaceAll("&#x3D;", "=").replaceAll("&#61;", "=")) ?? {};
  const order = String(asked["DS_MERCHANT_ORDER"]);
  const cents = Number(asked["DS_MERCHANT_AMOUNT"]);
  const said = {
    Ds_Date: "20%2F11%2F2026",
    Ds_Hour: "10%3A30",
    Ds_Amount: String(cents),
    Ds_Currency: String(asked["DS_MERCHANT_CURRENCY"]),
    Ds_Order: order,
    Ds_MerchantCode: String(asked["DS_MERCHANT_MERCHANTCODE"]),
    Ds_Terminal: String(asked["DS_MERCHANT_TERMINAL"]),
    Ds_Response: "0000",
    Ds_TransactionType: "0",
    Ds_AuthorisationCode: "123456",
  };
  const notice = form("/charge-processed/tpvA256", signedRedsysFields("HMAC_SHA512_V2", TEST_SECRET, order, said));
  history.payments.set(order, { account, cents, acknowledged: false });
  const told = await client.sendUntilAnswered(notice);
  if (told.status !== 200) throw unexpected(notice, told);
  history.payments.set(order, { account, cents, acknowledged: true });
  // A gateway that heard nothing tells again, and so does one that did.
  await client.sendUntilAnswered(notice);
}
