import {
  type AccountName,
  type Answer,
  type Call,
  type Client,
  createJsonCall,
  parseJson,
} from "#tools/platform/client.ts";
import { countDaysUntil, getOpenDayAfter } from "#tools/platform/days.ts";
import { type CallCost, measureCallAnswer, measureCallCost, type ResponseSpeed } from "./load.ts";
import { formatRow } from "./markdown-table.ts";
import { calculatePercentile } from "./statistics.ts";

/** Enough that two connections rarely change the same cart at once. */
const OPEN_CARTS = 200;

const EARLIEST_DAY = 60;
/** First rental day of a run, random so that a reused account isn't sold out. */
const FIRST_DAY = EARLIEST_DAY + Math.floor(Math.random() * 600);

/** Cost of a cart operation: maximum database calls and rows, and sequential latency in ms. */
export interface CartCost extends CallCost {
  readonly p50: number;
  readonly p99: number;
}

const STEPS = ["cart create", "set-product", "set-extra", "cart read", "checkout"] as const;
type Step = (typeof STEPS)[number];
export type CartOperation = Step | `transfer ${Step}`;

/** Whether a cart operation's name contains one of these texts. */
export function matchesCartOperation(texts: readonly string[]): boolean {
  return STEPS.some((step) => texts.some((text) => `transfer ${step}`.includes(text)));
}

/** Items to buy in an engine. */
export interface BenchmarkShop {
  readonly account: AccountName;
  readonly prefix: "" | "transfer ";
  readonly engine: string;
  readonly extra: string;
  readonly product: (purchaseIndex: number) => string | undefined;
  readonly search: (purchaseIndex: number) => object;
}

/** Returns rentals of an account, spread over future years so that nothing is sold out. */
export function createRentalShop(
  account: AccountName,
  { codes, places }: { readonly codes: readonly string[]; readonly places: readonly number[] },
): BenchmarkShop {
  return {
    account,
    prefix: "",
    engine: "/api/booking/frontend",
    extra: "GPS",
    product: (purchaseIndex) => codes[purchaseIndex % codes.length],
    search: (purchaseIndex) => {
      const from = FIRST_DAY + ((purchaseIndex * 7) % 2400);
      return {
        date_from: formDay(from),
        time_from: "10:00",
        date_to: formDay(from + 2),
        time_to: "10:00",
        pickup_place: String(places[purchaseIndex % places.length] ?? 1),
      };
    },
  };
}

/**
 * Returns return transfers between the demo's points after all existing ones. There's only one of the largest vehicle,
 * so an earlier run's days are taken.
 */
export async function createTransferShop(account: AccountName, db: D1Database | undefined): Promise<BenchmarkShop> {
  const last = await db
    ?.prepare("SELECT max(date_to) AS day FROM bookings WHERE kind = 'transfer'")
    .first<string>("day");
  const first = Math.max(EARLIEST_DAY, last ? countDaysUntil(last) + 1 : 0);
  return {
    account,
    prefix: "transfer ",
    engine: "/api/booking-transfer/frontend",
    extra: "1",
    product: (purchaseIndex) => String(1 + (purchaseIndex % 3)),
    search: (purchaseIndex) => ({
      date: formDay(first + purchaseIndex),
      time: "10:00",
      origin_point_id: "1",
      destination_point_id: "7",
      round_trip: "true",
      return_date: formDay(first + 3 + purchaseIndex),
      return_time: "12:00",
      number_of_adults: "2",
    }),
  };
}

function formDay(days: number): string {
  return getOpenDayAfter(days).split("-").reverse().join("/");
}

function post({ account, engine }: BenchmarkShop, path: string, content: unknown): Call {
  return createJsonCall({ account, method: "POST", path: engine + path }, content);
}

