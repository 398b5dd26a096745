import { Refused, Unreachable } from "./client.ts";
import { fill, type Texts } from "./texts.ts";

/** What went wrong in words of the visitor's language, and what is wrong with each field where it is about fields. */
export interface Problem {
  readonly text: string;
  readonly wrong?: Readonly<Record<string, string>>;
}

const BY_CODE: Readonly<Record<string, keyof Texts>> = {
  CRBOOK002: "soldOut",
  product_not_sold: "soldOut",
  product_not_found: "soldOut",
  cart_busy: "cartBusy",
  cart_changed: "cartChanged",
  cart_empty: "cartEmpty",
  cart_not_found: "expired",
  price_changed: "priceChanged",
  payment_required: "paymentRequired",
  booking_not_found: "unknownReservation",
  reservation_not_found: "unknownReservation",
  booking_closed: "reservationClosed",
  too_many_attempts: "tooMany",
  too_many_holds: "tooManyHolds",
  captcha_failed: "closed",
  bad_api_key: "closed",
  not_signed_in: "signInAgain",
  wrong_sign_in: "wrongSignIn",
  role_forbidden: "notCustomer",
  not_allowed: "notOnline",
  booked_by_agency: "byAgency",
  changed_meanwhile: "changedMeanwhile",
  move_not_allowed: "reservationClosed",
  sold_out: "unavailable",
};

/** Refusals that are about one field of the form that was sent. */
const BY_FIELD: Readonly<Record<string, readonly [field: string, text: keyof Texts]>> = {
  taken: ["email", "taken"],
  weak_password: ["password", "weakPassword"],
};

const FIELDS: Readonly<Record<string, keyof Texts>> = {
  name: "name",
  surname: "surname",
  email: "email",
  username: "email",
  password: "password",
  phone: "phone",
  document_id: "documentId",
  document_id_type_id: "documentType",
  nacionality: "nationality", // sic
  origin_country: "originCountry",
  date_of_birth: "birth",
  driving_license_number: "licence",
  driving_license_date: "licenceDate",
  driving_license_expiration_date: "licenceEnd",
  driving_license_country: "licenceCountry",
  street: "street",
  number: "number",
  zip: "zip",
  city: "city",
  state: "state",
  country: "country",
  flight_company: "airline",
  flight_time: "flightTime",
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
  extras: "extras",
  date: "date",
  time: "time",
  origin_point_id: "from",
  destination_point_id: "to",
  return_date: "back",
  return_time: "back",
  return_origin_point_id: "back",
  return_destination_point_id: "back",
  number_of_adults: "adults",
  number_of_children: "children",
};

/** The name that a visitor knows a field of the interface by; undefined where the forms have no such field. */
export function fieldLabel(field: string, texts: Texts): string | undefined {
  const own = field.replace(/^(customer_address|customer|driver|additional_driver_\d)_/, "");
  const key = FIELDS[field] ?? FIELDS[own];
  return key && texts[key];
}

/** What an error means to a visitor: never the server's English, never its internals. */
export function toProblem(error: unknown, texts: Texts): Problem {
  if (error instanceof Unreachable) return { text: texts.unreachable };
  if (!(error instanceof Refused)) return { text: texts.broken };
  const known = BY_CODE[error.code];
  if (known) return { text: texts[known] };
  const [at, why] = BY_FIELD[error.code] ?? [];
  if (at && why) return { text: texts[why], wrong: { [at]: texts[why] } };
  // Some refusals name their field in the sentence alone.
  const named = [...error.fields, /^(\w+):/.exec(error.message)?.[1] ?? ""].filter((text) => fieldLabel(text, texts));
  if (named[0]) return aboutFields(named, error.message, texts);
  if (error.sentences.length > 0) return createServerProblem(error.sentences);
  if (error.status === 429) return { text: texts.tooMany };
  return { text: error.status >= 500 ? texts.unreachable : texts.broken };
}

// Customer access writes to the person: "Name: …" of a field, and a sentence without one of the password.
function createServerProblem(sentences: readonly string[]): Problem {
  const text = sentences.join(" ");
  return { text, ...(!text.includes(": ") && { wrong: { password: text } }) };
}

// Which vehicle is too small for them only the server knows: that a field is wrong would not say why.
function aboutFields(fields: readonly string[], message: string, texts: Texts): Problem {
  const sentence = (field: string) =>
    field === "number_of_adults" && message.includes("places for so many people")
      ? texts.noPlaces
      : fill(texts.wrongField, { field: fieldLabel(field, texts) ?? field });
  const wrong = Object.fromEntries(fields.map((field) => [field, sentence(field)]));
  return { text: Object.values(wrong).join(" "), wrong };
}

/** What a website's developer is told in the console: why the widget cannot work as it is embedded. */
export function getDeveloperAdvice(error: unknown, origin: string, hasKey: boolean): string {
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
