import type { Failure } from "#worker/api/failure.ts";
import type { FailureDetail } from "#worker/api/primitives.ts";

/** Error as an OpenTravel message describes it. */
export interface OtaError {
  /** Error type, a code of OpenTravel list EWT. */
  readonly type: number;
  /** Error code of OpenTravel list ERR. */
  readonly code: number;
  readonly text: string;
  /** XPath of the wrong element or attribute. */
  readonly tag?: string;
}

const REQUIRED_FIELD_MISSING = 10;
const BUSINESS_RULE = 3;

/** Error types of list EWT by HTTP status. Other statuses below 500 mean a violated business rule. */
const TYPES: Readonly<Record<number, number>> = { 400: 7, 401: 4, 403: 6, 405: 7, 413: 7, 415: 7 };
const PROCESSING_EXCEPTION = 12;

const INVALID_DATE = 15;
const NOT_AUTHORIZED = 497;
const UNAVAILABLE = 187;
const SYSTEM_ERROR = 448;
const UNABLE_TO_PROCESS = 450;
const INVALID_VALUE = 320;
const MISSING = 321;

/** Error codes of list ERR by the platform's code. */
const CODES: Readonly<Record<string, number>> = {
  sold_out: 322,
  no_availability: 322,
  reference_taken: 127,
  booking_canceled: 95,
  booking_not_found: 97,
};
const CODES_BY_STATUS: Readonly<Record<number, number>> = {
  401: NOT_AUTHORIZED,
  403: NOT_AUTHORIZED,
  429: UNAVAILABLE,
  500: SYSTEM_ERROR,
  503: UNAVAILABLE,
};

const RENTAL = {
  date_from: "VehRentalCore/@PickUpDateTime",
  time_from: "VehRentalCore/@PickUpDateTime",
  date_to: "VehRentalCore/@ReturnDateTime",
  time_to: "VehRentalCore/@ReturnDateTime",
  pickup_place: "VehRentalCore/PickUpLocation/@LocationCode",
  return_place: "VehRentalCore/ReturnLocation/@LocationCode",
  driver_age: "DriverType/@Age",
  promotion_code: "RateQualifier/@PromotionCode",
  agency_reservation_id: "UniqueID/@ID",
} as const;

const PERSON = "Customer/Primary";

/** Paths of personal data below the XML element of a person, by field of the contract data. */
const IDENTITY: Readonly<Record<string, string>> = {
  name: "PersonName/GivenName",
  surname: "PersonName/Surname",
  email: "Email",
  phone: "Telephone/@PhoneNumber",
  document_id: "Document/@DocID",
  date_of_birth: "@BirthDate",
  nacionality: "CitizenCountryName/@Code", // sic
  origin_country: "Document/@DocIssueCountry",
  document_id_date: "Document/@EffectiveDate",
  document_id_expiration_date: "Document/@ExpireDate",
  driving_license_number: 'Document[@DocType="4"]/@DocID',
  driving_license_country: 'Document[@DocType="4"]/@DocIssueCountry',
  driving_license_date: 'Document[@DocType="4"]/@EffectiveDate',
  driving_license_expiration_date: 'Document[@DocType="4"]/@ExpireDate',
};

/** XPath below the message's core by the field's name in the agency API. */
const PATHS: Readonly<Record<string, string>> = {
  ...RENTAL,
  customer_phone_number: `${PERSON}/Telephone/@PhoneNumber`,
  customer_mobile_phone: `${PERSON}/Telephone[2]/@PhoneNumber`,
  customer_address_street: `${PERSON}/Address/AddressLine`,
  customer_address_number: `${PERSON}/Address/StreetNmbr`,
  customer_address_complement: `${PERSON}/Address/BldgRoom`,
  customer_address_city: `${PERSON}/Address/CityName`,
  customer_address_zip: `${PERSON}/Address/PostalCode`,
  customer_address_state: `${PERSON}/Address/StateProv`,
  customer_address_state_code: `${PERSON}/Address/StateProv/@StateCode`,
  customer_address_country: `${PERSON}/Address/CountryName`,
};

/** XPath below the message's information by the field's name. */
const INFO_PATHS: Readonly<Record<string, string>> = {
  comments: "SpecialReqPref",
  flight_number: "ArrivalDetails/@Number",
  flight_company: "ArrivalDetails/OperatingCompany",
  flight_time: "ArrivalDetails/@ArrivalDateTime",
};

function findPath(key: string): string | undefined {
  const [, driver, name = ""] = /^(?:customer|additional_driver_(\d+))_(.+)$/.exec(key) ?? [];
  const path = IDENTITY[name];
  if (PATHS[key] !== undefined || path === undefined) return PATHS[key];
  return driver === undefined ? `${PERSON}/${path}` : `Customer/Additional[${driver}]/${path}`;
}

const LISTS: Readonly<Record<string, readonly [element: string, members: Readonly<Record<string, string>>]>> = {
  products: ["VehPref", { code: "@Code" }],
  extras: ["SpecialEquipPrefs/SpecialEquipPref", { code: "@EquipType", quantity: "@Quantity" }],
};

/** Returns the XPath of a field of the agency API in an OpenTravel message. */
function toPath(field: string, message: string): string {
  if (field.startsWith("/")) return field;
  const core =
    message === "OTA_VehRateRuleRQ"
      ? `/${message}/RentalInfo`
      : `/${message}/${message.replace(/^OTA_/, "").replace(/^VehAvailRateRQ$/, "VehAvailRQ")}Core`;
  const [, name = "", index, member = ""] =
    /^(?:reservation\.)?(?:contract_data\.)?([\w-]+)(?:\.(\d+))?(?:\.(\w+))?$/.exec(field) ?? [];
  const key = name.replaceAll("-", "_");
  if (key === "customer_language") return `/${message}/@PrimaryLangID`;
  const [element, members] = LISTS[key] ?? [];
  const info = INFO_PATHS[key];
  if (info !== undefined) return `${core.replace(/Core$/, "Info")}/${info}`;
  if (element === undefined) return [core, findPath(key)].filter(Boolean).join("/");
  const position = index === undefined ? "" : `[${Number(index) + 1}]`;
  return [`${core}/${element}${position}`, members?.[member || "code"]].filter(Boolean).join("/");
}

const DATE_PROBLEMS: ReadonlySet<string | undefined> = new Set([
  "date",
  "time",
  "moment",
  "in_future",
  "later",
  "after",
  "not_after",
]);

function toFieldError({ field, message, code }: FailureDetail, root: string): OtaError {
  const tag = toPath(field, root);
  const isMissing = code === "missing";
  const isDate = DATE_PROBLEMS.has(code) || tag.endsWith("DateTime");
  return {
    type: isMissing ? REQUIRED_FIELD_MISSING : BUSINESS_RULE,
    code: isMissing ? MISSING : isDate ? INVALID_DATE : INVALID_VALUE,
    text: `${tag.split("/").at(-1)}: ${message}`,
    tag,
  };
}

/** Converts a failure to OpenTravel's errors, one for each element or attribute of the message. */
export function toOtaErrors({ status, code, message, detail = [] }: Failure, root: string): readonly OtaError[] {
  if (detail.length > 0) {
    const errors = detail.map((item) => toFieldError(item, root));
    return errors.filter((error, index) => errors.findIndex(({ tag }) => tag === error.tag) === index);
  }
  const type = TYPES[status] ?? (status >= 500 ? PROCESSING_EXCEPTION : BUSINESS_RULE);
  return [{ type, code: CODES[code] ?? CODES_BY_STATUS[status] ?? UNABLE_TO_PROCESS, text: message }];
}
