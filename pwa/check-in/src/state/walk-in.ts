import { signal } from "@preact/signals";
import {
  createEmptySale,
  listEmptyFields,
  REQUIRED_CUSTOMER_FIELDS,
  REQUIRED_PRICE_FIELDS,
  type RentalFormValues,
  toNewCustomer,
  toRentalRequest,
} from "#shared/sale-form.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { NewReservationRequest, SaleQuoteRequest } from "#worker/api/office/request-messages.ts";
import type { Reason } from "../api/client.ts";
import type { TextKey } from "../i18n/texts.ts";
import { findCachedList, saveTypedValues } from "../offline/cache.ts";
import { createUuidV7 } from "../offline/ids.ts";
import { shiftDate } from "./civil-time.ts";
import { client, database, session } from "./device-session.ts";
import { runWriteInOrder } from "./pending-writes.ts";
import { type OfficeCallResult, toCallResult, translateQuoteReasons } from "./reservation-actions.ts";
import { getCompanyNow, getToday, selectedBranchCode, toCompanyDate } from "./settings.ts";

/** Pickup or return place. */
export interface PickupOrReturnPlace {
  readonly id: number;
  readonly name: string;
  readonly rental_location_code: string;
  readonly is_pickup: boolean;
  readonly is_return: boolean;
}

