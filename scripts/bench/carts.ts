import { type Cost, costOf, type Target, textOf } from "./load.ts";
import type { Call } from "./operations.ts";

const ENGINE = "/api/booking/frontend";
const EXTRA = "GPS";
/** Enough that two connections seldom change the same cart at once. */
const LIVING_CARTS = 200;
const DAY_MILLISECONDS = 86_400_000;

/** What an operation of the cart cost: database calls and rows at most, milliseconds of one client after the other. */
export interface CartCost extends Cost {
  readonly p50: number;
  readonly p99: number;
}

export type CartOperation = "cart create" | "set-product" | "set-extra" | "cart read" | "checkout";

function post(path: string, content: unknown): Call {
  return {
    method: "POST",
    path: ENGINE + path,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
  };
}

/** Buys again and again, one visitor after the other, and answers what each step cost. */
export async function buy(
  target: Target,
  { codes, places }: { readonly codes: readonly string[]; readonly places: readonly number[] },
  purchases: number,
): Promise<ReadonlyMap<CartOperation, CartCost>> {
  const samples = new Map<CartOperation, (Cost & { readonly milliseconds: number })[]>();
  const sample = async (name: CartOperation, call: Call) => {
    const begun = performance.now();
    const cost = await costOf(target, call);
    samples.set(name, [...(samples.get(name) ?? []), { ...cost, milliseconds: performance.now() - begun }]);
  };
  for (let turn = 0; turn < purchases; turn++) {
    const id = await begin(target, turn, places);
    await sample("cart create", create(turn, places));
    await sample("set-product", post(`/shopping-cart/${id}/set-product`, { product: codes[turn % codes.length] }));
    await sample("set-extra", post(`/shopping-cart/${id}/set-extra`, { extra: EXTRA, quantity: 1 }));
    await sample("cart read", {
      method: "GET",
      path: `${ENGINE}/shopping-cart/${id}?include_products=true&include_extras=true`,
      headers: {},
    });
    const customer = { customer_name: "Ana", customer_surname: "Ruiz", customer_email: "ana@example.com" };
    await sample("checkout", post(`/shopping-cart/${id}/checkout`, customer));
  }
  return new Map([...samples].map(([name, costs]) => [name, summary(costs)]));
}

function summary(costs: readonly (Cost & { readonly milliseconds: number })[]): CartCost {
  const times = costs.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 10) / 10;
  return {
    calls: Math.max(...costs.map(({ calls }) => calls)),
    rows: Math.max(...costs.map(({ rows }) => rows)),
    p50: at(0.5),
    p99: at(0.99),
  };
}

// Spread over the years to come, so that nothing is sold out.
function create(turn: number, places: readonly number[]): Call {
  const day = (days: number) =>
    new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10).split("-").reverse().join("/");
  const from = 60 + ((turn * 7) % 3000);
  return post("/shopping-cart?include_products=true", {
    date_from: day(from),
    time_from: "10:00",
    date_to: day(from + 2),
    time_to: "10:00",
    pickup_place: String(places[turn % places.length] ?? 1),
  });
}

async function begin(target: Target, turn: number, places: readonly number[]): Promise<string> {
  const { shopping_cart: cart } = JSON.parse(await textOf(target, create(turn, places)));
  return String(cart.free_access_id);
}

/** Calls that read or change one of some living carts, in turn: to be made as fast as they go. */
export async function cartCalls(
  target: Target,
  { codes, places }: { readonly codes: readonly string[]; readonly places: readonly number[] },
): Promise<Readonly<Record<"cart read" | "set-extra", () => Call>>> {
  const ids: string[] = [];
  for (let turn = 0; turn < LIVING_CARTS; turn++) {
    const id = await begin(target, turn, places);
    await costOf(target, post(`/shopping-cart/${id}/set-product`, { product: codes[turn % codes.length] }));
    ids.push(id);
  }
  let turn = 0;
  const next = () => ids[turn++ % ids.length];
  return {
    "cart read": () => ({
      method: "GET",
      path: `${ENGINE}/shopping-cart/${next()}?include_products=true&include_extras=true`,
      headers: {},
    }),
    "set-extra": () => post(`/shopping-cart/${next()}/set-extra`, { extra: EXTRA, quantity: 1 }),
  };
}

const BUDGETS: Readonly<Record<CartOperation, number>> = {
  "cart create": 1,
  "set-product": 1,
  "set-extra": 1,
  "cart read": 1,
  checkout: 2,
};
const MOST_ROWS = 4000;
const MOST_GROWTH = 1.1;

/** The rows of the cart in the table of docs/benchmarks.md, and whether all are within their budget. */
export function cartRows(
  small: ReadonlyMap<CartOperation, CartCost>,
  large: ReadonlyMap<CartOperation, CartCost>,
  speeds: ReadonlyMap<string, { readonly perSecond: number; readonly ratio: number }>,
): { readonly rows: readonly string[]; readonly isWithin: boolean } {
  const judged = [...large].map(([name, cost]) => {
    const before = small.get(name)?.rows ?? 0;
    const growth = before === 0 ? 1 : cost.rows / before;
    const isWithin = cost.calls <= BUDGETS[name] && cost.rows <= MOST_ROWS && growth <= MOST_GROWTH;
    const verdict = isWithin ? "within" : "**broken**";
    return {
      isWithin,
      row: `| ${name} | ${cost.calls} | ${before} | ${cost.rows} | ${growth.toFixed(2)} | ${cost.p50} | ${cost.p99} | ${speedCells(speeds.get(name))} | ${verdict} |`,
    };
  });
  return { rows: judged.map(({ row }) => row), isWithin: judged.every(({ isWithin }) => isWithin) };
}

function speedCells(speed: { readonly perSecond: number; readonly ratio: number } | undefined): string {
  return speed ? `${Math.round(speed.perSecond)} | ${speed.ratio.toFixed(2)}` : " | ";
}
