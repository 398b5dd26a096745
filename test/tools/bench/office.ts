import { randomUUID } from "node:crypto";
import type { AccountName, Call } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import type { CheckInDayData } from "./check-in-operations.ts";
import { countChargesAndParts, countListedRows, type MeasuredAnswer } from "./load.ts";
import { defineOperation, type Operation, type OperationBudget } from "./operations.ts";

const BASE = "/api/v1/office";
const MAX_ROWS_PER_ITEM = 10;
const MAX_ROWS_PER_WRITE = 400;
const MAX_GROWTH_RATIO = 1.1;
/** Row limits of the board per contract or block, and per vehicle. */
const MAX_ROWS_PER_ENTRY = 6;
const MAX_ROWS_PER_VEHICLE = 2;

/** Fixed cost of a request in rows: session, settings and search blocks. */
const ROWS_PER_REQUEST = 5;

/** Returns the row limit of a list response. */
const getListRowLimit = (answered: MeasuredAnswer) => countListedRows(answered) + ROWS_PER_REQUEST;

/** The list includes the sum of all held deposits, so each may be read once in addition. */
const getDepositRowLimit = (answered: MeasuredAnswer) =>
  getListRowLimit(answered) + (answered.total ?? 0) / MAX_ROWS_PER_ITEM;

/**
 * Typical lists: unfiltered, with a search text and with filters. Rows are per returned row. Both accounts have more
 * than one page for the surname and for pending tasks, because a partial page wouldn't show growth.
 */
const LISTS: readonly (readonly [name: string, path: string, judged?: Pick<Operation, "resultSize" | "parts">])[] = [
  ["reservations", "/reservations?page_size=50"],
  ["reservations, a surname", "/reservations?page_size=50&q=mart"],
  ["reservations, nothing found", "/reservations?page_size=50&q=zzzzqq"],
  ["reservations, pending", "/reservations?page_size=50&status=pending_confirmation"],
  ["reservations, done", "/reservations?page_size=50&status=done"],
  ["reservations, a week", `/reservations?page_size=50&date_from=${getDateAfter(0)}&date_to=${getDateAfter(6)}`],
  ["reservations, attention", "/reservations?page_size=50&attention=true"],
  ["customers", "/customers?page_size=50"],
  ["customers, a surname", "/customers?page_size=50&q=mart"],
  ["vehicles", "/vehicles?page_size=50"],
  ["documents", "/documents?page_size=50"],
  ["charges", "/charges?page_size=50", { parts: countChargesAndParts }],
  ["charges, a surname", "/charges?page_size=50&q=mart", { parts: countChargesAndParts }],
  ["deposits", "/deposits?page_size=50", { resultSize: getDepositRowLimit }],
  ["attention", "/attention?page_size=50"],
];

/** Returns the row limit of a board by its content. */
function getBoardRowLimit({ vehicles = [], unassigned = [] }: MeasuredAnswer): number {
  const entries = [
    ...vehicles.map(({ contracts, blocks }) => contracts.length + blocks.length),
    ...unassigned.map(({ contracts }) => contracts.length),
  ].reduce((sum, count) => sum + count, 0);
  return MAX_ROWS_PER_ENTRY * entries + MAX_ROWS_PER_VEHICLE * vehicles.length;
}

/** Returns the office's lists, a reservation, the board, a quote and a write. */
export function createOfficeOperations(account: AccountName, data: CheckInDayData): readonly Operation[] {
  const headers = { Authorization: data.token, "Content-Type": "application/json" };
  const get = (path: string): Call => ({ account, method: "GET", path: `${BASE}${path}`, headers });
  const send = (path: string, content: unknown): Call => ({
    ...{ account, method: "POST", path: `${BASE}${path}`, body: JSON.stringify(content) },
    headers: { ...headers, "Idempotency-Key": `"${randomUUID()}"` },
  });
  const booking = data.deliveries.at(-1)?.bookingId;
  const month = `/planning?date_from=${getDateAfter(0)}&days=31&rental_storage_id=${data.storageId}`;
  let block = 0;
  const blockVehicle = () => {
    // Use one vehicle after the other, because a block reads the vehicle's other blocks.
    const { vehicle } = data.deliveries[block % data.deliveries.length] ?? {};
    const day = getDateAfter(400 + (block++ % 5000));
    const content = { from: `${day}T08:00`, to: `${day}T09:00`, reason: "workshop", note: "bench" };
    return send(`/vehicles/${vehicle}/blocks`, content);
  };
  const define = (name: string, budget: OperationBudget, next: () => Call, others?: Partial<Operation>) =>
    defineOperation(account, `office: ${name}`, budget, next, others);
  return [
    ...LISTS.map(([name, path, judged]) =>
      define(name, [1, MAX_ROWS_PER_ITEM, MAX_GROWTH_RATIO], () => get(path), {
        ...{ resultSize: getListRowLimit, ...judged },
      }),
    ),
    define("a reservation", [1, MAX_ROWS_PER_WRITE, MAX_GROWTH_RATIO], () => get(`/reservations/${booking}`)),
    define("planning of a month", [1, 1, Number.POSITIVE_INFINITY], () => get(month), { resultSize: getBoardRowLimit }),
    define("what a cancellation would cost", [1, MAX_ROWS_PER_WRITE, MAX_GROWTH_RATIO], () =>
      send(`/reservations/${booking}/quote`, { move: "cancel" }),
    ),
    define("a vehicle blocked", [2, MAX_ROWS_PER_WRITE, MAX_GROWTH_RATIO], blockVehicle),
  ];
}
