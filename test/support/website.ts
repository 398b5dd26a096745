import { env } from "cloudflare:workers";
import { getBookableDay } from "#support/agency.ts";
import { requestWorker } from "#support/worker.ts";

const ORIGIN = "https://shop.example";
const ENGINE = "http://acme.localhost:8787/api/booking/frontend";

/** Sends a read request like a booking website. */
export function getAsWebsite(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return requestWorker(ENGINE + path, { headers: { Origin: ORIGIN, ...headers } });
}

/** Sends JSON like a booking website, percent-encoded where existing clients do so. */
export function sendAsWebsite(
  method: string,
  path: string,
  body: unknown,
  { encoded = true, headers = {}, bindings = env } = {},
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = {
    method,
    headers: { Origin: ORIGIN, "Content-Type": "application/json; charset=utf-8", ...headers },
    body: encoded ? encodeURIComponent(text) : text,
  };
  return requestWorker(ENGINE + path, init, bindings);
}

/** dd/mm/yyyy, as sent by search forms. */
export function toFormDate(days: number): string {
  return getBookableDay(days).split("-").reverse().join("/");
}

export function createSearch(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    date_from: toFormDate(0),
    include_products: true,
    date_to: toFormDate(3),
    time_from: "10:00",
    time_to: "10:00",
    pickup_place: "1",
    custom_pickup_place: "false",
    return_place: "1",
    custom_return_place: "false",
    web_referrer: "",
    web_search: "",
    web_landing_page: "https://shop.example/index.html",
    ...changes,
  };
}

export function createCheckout(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    customer_name: "Ana",
    customer_surname: "Ruiz",
    customer_email: "ana@example.com",
    customer_phone: "600000000",
    payment: "none",
    complete_action: "request_reservation",
    customer_company_name: "",
    ...changes,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what a website reads is checked field by field in the tests.
export async function parseJson(response: Response): Promise<any> {
  return response.json();
}

/** Creates an active cart, by default with a small car. */
export async function createCart(
  product: string | null = "A",
  search: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const created = await sendAsWebsite("POST", "/shopping-cart", createSearch(search));
  if (created.status !== 200) throw new Error(await created.text());
  const id = (await parseJson(created)).shopping_cart.free_access_id;
  if (product) await sendAsWebsite("POST", `/shopping-cart/${id}/set-product`, { product });
  return id;
}

export function checkOutCart(
  cartId: string,
  changes: Readonly<Record<string, unknown>> = {},
  lang = "en",
): Promise<Response> {
  return sendAsWebsite("POST", `/shopping-cart/${cartId}/checkout?lang=${lang}`, createCheckout(changes), {
    encoded: false,
  });
}
