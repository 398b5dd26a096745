import type { TransferPointKinds } from "./model.ts";
import { getFieldLabel } from "./problems.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";

/** Field of the details, by its API name. */
export interface DetailField {
  readonly name: string;
  readonly autocomplete: string;
  readonly type?: "email" | "tel" | "time" | "number";
  readonly longest: number;
  readonly isRequired: boolean;
}

// Fields that a signed-in customer isn't asked for, because the customer's account contains them.
const ACCOUNT_FIELDS: readonly DetailField[] = [
  { name: "customer_name", autocomplete: "given-name", longest: 40, isRequired: true },
  { name: "customer_surname", autocomplete: "family-name", longest: 40, isRequired: true },
  { name: "customer_email", autocomplete: "email", type: "email", longest: 254, isRequired: true },
];
const PHONE: DetailField = { name: "customer_phone", autocomplete: "tel", type: "tel", longest: 40, isRequired: false };
const FLIGHT: DetailField = { name: "flight_number", autocomplete: "off", longest: 10, isRequired: false };

/** Fields of a rental's customer in order, with their attributes. */
export const RENTAL_DETAIL_FIELDS: readonly DetailField[] = [...ACCOUNT_FIELDS, PHONE, FLIGHT];

export const DRIVER_FIELDS: readonly DetailField[] = [
  { name: "driver_name", autocomplete: "off", longest: 40, isRequired: true },
  { name: "driver_surname", autocomplete: "off", longest: 40, isRequired: true },
];

export const COMMENTS_FIELD = { name: "comments", longest: 2000, isRequired: false } as const;

const createAddressField = (name: string): DetailField => ({
  ...{ name, autocomplete: "street-address", longest: 256, isRequired: true },
});
const FLIGHT_TIME: DetailField = { ...FLIGHT, name: "flight_time", type: "time", longest: 5 };
const DEPARTURE: readonly DetailField[] = [
  { ...FLIGHT, name: "flight_number_departure" },
  { ...FLIGHT_TIME, name: "flight_time_departure" },
];

/** Maximum number of bags, and of large items, of a transfer. */
export const MAX_LUGGAGE_COUNT = 99;
const LUGGAGE: readonly DetailField[] = ["number_of_bags", "number_of_large_items"].map((name) => ({
  ...{ name, autocomplete: "off", type: "number", longest: 2, isRequired: false },
}));

/**
 * Returns the fields of a transfer's customer: how to reach them, the address at an end that is an area instead of a
 * station, the flights and the luggage.
 */
function getTransferFields(
  { origin, destination, isRound }: TransferPointKinds,
  hasPhone: boolean,
): readonly DetailField[] {
  const last = isRound ? origin : destination;
  return [
    ...ACCOUNT_FIELDS,
    { ...PHONE, isRequired: !hasPhone },
    ...(origin === "location" ? [createAddressField("detailed_origin_address")] : []),
    ...(destination === "location" ? [createAddressField("detailed_destination_address")] : []),
    ...(origin === "airport" ? [FLIGHT, FLIGHT_TIME] : []),
    ...(last === "airport" ? DEPARTURE : []),
    ...LUGGAGE,
  ];
}

/**
 * Returns the fields to ask for. For a signed-in customer, only fields that the account doesn't contain. A phone of the
 * account can be replaced.
 */
export function listDetailFields(
  ends: TransferPointKinds | undefined,
  isSignedIn: boolean,
  hasPhone = false,
): readonly DetailField[] {
  const fields = ends ? getTransferFields(ends, hasPhone) : RENTAL_DETAIL_FIELDS;
  return isSignedIn ? fields.filter((field) => !ACCOUNT_FIELDS.includes(field)) : fields;
}

/** Basic email format. Only a sent email proves that it exists. */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

/** Validates the fields. Returns error texts by field, empty if valid. */
export function findDetailFieldErrors(
  details: Readonly<Record<string, string>>,
  fields: readonly (DetailField | typeof COMMENTS_FIELD)[],
  texts: Texts,
): Readonly<Record<string, string>> {
  const problems = fields.map((field) => [field.name, findProblem(field, details[field.name]?.trim() ?? "", texts)]);
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}

function findProblem(field: DetailField | typeof COMMENTS_FIELD, value: string, texts: Texts): string | undefined {
  const { name, isRequired, longest } = field;
  if (!value && !isRequired) return undefined;
  if (!value) return fillPlaceholders(texts.required, { field: getFieldLabel(name, texts) ?? name });
  if ("type" in field && field.type === "number") return /^\d{1,2}$/.test(value) ? undefined : texts.wrongCount;
  if (value.length > longest) return fillPlaceholders(texts.tooLong, { n: longest });
  return name === "customer_email" && !EMAIL_PATTERN.test(value) ? texts.wrongEmail : undefined;
}