/** Price and obstacles of a walk-in booking. Amounts are decimal texts. */
export interface WalkInQuote {
  readonly available: boolean;
  /** Why the booking is refused, and warnings before it, as sentences in the user's language. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly quote: { readonly days: number; readonly total_cost: string; readonly total_deposit: string } | null;
}

/** Typed values of the walk-in booking, retained across screens and restarts. */
export const walkIn = signal<RentalFormValues | undefined>(undefined);

const KEY = "walk-in";

interface StoredSale {
  readonly typed: RentalFormValues;
  readonly sent: typeof lastSubmission;
}

// If storage is full, the values are lost when the app closes.
const saveForm = (stored: StoredSale | undefined): Promise<void> =>
  runWriteInOrder(() => saveTypedValues(database, KEY, stored, Date.now())).catch(() => undefined);

/** Stores the typed values immediately. */
export function saveWalkInInput(formValues: RentalFormValues): Promise<void> {
  walkIn.value = formValues;
  return saveForm({ typed: formValues, sent: lastSubmission });
}

/** Restores values typed today, otherwise starts an empty form. */
export async function beginWalkIn(): Promise<void> {
  if (walkIn.peek()) return;
  const stored = await findCachedList<StoredSale>(database, KEY);
  if (walkIn.peek()) return;
  if (!stored || toCompanyDate(stored.fetchedAt) !== getToday()) {
    walkIn.value = createWalkInForm();
    return;
  }
  lastSubmission = stored.data.sent;
  walkIn.value = stored.data.typed;
}

export const walkInPlaces = signal<readonly PickupOrReturnPlace[]>([]);

const QUARTER = 15;
const HOUR = 60;

/** Creates a form with a pickup at the next quarter of an hour and a return 24 hours later. */
export function createWalkInForm(
  now: { readonly date: string; readonly time: string } = getCompanyNow(),
): RentalFormValues {
  const [hours = 0, minutes = 0] = now.time.split(":").map(Number);
  const minute = Math.ceil((hours * HOUR + minutes) / QUARTER) * QUARTER;
  const isTomorrow = minute >= 24 * HOUR;
  const at = isTomorrow ? 0 : minute;
  const time = `${String(Math.floor(at / HOUR)).padStart(2, "0")}:${String(at % HOUR).padStart(2, "0")}`;
  const date = isTomorrow ? shiftDate(now.date, 1) : now.date;
  return createEmptySale({ date_from: date, time_from: time, date_to: shiftDate(date, 1), time_to: time });
}

/** Loads the company's places and preselects the branch's own place. */
export async function loadWalkInPlaces(): Promise<void> {
  const answer = await client.call<{ readonly data: readonly PickupOrReturnPlace[] }>(
    "GET",
    "/api/v1/office/places?page_size=200",
  );
  if (answer.kind !== "ok") return;
  walkInPlaces.value = answer.value.data;
  const formValues = walkIn.peek();
  if (formValues?.pickup_place !== "") return;
  const branchPlace = walkInPlaces.value.find(
    (place) => place.is_pickup && place.rental_location_code === selectedBranchCode.peek(),
  );
  if (branchPlace) walkIn.value = { ...formValues, pickup_place: String(branchPlace.id) };
}

const LABELS = {
  ...{ date_from: "walkInFrom", time_from: "walkInFromTime", date_to: "walkInTo", time_to: "walkInToTime" },
  ...{ pickup_place: "pickupPlace", category_code: "category", name: "firstName", surname: "surname" },
} as const satisfies Readonly<
  Record<(typeof REQUIRED_PRICE_FIELDS)[number] | (typeof REQUIRED_CUSTOMER_FIELDS)[number], TextKey>
>;

/** Lists the labels of fields that are missing for a price, or for the booking itself. */
export function listMissingFieldLabels(formValues: RentalFormValues, isBooking: boolean): readonly TextKey[] {
  return listEmptyFields(
    formValues,
    isBooking ? [...REQUIRED_PRICE_FIELDS, ...REQUIRED_CUSTOMER_FIELDS] : REQUIRED_PRICE_FIELDS,
  ).map((name) => LABELS[name]);
}

type QuoteAnswer = Omit<WalkInQuote, "reasons" | "warnings"> & {
  readonly reasons: readonly Reason[];
  readonly warnings?: readonly Reason[];
};

/** Calculates the price or the reasons against the booking, without storing anything. */
export async function quoteWalkIn(formValues: RentalFormValues): Promise<OfficeCallResult<WalkInQuote>> {
  const json: Typed<SaleQuoteRequest> = toRentalRequest(formValues);
  return translateQuoteReasons(
    await toCallResult(
      await client.call<QuoteAnswer, Typed<SaleQuoteRequest>>("POST", "/api/v1/office/reservations/quote", { json }),
    ),
  );
}

interface SaleResult {
  readonly reservation: { readonly id: number };
}

/** Idempotency key of the content sent last, so that a retry after a lost response books only once. */
let lastSubmission = { content: "", key: "" };

/** Whether a booking request is in progress, on any screen, to prevent double bookings. */
export const isSubmittingBooking = signal(false);
/** Id of a booking that was made after the user had left its screen. Cleared when the user opens the booking. */
export const bookingIdMadeAfterLeaving = signal<number | undefined>(undefined);

/** Creates a confirmed booking. `isScreenOpen` returns whether the user is still on the screen. */
export async function bookWalkIn(
  formValues: RentalFormValues,
  isScreenOpen: () => boolean = () => true,
): Promise<OfficeCallResult<SaleResult>> {
  if (isSubmittingBooking.peek()) return { kind: "unreachable", message: "" };
  isSubmittingBooking.value = true;
  try {
    return await book(formValues, isScreenOpen);
  } finally {
    isSubmittingBooking.value = false;
  }
}

async function book(formValues: RentalFormValues, isScreenOpen: () => boolean): Promise<OfficeCallResult<SaleResult>> {
  const username = session.peek()?.username;
  const json: Typed<NewReservationRequest> = {
    ...toRentalRequest(formValues),
    customer: toNewCustomer(formValues),
    notes: formValues.notes.trim() || undefined,
  };
  const content = JSON.stringify(json);
  if (lastSubmission.content !== content) lastSubmission = { content, key: createUuidV7(Date.now()) };
  await saveForm({ typed: formValues, sent: lastSubmission });
  const answer = await client.call<SaleResult, Typed<NewReservationRequest>>("POST", "/api/v1/office/reservations", {
    json,
    idempotencyKey: lastSubmission.key,
  });
  // Another user has signed in since.
  if (answer.kind !== "ok" || username !== session.peek()?.username) return toCallResult(answer);
  // If the values changed after sending, they belong to another customer, so they aren't cleared.
  if (walkIn.peek() === formValues) clearWalkIn();
  if (!isScreenOpen()) bookingIdMadeAfterLeaving.value = answer.value.reservation.id;
  return toCallResult(answer);
}

/** Clears all customer data before another user gets the device. */
export function clearWalkIn(): void {
  walkIn.value = undefined;
  walkInPlaces.value = [];
  bookingIdMadeAfterLeaving.value = undefined;
  lastSubmission = { content: "", key: "" };
  void saveForm(undefined);
}