/** Makes purchases one after the other and returns the cost of each step. */
export async function measurePurchases(
  client: Client,
  shop: BenchmarkShop,
  purchases: number,
): Promise<ReadonlyMap<CartOperation, CartCost>> {
  const samples = new Map<CartOperation, (CallCost & { readonly milliseconds: number })[]>();
  for (let purchaseIndex = 0; purchaseIndex < purchases; purchaseIndex++) {
    const steps = createPurchaseCalls(shop, purchaseIndex);
    let step = await steps.next();
    while (!step.done) {
      const { name, call } = step.value;
      const startTime = performance.now();
      const { cost, answer } = await measureCallAnswer(client, call);
      samples.set(name, [...(samples.get(name) ?? []), { ...cost, milliseconds: performance.now() - startTime }]);
      step = await steps.next(answer);
    }
  }
  return new Map([...samples].map(([name, costs]) => [name, summary(costs)]));
}

/** A call of a purchase. */
export interface CartCall {
  readonly name: CartOperation;
  readonly call: Call;
}

/** Yields the calls of one purchase. Each gets its response. */
export async function* createPurchaseCalls(
  shop: BenchmarkShop,
  purchaseIndex: number,
): AsyncGenerator<CartCall, void, Answer> {
  const step = (name: Step, call: Call): CartCall => ({ name: `${shop.prefix}${name}`, call });
  const id = getCartId(yield step("cart create", create(shop, purchaseIndex)));
  yield step("set-product", post(shop, `/shopping-cart/${id}/set-product`, { product: shop.product(purchaseIndex) }));
  yield step("set-extra", post(shop, `/shopping-cart/${id}/set-extra`, { extra: shop.extra, quantity: 1 }));
  const path = `${shop.engine}/shopping-cart/${id}?include_products=true&include_extras=true`;
  yield step("cart read", { account: shop.account, method: "GET", path });
  const customer = { customer_name: "Ana", customer_surname: "Ruiz", customer_email: "ana@example.com" };
  yield step("checkout", post(shop, `/shopping-cart/${id}/checkout`, customer));
}

function getCartId(answer: Answer): string {
  return String(parseJson(answer).shopping_cart.free_access_id);
}

// An isolate reloads the catalogue once a minute, so this many calls of a run aren't warm. Budgets apply to warm ones.
const COLD_CALLS = 2;

function getHighestWarmCost(numbers: readonly number[]): number {
  return numbers.toSorted((value, other) => other - value)[Math.min(COLD_CALLS, numbers.length - 1)] ?? 0;
}

function summary(costs: readonly (CallCost & { readonly milliseconds: number })[]): CartCost {
  const times = costs.map(({ milliseconds }) => milliseconds);
  return {
    calls: getHighestWarmCost(costs.map(({ calls }) => calls)),
    rows: getHighestWarmCost(costs.map(({ rows }) => rows)),
    first: Math.max(...costs.map(({ rows }) => rows)),
    p50: roundToTenths(calculatePercentile(times, 0.5)),
    p99: roundToTenths(calculatePercentile(times, 0.99)),
  };
}

/** Rounds to a tenth of a millisecond. */
function roundToTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/** Cart operations before payment, and the bare Worker's equivalents. */
const BARE_PATHS = { "cart create": "/cart-create", "set-product": "/cart-change", "cart read": "/cart-read" } as const;

/** Returns the notes below the cart table. */
export function formatCartNotes(
  costs: ReadonlyMap<CartOperation, CartCost>,
  bare: Readonly<Record<"object" | "newObject" | "both", Pick<ResponseSpeed, "p50" | "perSecond">>> & {
    readonly cart: number;
  },
): readonly string[] {
  const { object, newObject, both, cart } = bare;
  const own = sumStepTimes((step) => costs.get(step)?.p50 ?? 0);
  return [
    `Bare write of a Durable Object and that batch: ${Math.round(both.perSecond)} per second; carts are compared with it.`,
    `Bare write of a Durable Object: p50 ${object.p50} ms, ${Math.round(object.perSecond)} per second; of one that never was, one after the other: p50 ${newObject.p50} ms.`,
    ...(costs.size === 0
      ? []
      : [
          `Making, changing and reading a cart, p50 of one client, together: ${own} ms; a bare Worker's object that never was beside that batch, its change after it and its reading beside it: ${cart} ms.`,
        ]),
  ];
}

