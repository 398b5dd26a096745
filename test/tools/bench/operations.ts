import { randomUUID } from "node:crypto";
import { type AccountName, type Call, createSignedCall } from "#tools/platform/client.ts";
import { getOpenDayAfter } from "#tools/platform/days.ts";
import type { ResultSize } from "./load.ts";

/** Keys of the large account. */
const AGENCY_KEY = { apiKey: "large-agency", secret: "large-agency-secret" };
export const ERP_KEY = { apiKey: "large-erp", secret: "large-erp-secret" };

/** An operation with its budgets (docs/benchmarks.md). */
export interface Operation {
  readonly name: string;
  readonly account: AccountName;
  readonly next: () => Call;
  /** Size of the result. The rows that are read are divided by it. */
  readonly resultSize?: ResultSize;
  /** Size of the result for measuring growth, if rows of both accounts differ. */
  readonly parts?: ResultSize;
  readonly budget: { readonly calls: number; readonly rows: number; readonly growth: number; readonly first?: number };
  /** Number of calls after which the isolate has cached everything. Defaults to 20. */
  readonly warmUpCalls?: number;
  /** Reference for throughput: the bare batch, or the raw queries of a wide list. */
  readonly bare: "batch" | "none" | readonly string[];
}

/** Budgets for D1 calls, rows read and their growth with the account's size. */
export type OperationBudget = readonly [calls: number, rows: number, growth: number];

/** Defines an operation that isn't compared with a bare Worker, unless `others` has one. */
export function defineOperation(
  account: AccountName,
  name: string,
  [calls, rows, growth]: OperationBudget,
  next: () => Call,
  others: Partial<Operation> = {},
): Operation {
  return { name, account, next, budget: { calls, rows, growth }, bare: "none", ...others };
}

const OTA = "/api/booking/ota";
const CATEGORIES = 20;
const WARM_SEARCH_ROWS = 5;
/** Rows read by a search after a booking elsewhere, once per isolate and branch group. */
const CHANGED_STOCK_ROWS = 1300;

// A prime number of minutes within all opening hours. With days and places, no search repeats within minutes, so none
// is cached.
const MINUTES = 719;

function formatIterationTime(iteration: number): string {
  const minute = 8 * 60 + (iteration % MINUTES);
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns the agency's operations of an account. Bookings are spread over future years, so that none is rejected. */
export function createAgencyOperations(
  account: AccountName,
  codes: readonly string[],
  places: readonly number[],
): readonly Operation[] {
  let iteration = 0;
  const signed = (method: "GET" | "POST", path: string, content?: unknown) =>
    createSignedCall(AGENCY_KEY, { account, method, path }, content);
  const place = (n: number) => places[n % places.length] ?? 1;
  const createdIds: string[] = [];

  const searchFor = (number: number): Call => {
    const from = 10 + (number % 60);
    const [id, time] = [String(place(number)), formatIterationTime(number)];
    const query = new URLSearchParams({
      ...{ "date-from": getOpenDayAfter(from), "time-from": time, "pickup-place": id },
      ...{ "date-to": getOpenDayAfter(from + 7), "time-to": time, "return-place": id },
    });
    return signed("GET", `${OTA}/availability?${query}`);
  };
  const search = () => searchFor(iteration++);
  const book = (): Call => {
    const from = 60 + (iteration++ % 3000);
    const reference = randomUUID();
    createdIds.push(reference);
    const reservation = {
      ...{ date_from: getOpenDayAfter(from), time_from: "10:00", pickup_place: place(iteration) },
      ...{ date_to: getOpenDayAfter(from + 2), time_to: "10:00", return_place: place(iteration) },
      ...{ customer_name: "Ana", customer_surname: "Ruiz", agency_reservation_id: reference, extras: [] },
      products: [{ code: codes[iteration % CATEGORIES] ?? codes[0] }],
    };
    return signed("POST", `${OTA}/booking`, { reservation });
  };
  // Alternate bookings and searches, so that the stock changes before each search.
  const alternateCalls = () => (iteration % 2 === 0 ? book() : search());
  const known = () => createdIds[iteration++ % Math.max(1, createdIds.length)] ?? "none";
  const define = (name: string, budget: OperationBudget, next: () => Call, others?: Partial<Operation>) =>
    defineOperation(account, name, budget, next, others);
  const batch = { bare: "batch" } as const;
  const readPoints = { account, method: "GET", path: "/api/booking-transfer/frontend/origin-points?page=1&lang=en" };
  const cancel = () => signed("POST", `${OTA}/cancel-booking`, { reservation: { agency_reservation_id: known() } });
  return [
    define("location-list", [0, 80, 1.05], () => signed("GET", `${OTA}/location-list?customer-language=en`)),
    define("transfer points", [0, 20, 1.05], () => readPoints),
    define("availability", [1, WARM_SEARCH_ROWS, 1.1], search, {
      ...batch,
      budget: { calls: 1, rows: WARM_SEARCH_ROWS, first: CHANGED_STOCK_ROWS, growth: 1.1 },
      // Each place, because each branch group has its own stock.
      warmUpCalls: places.length,
    }),
    define("availability, each after a booking", [1, CHANGED_STOCK_ROWS, 1.1], alternateCalls),
    define("availability, asked again", [1, WARM_SEARCH_ROWS, 1.1], () => searchFor(0), batch),
    define("booking", [1, 600, 1.1], book, batch),
    define(
      "booking read",
      [1, 100, 1.05],
      () => signed("GET", `${OTA}/booking?agency-reservation-id=${known()}`),
      batch,
    ),
    define("cancel-booking", [2, 100, 1.05], cancel),
  ];
}
