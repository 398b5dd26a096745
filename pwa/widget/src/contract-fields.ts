import type { RentalBookingMessage } from "#worker/api/booking-engine/vehicles/booking-messages.ts";
import { EMAIL_PATTERN } from "./detail-fields.ts";
import { isDateText } from "./format.ts";
import type { Contract, Settings } from "./model.ts";
import { getFieldLabel } from "./problems.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";

type Kind = "text" | "email" | "tel" | "time" | "past" | "future" | "country" | "document";

/** Name of a member of the booking. */
type ContractFieldName = keyof RentalBookingMessage["booking"];

/** Contract field with name, kind, maximum length and autocomplete token. */
export interface ContractField<Name extends string = ContractFieldName> {
  readonly name: Name;
  readonly kind: Kind;
  readonly longest: number | undefined;
  readonly autocomplete: string;
}

/** Group of contract fields under a title. */
export interface ContractFieldGroup {
  readonly title: keyof Texts;
  readonly fields: readonly ContractField[];
}

const DATE_LENGTH = 10;

function field<const Name extends string>(
  name: Name,
  kind: Kind = "text",
  maxLength = DATE_LENGTH,
  autocomplete = "off",
): ContractField<Name> {
  return { name, kind, longest: maxLength, autocomplete };
}

const CUSTOMER = [
  field("customer_name", "text", 40, "given-name"),
  field("customer_surname", "text", 40, "family-name"),
  field("customer_email", "email", 254, "email"),
  field("customer_phone", "tel", 40, "tel"),
  field("customer_document_id_type_id", "document"),
  field("customer_document_id", "text", 50),
  field("customer_nacionality", "country"), // sic
];
const ADDRESS = [
  field("customer_address_street", "text", 60, "address-line1"),
  field("customer_address_number", "text", 10),
  field("customer_address_zip", "text", 10, "postal-code"),
  field("customer_address_city", "text", 60, "address-level2"),
  field("customer_address_state", "text", 60, "address-level1"),
  field("customer_address_country", "country", 50, "country"),
];
const OTHER_DRIVER = [
  field("driver_name", "text", 40),
  field("driver_surname", "text", 40),
  field("driver_document_id_type_id", "document"),
  field("driver_document_id", "text", 50),
];
const DRIVER = [
  field("driver_date_of_birth", "past", DATE_LENGTH, "bday"),
  field("driver_origin_country", "country"),
  field("driver_driving_license_number", "text", 50),
  field("driver_driving_license_date", "past"),
  field("driver_driving_license_expiration_date", "future"),
  field("driver_driving_license_country", "country"),
];
const FLIGHT = [
  field("flight_company", "text", 80),
  field("flight_number", "text", 10),
  field("flight_time", "time", 5),
];

const additional = (number: 1 | 2) =>
  [
    field("name", "text", 40),
    field("surname", "text", 40),
    field("document_id", "text", 50),
    field("date_of_birth", "past"),
    field("driving_license_number", "text", 50),
    field("driving_license_date", "past"),
    field("driving_license_expiration_date", "future"),
  ].map((contractField) => ({ ...contractField, name: `additional_driver_${number}_${contractField.name}` as const }));

/** All field names that the form may contain. */
export const CONTRACT_FIELDS: readonly ContractFieldName[] = [
  ...[CUSTOMER, ADDRESS, OTHER_DRIVER, DRIVER, additional(1), additional(2), FLIGHT].flat().map(({ name }) => name),
];

/** Returns the form parts: those enabled by the account and those required by the contract. */
export function listContractFieldGroups(
  settings: Settings,
  { required }: Contract,
  { drives, others }: { readonly drives: boolean; readonly others: number },
): readonly ContractFieldGroup[] {
  const whenVisible = (fields: readonly ContractField[], isShown: boolean) =>
    isShown ? fields : fields.filter(({ name }) => required.includes(name));
  const parts: readonly ContractFieldGroup[] = [
    { title: "contractCustomer", fields: CUSTOMER },
    { title: "contractAddress", fields: whenVisible(ADDRESS, settings.renting_form_fill_data_address) },
    {
      title: "contractDriver",
      fields: [...(drives ? [] : OTHER_DRIVER), ...whenVisible(DRIVER, settings.renting_form_fill_data_driver_detail)],
    },
    { title: "contractSecond", fields: others > 0 ? additional(1) : [] },
    { title: "contractThird", fields: others > 1 ? additional(2) : [] },
    { title: "contractFlight", fields: settings.renting_form_fill_data_flight ? FLIGHT : [] },
  ];
  return parts.filter(({ fields }) => fields.length > 0);
}

/** Returns the maximum number of additional drivers. */
export function getMaxOtherDrivers(settings: Settings): number {
  if (!settings.renting_form_fill_data_additional_driver_1) return 0;
  return settings.renting_form_fill_data_additional_driver_2 ? 2 : 1;
}

interface Days {
  readonly today: string;
  /** Last day of the rental. Documents must be valid until then. */
  readonly last: string;
}

/** Validates the filled fields. Returns error texts by field. */
export function findContractFieldErrors(
  values: Readonly<Record<string, string>>,
  fields: readonly ContractField[],
  days: Days,
  texts: Texts,
): Readonly<Record<string, string>> {
  const fieldErrors = fields.flatMap(({ name, kind, longest }) => {
    const value = values[name]?.trim() ?? "";
    const isTooLong = longest !== undefined && value.length > longest;
    const valueError = value === "" ? undefined : checkValue(value, kind, days, texts);
    const sentence = isTooLong ? fillPlaceholders(texts.tooLong, { n: longest }) : valueError;
    return sentence === undefined ? [] : [[name, sentence] as const];
  });
  return Object.fromEntries(fieldErrors);
}

function checkValue(value: string, kind: Kind, { today, last }: Days, texts: Texts): string | undefined {
  if (kind === "email") return EMAIL_PATTERN.test(value) ? undefined : texts.wrongEmail;
  if (kind === "past") return isDateText(value) && value < today && value > "1900" ? undefined : texts.notPast;
  if (kind === "future") return isDateText(value) && value >= last ? undefined : texts.endsBefore;
  return undefined;
}

/** Returns error texts for missing required fields. */
export function findMissingFieldErrors(
  values: Readonly<Record<string, string>>,
  required: readonly string[],
  texts: Texts,
): Readonly<Record<string, string>> {
  const missing = required.filter((name) => (values[name]?.trim() ?? "") === "");
  return Object.fromEntries(
    missing.map((name) => [name, fillPlaceholders(texts.required, { field: getFieldLabel(name, texts) ?? name })]),
  );
}
