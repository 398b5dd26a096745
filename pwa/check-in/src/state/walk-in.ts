import { signal } from "@preact/signals";
import type { TextKey } from "../i18n/texts.ts";
import { newId } from "../offline/ids.ts";
import { dayAfter } from "./civil.ts";
import { type Asked, asked } from "./moves.ts";
import { client } from "./phone.ts";
import { branch, nowThere } from "./settings.ts";

/** What is typed of a booking for a customer who has none. */
export interface WalkIn {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place: string;
  /** Empty: where it was picked up. */
  readonly return_place: string;
  readonly category_code: string;
  readonly driver_age: string;
  readonly name: string;
  readonly surname: string;
  readonly phone: string;
  readonly email: string;
  readonly document_id: string;
  readonly notes: string;
}

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

/** What was typed so far: it stays while the person looks at something else. */
export const walkIn = signal<WalkIn | undefined>(undefined);

export const places = signal<readonly Place[]>([]);

const QUARTER = 15;
const HOUR = 60;

/** From the next quarter of an hour on, until the same time tomorrow. */
export function newWalkIn(now: { readonly date: string; readonly time: string } = nowThere()): WalkIn {
  const [hours = 0, minutes = 0] = now.time.split(":").map(Number);
  const minute = Math.ceil((hours * HOUR + minutes) / QUARTER) * QUARTER;
  const isTomorrow = minute >= 24 * HOUR;
  const at = isTomorrow ? 0 : minute;
  const time = `${String(Math.floor(at / HOUR)).padStart(2, "0")}:${String(at % HOUR).padStart(2, "0")}`;
  const date = isTomorrow ? dayAfter(now.date, 1) : now.date;
  return {
    ...{ date_from: date, time_from: time, date_to: dayAfter(date, 1), time_to: time },
    ...{ pickup_place: "", return_place: "", category_code: "", driver_age: "" },
    ...{ name: "", surname: "", phone: "", email: "", document_id: "", notes: "" },
  };
}

/** Asks for the places of the company, and chooses the branch's own one where none is chosen. */
export async function loadPlaces(): Promise<void> {
  const answer = await client.call<{ readonly data: readonly Place[] }>("GET", "/api/v1/office/places?page_size=200");
  if (answer.kind !== "ok") return;
  places.value = answer.value.data;
  const typed = walkIn.peek();
  if (typed?.pickup_place !== "") return;
  const here = places.value.find((one) => one.is_pickup && one.rental_location_code === branch.peek());
  if (here) walkIn.value = { ...typed, pickup_place: String(here.id) };
}

/** What a price needs, in the order of the form. */
const FOR_PRICE = ["date_from", "time_from", "date_to", "time_to", "pickup_place", "category_code"] as const;
const FOR_BOOKING = ["name", "surname"] as const;

const LABELS = {
  ...{ date_from: "walkInFrom", time_from: "newReturnTime", date_to: "newReturn", time_to: "newReturnTime" },
  ...{ pickup_place: "pickupPlace", category_code: "category", name: "firstName", surname: "surname" },
} as const satisfies Readonly<Record<(typeof FOR_PRICE)[number] | (typeof FOR_BOOKING)[number], TextKey>>;

/** The texts that name what is still missing for a price, or for the booking itself. */
export function missingOf(typed: WalkIn, isBooking: boolean): readonly TextKey[] {
  const needed = isBooking ? [...FOR_PRICE, ...FOR_BOOKING] : FOR_PRICE;
  return needed.filter((name) => typed[name].trim() === "").map((name) => LABELS[name]);
}

function wantedOf(typed: WalkIn) {
  const { date_from, time_from, date_to, time_to, pickup_place, return_place, category_code, driver_age } = typed;
  return {
    ...{ date_from, time_from, date_to, time_to, category_code },
    pickup_place: Number(pickup_place),
    return_place: Number(return_place || pickup_place),
    ...(driver_age.trim() === "" ? {} : { driver_age: Number(driver_age) }),
  };
}

/** What it would cost, and why it cannot be; nothing is kept. */
export async function quoteWalkIn(typed: WalkIn): Promise<Asked<WalkInQuote>> {
  return asked(await client.call<WalkInQuote>("POST", "/api/v1/office/reservations/quote", { json: wantedOf(typed) }));
}

interface Made {
  readonly reservation: { readonly id: number };
}

/** The key of each content that was sent: a lost answer is asked for again, and books once. */
let sent = { content: "", key: "" };

/** Books it, confirmed: the booking. */
export async function bookWalkIn(typed: WalkIn): Promise<Asked<Made>> {
  const { name, surname, phone, email, document_id, notes } = typed;
  const customer = said({ name, surname, phone, email, document_id });
  const json = { ...wantedOf(typed), customer, ...said({ notes }) };
  const content = JSON.stringify(json);
  if (sent.content !== content) sent = { content, key: newId(Date.now()) };
  const answer = await client.call<Made>("POST", "/api/v1/office/reservations", { json, idempotencyKey: sent.key });
  if (answer.kind === "ok") forgetWalkIn();
  return asked(answer);
}

const said = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()])
      .filter(([, text]) => text !== ""),
  );

/** Nothing of a customer stays when the phone goes to somebody else. */
export function forgetWalkIn(): void {
  walkIn.value = undefined;
  places.value = [];
  sent = { content: "", key: "" };
}