function sumStepTimes(getP50: (step: keyof typeof BARE_PATHS) => number): number {
  const steps = Object.keys(BARE_PATHS) as (keyof typeof BARE_PATHS)[];
  return roundToTenths(steps.reduce((sum, step) => sum + getP50(step), 0));
}

/** Measures the same cart operations on the bare Worker with a number of carts. */
export async function measureBareWorkerCarts(client: Client, carts: number): Promise<number> {
  const times = Object.fromEntries(Object.keys(BARE_PATHS).map((step) => [step, [] as number[]]));
  for (let cart = 0; cart < carts; cart++)
    for (const [step, path] of Object.entries(BARE_PATHS)) {
      const startTime = performance.now();
      const { status } = await client.send({ account: "acme", method: "GET", path: `${path}?cart=${cart}` });
      if (status !== 200) throw new Error(`the bare Worker answered ${path} with ${status}`);
      times[step]?.push(performance.now() - startTime);
    }
  return sumStepTimes((step) => roundToTenths(calculatePercentile(times[step] ?? [], 0.5)));
}

function create(shop: BenchmarkShop, purchaseIndex: number): Call {
  return post(shop, "/shopping-cart?include_products=true", shop.search(purchaseIndex));
}

async function begin(client: Client, shop: BenchmarkShop, purchaseIndex: number): Promise<string> {
  return getCartId((await measureCallAnswer(client, create(shop, purchaseIndex))).answer);
}

/** Returns calls that read or change open carts in turn, for load tests. */
export async function createCartCalls(
  client: Client,
  shop: BenchmarkShop,
): Promise<Readonly<Record<"cart read" | "set-extra", () => Call>>> {
  const ids: string[] = [];
  for (let purchaseIndex = 0; purchaseIndex < OPEN_CARTS; purchaseIndex++) {
    const id = await begin(client, shop, purchaseIndex);
    await measureCallCost(
      client,
      post(shop, `/shopping-cart/${id}/set-product`, { product: shop.product(purchaseIndex) }),
    );
    ids.push(id);
  }
  let purchaseIndex = 0;
  const next = () => ids[purchaseIndex++ % ids.length];
  return {
    "cart read": () => ({
      account: shop.account,
      method: "GET",
      path: `${shop.engine}/shopping-cart/${next()}?include_products=true&include_extras=true`,
    }),
    "set-extra": () => post(shop, `/shopping-cart/${next()}/set-extra`, { extra: shop.extra, quantity: 1 }),
  };
}

const MAX_CALLS = 1;
const MAX_ROWS = 4000;
const MAX_CHECKOUT_ROWS = 600;
const MAX_GROWTH_RATIO = 1.1;

/** Returns the cart rows for docs/benchmarks.md, and whether all are within budget. */
export function formatCartRows(
  small: ReadonlyMap<CartOperation, CartCost>,
  large: ReadonlyMap<CartOperation, CartCost>,
  speeds: ReadonlyMap<string, CartSpeed>,
): { readonly rows: readonly string[]; readonly isWithin: boolean } {
  const rows = [...large].map(([name, cost]) => {
    const before = small.get(name)?.rows ?? 0;
    const growth = before === 0 ? 1 : cost.rows / before;
    const maxRows = name.endsWith("checkout") ? MAX_CHECKOUT_ROWS : MAX_ROWS;
    const isWithin = cost.calls <= MAX_CALLS && cost.rows <= maxRows && growth <= MAX_GROWTH_RATIO;
    const counts = [name, cost.calls, before, cost.rows, cost.first ?? "", growth.toFixed(2), cost.p50, cost.p99, ""];
    const speed = speeds.get(name);
    const cells = [...counts, speed ? Math.round(speed.perSecond) : "", speed?.ratio?.toFixed(2) ?? ""];
    return { isWithin, row: formatRow(...cells, isWithin ? "within" : "**broken**") };
  });
  return { rows: rows.map(({ row }) => row), isWithin: rows.every(({ isWithin }) => isWithin) };
}

/** Speed of cart reads or changes, compared with the bare Worker if the machine was steady. */
export interface CartSpeed {
  readonly perSecond: number;
  readonly ratio: number | undefined;
}
