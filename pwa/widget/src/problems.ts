import { type FailureCode, type FieldCode, type FieldRefusal, ServerRefusal, ServerUnreachable } from "./client.ts";
import type { Extra } from "./model.ts";
import { fillPlaceholders, formatDays, type Texts } from "./texts.ts";

type NamedExtra = Pick<Extra, "code" | "name">;

/** Error text in the visitor's language, and the errors of fields, if any. */
export interface VisitorProblem {
  readonly text: string;
  readonly wrong?: Readonly<Record<string, string>>;
}

const BY_CODE: Readonly<Partial<Record<FailureCode, keyof Texts>>> = {
  CRBOOK002: "soldOut",
  product_not_sold: "soldOut",
  product_not_found: "soldOut",
  cart_busy: "cartBusy",
  cart_changed: "cartChanged",
  cart_empty: "chooseTitle",
  cart_not_found: "expired",
  price_changed: "priceChanged",
  payment_required: "paymentRequired",
  booking_not_found: "unknownReservation",
  booking_closed: "reservationClosed",
  too_many_attempts: "tooMany",
  too_many_holds: "tooManyHolds",
  captcha_failed: "closed",
  bad_api_key: "closed",
  not_signed_in: "signInAgain",
  role_forbidden: "notCustomer",
  not_allowed: "reservationClosed",
  booked_by_agency: "byAgency",
  changed_meanwhile: "changedMeanwhile",
  action_not_allowed: "reservationClosed",
  sold_out: "unavailable",
};

/** Rejections that concern one field of the sent form. */
const BY_FIELD: Readonly<Partial<Record<FailureCode, readonly [field: string, text: keyof Texts]>>> = {
  taken: ["email", "taken"],
  wrong_sign_in: ["password", "wrongSignIn"],
  weak_password: ["password", "weakPassword"],
};

/** Keys of labels that differ from the API field, or from its name without a prefix. */
const FIELDS: Readonly<Record<string, keyof Texts>> = {
  username: "email",
  nacionality: "nationality", // sic
  pickup_place: "pickup",
  return_place: "return",
  accepted_terms: "terms",
};

/** Returns the visitor's label of an API field. Undefined if the forms don't contain it. */
export function getFieldLabel(field: string, texts: Texts): string | undefined {
  const own = field
    .replace(/^(customer_address|customer|driver|additional_driver_\d)_/, "")
    .replace(/^return_(?!place).+/, "back");
  const labels: Readonly<Record<string, string | undefined>> = texts;
  return labels[field] ?? labels[FIELDS[own] ?? own];
}

/**
 * Converts an error to a text for the visitor, without the server's English or internals. `extras` have the names of
 * refused ones.
 */
export function toVisitorProblem(error: unknown, texts: Texts, extras: readonly NamedExtra[] = []): VisitorProblem {
  if (error instanceof ServerUnreachable) return { text: texts.unreachable };
  if (!(error instanceof ServerRefusal)) return { text: texts.broken };
  const extraProblem = aboutExtra(error, texts, extras);
  if (extraProblem) return extraProblem;
  const known = BY_CODE[error.code];
  if (known) return { text: texts[known] };
  const [at, why] = BY_FIELD[error.code] ?? [];
  if (at && why) return { text: texts[why], wrong: { [at]: texts[why] } };
  // The company no longer offers the vehicle or extra that a button of the page names.
  if (error.fields.includes("product")) return { text: texts.soldOut };
  const knownFields = error.fields.filter(
    (field, index) => getFieldLabel(field, texts) ?? EXPLANATIONS[error.refusals[index]?.code ?? ""],
  );
  if (knownFields[0]) return aboutFields(knownFields, error, texts);
  if (error.sentences.length > 0) return createServerProblem(error.sentences);
  if (error.status === 429) return { text: texts.tooMany };
  return { text: error.status >= 500 ? texts.unreachable : texts.broken };
}

/** Returns the code of the extra that the server refused, and its limit if it's exceeded. Undefined if there's none. */
export const findRefusedExtra = ({ refusals }: ServerRefusal) =>
  refusals.find(({ params }) => params?.["extra"])?.params;

