import { signal } from "@preact/signals";
import {
  emptySale,
  FOR_CUSTOMER,
  FOR_PRICE,
  listEmptyFields,
  omitEmptyValues,
  type SaleText,
  toNewCustomer,
  toRentalRequest,
} from "#shared/sale.ts";
import type { TextKey } from "../i18n/texts.ts";
import { findCachedList, keepTyped } from "../offline/cache.ts";
import { newId } from "../offline/ids.ts";
import { dayAfter } from "./civil.ts";
import { type OfficeCallResult, toCallResult } from "./moves.ts";
import { client, database, session } from "./phone.ts";
import { branch, dateThere, nowThere, today } from "./settings.ts";
import { runInOrder } from "./turns.ts";

/** A place where bookings begin or end. */
export interface Place {
  readonly id: number;
  readonly name: string;
  readonly rental_location_code: string;
  readonly is_pickup: boolean;
  readonly is_return: boolean;
}

export interface WalkInQuote {
  readonly available: boolean;
  readonly reasons: readonly { readonly message: string }[];
  readonly warnings: readonly string[];
  readonly quote: { readonly days: number; readonly total_cost: string; readonly total_deposit: string } | null;
}

/** What was typed so far: it stays while the person looks at something else, and when the app starts again. */
export const walkIn = signal<SaleText | undefined>(undefined);

const KEY = "walk-in";

interface StoredSale {
  readonly typed: SaleText;
  readonly sent: typeof sent;
}

// A phone that is too full for it loses it with the app alone.
const keep = (stored: StoredSale | undefined): Promise<void> =>
  runInOrder(() => keepTyped(database, KEY, stored, Date.now())).catch(() => undefined);

/** What somebody typed is on the disk before they have looked up. */
export function typeWalkIn(typed: SaleText): Promise<void> {
  walkIn.value = typed;
  return keep({ typed, sent });
}

/** Goes on with what was typed today; else begins anew. */
export async function beginWalkIn(): Promise<void> {
  if (walkIn.peek()) return;
  const stored = await findCachedList<StoredSale>(database, KEY);
  if (walkIn.peek()) return;
  if (!stored || dateThere(stored.fetchedAt) !== today()) {
    walkIn.value = newWalkIn();
    return;
  }
  sent = stored.data.sent;
  walkIn.value = stored.data.typed;
}

export const places = signal<readonly Place[]>([]);

const QUARTER = 15;
const HOUR = 60;

/** From the next quarter of an hour on, until the same time tomorrow. */
export function newWalkIn(now: { readonly date: string; readonly time: string } = nowThere()): SaleText {
  const [hours = 0, minutes = 0] = now.time.split(":").map(Number);
  const minute = Math.ceil((hours * HOUR + minutes) / QUARTER) * QUARTER;
  const isTomorrow = minute >= 24 * HOUR;
  const at = isTomorrow ? 0 : minute;
  const time = `${String(Math.floor(at / HOUR)).padStart(2, "0")}:${String(at % HOUR).padStart(2, "0")}`;
  const date = isTomorrow ? dayAfter(now.date, 1) : now.date;
  return emptySale({ date_from: date, time_from: time, date_to: dayAfter(date, 1), time_to: time });
}

/** Asks for the places of the company, and chooses the branch's own one where none is chosen. */
export async function loadPlaces(): Promise<void> {
  const answer = await client.call<{ readonly data: readonly Place[] }>("GET", "/api/v1/office/places?page_size=200");
  if (answer.kind !== "ok") return;
  places.value = answer.value.data;
  const typed = walkIn.peek();
  if (typed?.pickup_place !== "") return;
  const here = places.value.find((place) => place.is_pickup && place.rental_location_code === branch.peek());
  if (here) walkIn.value = { ...typed, pickup_place: String(here.id) };
}

const LABELS = {
  ...{ date_from: "walkInFrom", time_from: "newReturnTime", date_to: "newReturn", time_to: "newReturnTime" },
  ...{ pickup_place: "pickupPlace", category_code: "category", name: "firstName", surname: "surname" },
} as const satisfies Readonly<Record<(typeof FOR_PRICE)[number] | (typeof FOR_CUSTOMER)[number], TextKey>>;

/** The texts that name what is still missing for a price, or for the booking itself. */
export function listMissingTexts(typed: SaleText, isBooking: boolean): readonly TextKey[] {
  return listEmptyFields(typed, isBooking ? [...FOR_PRICE, ...FOR_CUSTOMER] : FOR_PRICE).map((name) => LABELS[name]);
}

/** What it would cost, and why it cannot be; nothing is kept. */
export async function quoteWalkIn(typed: SaleText): Promise<OfficeCallResult<WalkInQuote>> {
  return toCallResult(
    await client.call<WalkInQuote>("POST", "/api/v1/office/reservations/quote", { json: toRentalRequest(typed) }),
  );
}

interface SaleResult {
  readonly reservation: { readonly id: number };
}

/** The key of each content that was sent: a lost answer is asked for again, and books once. */
let sent = { content: "", key: "" };

/** Whether one is on its way, wherever the person is meanwhile: it is not booked twice. */
export const isBooking = signal(false);
/** What was booked after its screen was left, until it is looked at. */
export const bookedLate = signal<number | undefined>(undefined);

/** Books it, confirmed: the booking. `isHere`: whether whoever asked waits for it. */
export async function bookWalkIn(
  typed: SaleText,
  isHere: () => boolean = () => true,
): Promise<OfficeCallResult<SaleResult>> {
  if (isBooking.peek()) return { kind: "unreachable", message: "" };
  isBooking.value = true;
  try {
    return await book(typed, isHere);
  } finally {
    isBooking.value = false;
  }
}

async function book(typed: SaleText, isHere: () => boolean): Promise<OfficeCallResult<SaleResult>> {
  const who = session.peek()?.username;
  const json = {
    ...toRentalRequest(typed),
    customer: toNewCustomer(typed),
    ...omitEmptyValues({ notes: typed.notes }),
  };
  const content = JSON.stringify(json);
  if (sent.content !== content) sent = { content, key: newId(Date.now()) };
  await keep({ typed, sent });
  const answer = await client.call<SaleResult>("POST", "/api/v1/office/reservations", {
    json,
    idempotencyKey: sent.key,
  });
  // A colleague has the phone by now.
  if (answer.kind !== "ok" || who !== session.peek()?.username) return toCallResult(answer);
  // What was typed since is of somebody else.
  if (walkIn.peek() === typed) clearWalkIn();
  if (!isHere()) bookedLate.value = answer.value.reservation.id;
  return toCallResult(answer);
}

/** Nothing of a customer stays when the phone goes to somebody else. */
export function clearWalkIn(): void {
  walkIn.value = undefined;
  places.value = [];
  bookedLate.value = undefined;
  sent = { content: "", key: "" };
  void keep(undefined);
}
