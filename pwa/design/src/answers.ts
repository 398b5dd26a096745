// The design page has no server. A sample request's path decides whether it gets data, an error or no answer.

/** Path of a request without an answer. */
export const PENDING_PATH = "/design/pending";

const VIEWS = {
  data: [
    { id: 1, list: "charges", name: "Visa", query: "payment_method_id=card", own: true, shared: false },
    { id: 2, list: "customers", name: "Palma", query: "q=Palma", own: false, shared: true },
  ],
};
const OPTIONS: Readonly<Record<string, object>> = {
  places: {
    data: [
      { id: 1, name: "Palma", is_pickup: true, is_return: true },
      { id: 2, name: "Alcúdia", is_pickup: true, is_return: true },
    ],
    total: 2,
    next: null,
  },
  extras: {
    data: [
      { code: "SEAT", name: "Child seat", active: true, max_quantity: 2, price: "5.00", price_per: "day" },
      { code: "GPS", name: "GPS", active: true, max_quantity: 1, price: "3.00", price_per: "day" },
    ],
    total: 2,
    next: null,
  },
  attention: { data: [] },
  capture: { capture: { amount: "50.00", released: "250.00", total_pending: "10.00", credit: "0.00" } },
  views: VIEWS,
  "second-factor": { passkeys: [], authenticator: true },
};

const refused = { error: "", code: "vehicle_out", params: {} };

/** Answers the requests of the components: with data, with a refusal, or never. */
function answer(path: string, method: string): Promise<Response> {
  if (path.includes(PENDING_PATH)) return new Promise(() => undefined);
  const name = Object.keys(OPTIONS).find((known) => path.includes(`/${known}`));
  if (name !== undefined && method !== "PUT") return Promise.resolve(Response.json(OPTIONS[name]));
  return Promise.resolve(Response.json(refused, { status: 409 }));
}

/** Replaces the network of the page. */
export function answerRequestsWithSamples(): void {
  globalThis.fetch = (input, init) => answer(String(input), init?.method ?? "GET");
}