function aboutExtra(error: ServerRefusal, texts: Texts, extras: readonly NamedExtra[]): VisitorProblem | undefined {
  const refused = findRefusedExtra(error);
  if (!refused) return undefined;
  const { extra, max } = refused;
  const name = extras.find(({ code }) => code === extra)?.name ?? texts.extras;
  if (error.code === "CRBOOK002") return { text: `${name}: ${texts.unavailable}` };
  const field = withLimit(name, max && `max. ${max}`);
  return { text: fillPlaceholders(texts.wrongField, { field }) };
}

// Converts messages of the customer API for the visitor. A message about a field is `Name: …`, others are about the
// password.
function createServerProblem(sentences: readonly string[]): VisitorProblem {
  const text = sentences.join(" ");
  return { text, ...(!text.includes(": ") && { wrong: { password: text } }) };
}

/** Texts that explain an invalid field, by field or by error code. */
const EXPLANATIONS: Readonly<Record<string, keyof Texts>> = {
  accepted_terms: "termsChanged",
  driver_age_rule: "ageRefused",
  email: "wrongEmail",
  no_seats: "noPlaces",
  no_vehicle_with_seats: "noPlaces",
  pickup_in_past: "pastDates",
  return_in_past: "pastDates",
  trip_in_past: "pastDates",
  return_not_after_pickup: "returnBefore",
  closed_on: "closedOn",
  no_pickups_on: "closedOn",
  no_returns_on: "closedOn",
  no_pickup_place: "placeGone",
  no_return_place: "placeGone",
  not_a_return_place: "placeGone",
  no_transfer: "placeGone",
  no_point: "placeGone",
  trip_return_early: "returnBefore",
  past_date: "notPast",
  call_us: "callUs",
} satisfies Partial<Record<FieldCode | "accepted_terms" | "driver_age_rule", keyof Texts>>;

/** Returns the limit that a value of a field exceeds, or an example. Undefined if the code has none. */
function describeLimit({ code = "", params = {} }: Partial<FieldRefusal>, texts: Texts): string | undefined {
  if (code === "telephone") return "+34 600 000 000";
  if (code === "closed_at_pickup" || code === "closed_at_return") return texts.closedDay;
  if (code === "no_passenger") return "min. 1";
  if (code === "too_long") return `max. ${params["max"]}`;
  // `minimum_days` and `maximum_days`: every language abbreviates them as `min.` and `max.`
  const [bound, unit] = code.split("_");
  return unit === "days" ? `${bound?.slice(0, 3)}. ${formatDays(Number(params["days"]), texts)}` : undefined;
}

const withLimit = (label: string, limit: unknown) => (limit ? `${label} (${limit})` : label);

/** Appends the limit of a refusal to a text. */
export const addLimit = (text: string, refusal: Partial<FieldRefusal>, texts: Texts) =>
  withLimit(text, describeLimit(refusal, texts));

function aboutFields(fields: readonly string[], error: ServerRefusal, texts: Texts): VisitorProblem {
  const sentence = (field: string) => {
    const refusal = error.refusals[error.fields.indexOf(field)];
    const key = EXPLANATIONS[field] ?? EXPLANATIONS[refusal?.code ?? ""] ?? "wrongField";
    const label = getFieldLabel(field, texts) ?? field;
    return fillPlaceholders(texts[key], { ...refusal?.params, field: addLimit(label, refusal ?? {}, texts) });
  };
  const fieldErrors = Object.fromEntries(fields.map((field) => [field, sentence(field)]));
  return { text: Object.values(fieldErrors).join(" "), wrong: fieldErrors };
}

/** Returns the console message for the website's developer that explains why the widget can't work. */
export function getConsoleAdvice(error: unknown, origin: string, hasKey: boolean): string {
  const lead = `<rental-booking>: ${origin}`;
  if (!(error instanceof ServerRefusal))
    return `${lead} can't be reached. Check account="…", the origins that the office allows (${location.origin}) and connect-src of the Content-Security-Policy`;
  if (error.code === "bad_api_key")
    return `${lead}: ${hasKey ? "wrong" : "missing"} attribute key="…" (office, Settings)`;
  return `${lead} answered ${error.status} ${error.code || error.message}. Check account="…"`;
}
