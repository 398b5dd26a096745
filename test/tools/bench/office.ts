import { randomUUID } from "node:crypto";
import type { AccountName, Call } from "#tools/platform/client.ts";
import { dayAfter } from "#tools/platform/days.ts";
import type { FieldData } from "./field.ts";
import { countChargeParts, countRows, type MeasuredAnswer } from "./load.ts";
import type { Operation } from "./operations.ts";

const BASE = "/api/v1/office";
const MAX_ROWS_PER_ITEM = 10;
const MAX_ROWS_PER_WRITE = 400;
const MAX_GROWTH_RATIO = 1.1;
/** Of the board: rows for each contract or block on it, and for each vehicle. */
const MAX_ROWS_PER_ENTRY = 6;
const MAX_ROWS_PER_VEHICLE = 2;

/** What a request reads before its first row (session, settings, blocks of texts) may cost as much as these. */
const ROWS_PER_REQUEST = 5;

/** How many rows of a list an answer may cost the reading of. */
const getListRowLimit = (answered: MeasuredAnswer) => countRows(answered) + ROWS_PER_REQUEST;

/** Of the deposits that are held the list says the sum: beside those that are shown, each may be read once for it. */
const getDepositRowLimit = (answered: MeasuredAnswer) =>
  getListRowLimit(answered) + (answered.total ?? 0) / MAX_ROWS_PER_ITEM;

/**
 * Lists as people look for things: unfiltered, by what they type, by what they choose; rows are per row answered. Of
 * the surname and of what waits both accounts have more than a page: one that is not full says nothing of growth.
 */
const LISTS: readonly (readonly [name: string, path: string, judged?: Pick<Operation, "shown" | "parts">])[] = [
  ["reservations", "/reservations?page_size=50"],
  ["reservations, a surname", "/reservations?page_size=50&q=mart"],
  ["reservations, nothing found", "/reservations?page_size=50&q=zzzzqq"],
  ["reservations, pending", "/reservations?page_size=50&status=pending_confirmation"],
  ["reservations, done", "/reservations?page_size=50&status=done"],
  ["reservations, a week", `/reservations?page_size=50&date_from=${dayAfter(0)}&date_to=${dayAfter(6)}`],
  ["reservations, attention", "/reservations?page_size=50&attention=true"],
  ["customers", "/customers?page_size=50"],
  ["customers, a surname", "/customers?page_size=50&q=mart"],
  ["vehicles", "/vehicles?page_size=50"],
  ["documents", "/documents?page_size=50"],
  ["charges", "/charges?page_size=50", { parts: countChargeParts }],
  ["charges, a surname", "/charges?page_size=50&q=mart", { parts: countChargeParts }],
  ["deposits", "/deposits?page_size=50", { shown: getDepositRowLimit }],
  ["attention", "/attention?page_size=50"],
];

/** How many rows a board may cost, by what is on it. */
function getBoardRowLimit({ vehicles = [], unassigned = [] }: MeasuredAnswer): number {
  const entries = [
    ...vehicles.map(({ contracts, blocks }) => contracts.length + blocks.length),
    ...unassigned.map(({ contracts }) => contracts.length),
  ].reduce((sum, count) => sum + count, 0);
  return MAX_ROWS_PER_ENTRY * entries + MAX_ROWS_PER_VEHICLE * vehicles.length;
}

/** The office's lists, a reservation, the board, a quote and a write. */
export function officeOperations(account: AccountName, data: FieldData): readonly Operation[] {
  const headers = { Authorization: data.token, "Content-Type": "application/json" };
  const get = (path: string): Call => ({ account, method: "GET", path: `${BASE}${path}`, headers });
  const send = (path: string, content: unknown): Call => ({
    account,
    method: "POST",
    path: `${BASE}${path}`,
    headers: { ...headers, "Idempotency-Key": `"${randomUUID()}"` },
    body: JSON.stringify(content),
  });
  const booking = data.deliveries.at(-1)?.bookingId;
  const write = { calls: 2, rows: MAX_ROWS_PER_WRITE, growth: MAX_GROWTH_RATIO };
  let block = 0;
  return [
    ...LISTS.map(([name, path, judged]) => ({
      name: `office: ${name}`,
      account,
      next: () => get(path),
      shown: getListRowLimit,
      ...judged,
      budget: { calls: 1, rows: MAX_ROWS_PER_ITEM, growth: MAX_GROWTH_RATIO },
      bare: "none" as const,
    })),
    {
      name: "office: a reservation",
      account,
      next: () => get(`/reservations/${booking}`),
      budget: { calls: 1, rows: MAX_ROWS_PER_WRITE, growth: MAX_GROWTH_RATIO },
      bare: "none",
    },
    {
      name: "office: planning of a month",
      account,
      next: () => get(`/planning?date_from=${dayAfter(0)}&days=31&rental_storage_id=${data.storageId}`),
      shown: getBoardRowLimit,
      budget: { calls: 1, rows: 1, growth: Number.POSITIVE_INFINITY },
      bare: "none",
    },
    {
      name: "office: what a cancellation would cost",
      account,
      next: () => send(`/reservations/${booking}/quote`, { move: "cancel" }),
      budget: { ...write, calls: 1 },
      bare: "none",
    },
    {
      name: "office: a vehicle blocked",
      account,
      next: () => {
        // One vehicle after the other: a block reads those that its vehicle has.
        const { vehicle } = data.deliveries[block % data.deliveries.length] ?? {};
        const day = dayAfter(400 + (block++ % 5000));
        return send(`/vehicles/${vehicle}/blocks`, {
          from: `${day}T08:00`,
          to: `${day}T09:00`,
          reason: "workshop",
          note: "bench",
        });
      },
      budget: write,
      bare: "none",
    },
  ];
}
