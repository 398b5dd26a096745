import { Refused, Unreachable } from "./client.ts";
import { fill, type Texts } from "./texts.ts";

/** What went wrong in words of the visitor's language, and the field it is about where it is about one. */
export interface Problem {
  readonly text: string;
  readonly field?: string;
}

const BY_CODE: Readonly<Record<string, keyof Texts>> = {
  CRBOOK002: "soldOut",
  product_not_sold: "soldOut",
  product_not_found: "soldOut",
  cart_busy: "cartBusy",
  cart_empty: "cartEmpty",
  cart_not_found: "expired",
  price_changed: "priceChanged",
  payment_required: "paymentRequired",
  booking_not_found: "unknownReservation",
  reservation_not_found: "unknownReservation",
  booking_closed: "reservationClosed",
  too_many_attempts: "tooMany",
  too_many_holds: "tooManyHolds",
  visitor_not_proved: "closed",
  bad_api_key: "closed",
};

const FIELDS: Readonly<Record<string, keyof Texts>> = {
  customer_name: "name",
  customer_surname: "surname",
  customer_email: "email",
  customer_phone: "phone",
  driver_name: "driverName",
  driver_surname: "driverSurname",
  flight_number: "flight",
  comments: "comments",
  date_from: "pickupDate",
  date_to: "returnDate",
  time_from: "pickupTime",
  time_to: "returnTime",
  pickup_place: "pickup",
  return_place: "return",
  promotion_code: "code",
  driver_age_rule: "driverAge",
  date: "date",
  time: "time",
  origin_point_id: "from",
  destination_point_id: "to",
  return_date: "back",
  return_time: "back",
  number_of_adults: "adults",
  number_of_children: "children",
};

/** The name that a visitor knows a field of the interface by; undefined where the forms have no such field. */
export function fieldLabel(field: string, texts: Texts): string | undefined {
  const key = FIELDS[field];
  return key && texts[key];
}

/** What an error means to a visitor: never the server's English, never its internals. */
export function problemOf(error: unknown, texts: Texts): Problem {
  if (error instanceof Unreachable) return { text: texts.unreachable };
  if (!(error instanceof Refused)) return { text: texts.broken };
  const known = BY_CODE[error.code];
  if (known) return { text: texts[known] };
  const field = error.fields.find((one) => fieldLabel(one, texts)) ?? fieldOf(error.message, texts);
  if (field) return { text: fill(texts.wrongField, { field: fieldLabel(field, texts) ?? field }), field };
  if (error.status === 429) return { text: texts.tooMany };
  return { text: error.status >= 500 ? texts.unreachable : texts.broken };
}

// Some refusals name their field in the sentence alone.
function fieldOf(message: string, texts: Texts): string | undefined {
  const field = /^(\w+):/.exec(message)?.[1] ?? "";
  return fieldLabel(field, texts) ? field : undefined;
}

/** What a website's developer is told in the console: why the widget cannot work as it is embedded. */
export function adviceOf(error: unknown, origin: string, hasKey: boolean): string {
  const lead = "<rental-booking>";
  if (error instanceof Refused && error.code === "bad_api_key") {
    const what = hasKey
      ? "the key that its attribute says is none of"
      : 'the attribute key="…" is missing, required by';
    return `${lead}: ${what} ${origin} (office, Settings, keys of websites)`;
  }
  if (error instanceof Refused) {
    return `${lead}: ${origin} answered ${error.status} ${error.code || error.message}; is the attribute account="…" right?`;
  }
  return `${lead}: ${origin} cannot be asked. Is the attribute account="…" right, is this website's origin (${location.origin}) allowed in the office, and does its Content-Security-Policy allow connect-src ${origin}?`;
}
