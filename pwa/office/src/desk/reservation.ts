import type { Immutable } from "#shared/immutable.ts";
import type {
  ReservationDetailMessage,
  ReservationHistoryEntryMessage,
  ReservationListMessage,
} from "#worker/api/office/reservation-messages.ts";
import type { OfficeTransferMessage } from "#worker/api/office/transfer-messages.ts";
import type { Quote } from "./quote.ts";

export type ReservationList = Immutable<ReservationListMessage>;
/** A reservation in a list. Amounts are decimal strings, dates and times are the account's local time. */
export type ReservationListItem = ReservationList["data"][number];

export type AllowedActionName = Reservation["allowed"][number];

/** Agreed transfer with its outward and return trips. */
export type Transfer = Immutable<OfficeTransferMessage>;

export type TransferTrip = Transfer["trips"][number];

export type Reservation = ReservationDetail["reservation"];

export type ReservationDocument = ReservationDetail["documents"][number];

export type Charge = ReservationDetail["charges"][number];

export type HistoryEntry = Immutable<ReservationHistoryEntryMessage>;

/** A reservation with its documents, payments and history. */
export type ReservationDetail = Immutable<ReservationDetailMessage>;

/** API names of the parts of a total. */
export const COST_PARTS = [
  "item_cost",
  "extras_cost",
  "pickup_place_cost",
  "return_place_cost",
  "time_from_cost",
  "time_to_cost",
  "driver_age_cost",
  "category_supplement_1_cost",
  "category_supplement_2_cost",
  "category_supplement_3_cost",
  "supplement_1_cost",
  "supplement_2_cost",
  "supplement_3_cost",
] as const satisfies readonly (keyof Reservation | keyof Quote)[];

/** Lists the parts with a cost, in order. */
export function listCostParts(priced: object): readonly (readonly [(typeof COST_PARTS)[number], string])[] {
  const values = priced as Readonly<Record<string, unknown>>;
  return COST_PARTS.flatMap((name) => {
    const amount = values[name];
    return typeof amount === "string" && Number(amount) !== 0 ? [[name, amount] as const] : [];
  });
}

/** Whether a vehicle is overdue. `now` is the account's local time as `yyyy-mm-dd hh:mm`. */
export function isOverdue(
  { status, date_to, time_to }: Pick<ReservationListItem, "status" | "date_to" | "time_to">,
  now: string,
) {
  return status === "in_progress" && `${date_to} ${time_to}` < now;
}
