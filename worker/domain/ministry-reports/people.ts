import type { ContractData } from "#domain/bookings/bookings.ts";
import { toThreeLetterCountryCode } from "#domain/countries.ts";
import { foldText } from "#domain/search-text.ts";
import { isPersonalTaxNumber, parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { type AuthorityCodes, findAuthorityCode, findMunicipalityCode } from "./lists.ts";
import {
  fitsReportedLength,
  toReportedDate,
  toReportedDocument,
  toReportedLicence,
  toReportedMail,
  toReportedPhones,
} from "./report-values.ts";

/** Reported place. */
export interface ReportedPlace {
  /** The ministry's code of the business location. */
  readonly establishment: string | undefined;
  readonly street: string | undefined;
  readonly city: string | undefined;
  readonly zip: string | undefined;
  readonly country: string | undefined;
}

/** Renter, with the contract's data on all persons. */
export interface ReportedParty {
  readonly customer: {
    /** A company has a representative. */
    readonly isCompany: boolean;
    readonly name: string;
    readonly surname: string;
    readonly email: string | undefined;
    readonly phone: string | undefined;
    readonly documentId: string | undefined;
  };
  readonly data: ContractData;
  readonly codes: AuthorityCodes;
  /**
   * Part number, starting at 1. A report to the ministry contains at most one additional driver, so each further one
   * needs another part.
   */
  readonly part?: number;
}

/** Role of a person in a report to the ministry: renter (TI), driver (CP) or additional driver (CS). */
export type ReportedRole = "TI" | "CP" | "CS";

/** Person in a report to the ministry: TI is the renter, CP the driver, CS an additional driver. */
export interface ReportedPerson {
  readonly role: ReportedRole;
  readonly name: string | undefined;
  readonly surname: string | undefined;
  readonly secondSurname: string | undefined;
  readonly documentType: "NIF" | "NIE" | "PAS" | "OTRO" | undefined;
  readonly documentId: string | undefined;
  readonly dateOfBirth: string | undefined;
  readonly nationality: string | undefined;
  readonly address: (ReportedPlace & { readonly municipality: string | undefined }) | undefined;
  readonly phone: string | undefined;
  readonly secondPhone: string | undefined;
  readonly email: string | undefined;
  readonly licence:
    | {
        /** The ministry's code of the licence type. */
        readonly type: string;
        /** Whether the website sent a licence type that isn't a code, so that the report contains another type. */
        readonly isTypeUnknown: boolean;
        readonly validUntil: string | undefined;
        readonly number: string | undefined;
      }
    | undefined;
}

type Person = Omit<ReportedPerson, "role" | "licence">;

/** Returns the renter's contract data prefix: the customer, or a company's representative. */
export function getRenterPrefix({ customer }: ReportedParty): "customer" | "representative" {
  return customer.isCompany ? "representative" : "customer";
}

/** Whether the driver differs from the renter. */
export function isDriverNotRenter({ customer, data }: ReportedParty): boolean {
  const name = fullName(data["driver_name"], data["driver_surname"]);
  if (data["driver_is_customer"] === "true" || name === "") return false;
  const { isCompany, name: firstName, surname } = customer;
  return (
    name !==
    (isCompany ? fullName(data["representative_name"], data["representative_surname"]) : fullName(firstName, surname))
  );
}

// Returns the contract's additional drivers by data prefix.
function additionalDrivers({ data }: Pick<ReportedParty, "data">): readonly AdditionalDriver[] {
  return ADDITIONAL_DRIVERS.filter((prefix) => data[`${prefix}_name`]?.trim() || data[`${prefix}_surname`]?.trim());
}

const ADDITIONAL_DRIVERS = ["additional_driver_1", "additional_driver_2"] as const;
export type AdditionalDriver = (typeof ADDITIONAL_DRIVERS)[number];

/** Returns the parts in which a rental is reported, so that every driver is included. */
export function listReportPartNumbers(party: Pick<ReportedParty, "data">): readonly number[] {
  return Array.from({ length: Math.max(1, additionalDrivers(party).length) }, (_, index) => index + 1);
}

/** Returns the additional driver of a part. */
export function findAdditionalDriver(party: ReportedParty): AdditionalDriver | undefined {
  return additionalDrivers(party)[(party.part ?? 1) - 1];
}

const fullName = (name: string | undefined, surname: string | undefined) =>
  foldText(`${name ?? ""} ${surname ?? ""}`.trim().replaceAll(/\s+/g, " "));

/** Returns the persons of a rental: renter, driver and additional ones. The driver is the renter unless specified. */
export function listReportedPersons(party: ReportedParty): readonly ReportedPerson[] {
  const renter = getRenter(party);
  const driver = isDriverNotRenter(party) ? getDriver(party, "driver", renter) : renter;
  const second = findAdditionalDriver(party);
  return [
    { ...renter, role: "TI", licence: undefined },
    { ...driver, role: "CP", licence: getLicence(party, "driver") },
    ...(second
      ? [{ ...getDriver(party, second, renter), role: "CS" as const, licence: getLicence(party, second) }]
      : []),
  ];
}

// If the renter drives, their document data may be stored under either prefix.
function getRenter(party: ReportedParty): Person {
  const { customer, data } = party;
  const own = getRenterPrefix(party);
  const prefixes = isDriverNotRenter(party) ? [own] : [own, "driver"];
  const findValue = (field: string) => prefixes.map((prefix) => data[`${prefix}_${field}`]?.trim()).find(Boolean);
  const home = ["customer", ...prefixes].find((prefix) => data[`${prefix}_address_street`]) ?? "customer";
  const address = getAddress(party, `${home}_address`);
  const { isCompany } = customer;
  const document = documented(
    (isCompany ? undefined : customer.documentId) ?? findValue("document_id"),
    findValue("document_id_type_id"),
    findValue("nacionality") ?? findValue("origin_country") ?? address.country, // sic
  );
  return {
    ...normalizeNames(
      isCompany ? findValue("name") : customer.name,
      isCompany ? findValue("surname") : customer.surname,
      findValue("second_surname"),
      document,
    ),
    ...document,
    dateOfBirth: toReportedDate(findValue("date_of_birth")),
    nationality: toThreeLetterCountryCode(findValue("nacionality") ?? findValue("origin_country")), // sic
    address,
    ...toReportedPhones(customer.phone),
    email: toReportedMail(customer.email),
  };
}

// Missing address and phone of a driver are taken from the renter.
function getDriver(party: ReportedParty, prefix: string, renter: Person): Person {
  const findValue = (field: string) => party.data[`${prefix}_${field}`]?.trim() || undefined;
  const country = findValue("nacionality") ?? findValue("origin_country"); // sic
  const document = documented(findValue("document_id"), findValue("document_id_type_id"), country);
  const phones = toReportedPhones(findValue("phone"));
  return {
    ...normalizeNames(findValue("name"), findValue("surname"), findValue("second_surname"), document),
    ...document,
    dateOfBirth: toReportedDate(findValue("date_of_birth")),
    nationality: toThreeLetterCountryCode(country),
    address: findValue("address_street") ? getAddress(party, `${prefix}_address`) : renter.address,
    ...(phones.phone === undefined ? { phone: renter.phone, secondPhone: renter.secondPhone } : phones),
    email: toReportedMail(findValue("email")) ?? renter.email,
  };
}

// Splits surnames only of Spanish citizens, because they must be reported with two and forms often have both in one
// field.
function normalizeNames(
  name: string | undefined,
  surname: string | undefined,
  second: string | undefined,
  { documentType }: Pick<Person, "documentType">,
) {
  const fullSurname = surname?.trim().replaceAll(/\s+/g, " ") || undefined;
  const isSplit = second === undefined && documentType === "NIF" && fullSurname !== undefined;
  const [first, ...others] = isSplit ? splitSurnames(fullSurname) : [fullSurname];
  return {
    name: name?.trim() || undefined,
    surname: first,
    secondSurname: second ?? (others.join(" ") || undefined),
  };
}

const PARTICLES = new Set(
  "de del la las los el y i e da do dos das du des di della van von zu der den ter ten le san santa".split(" "),
);

/** Splits surnames into single ones: particles belong to the word after them, as in `de la Fuente`. */
function splitSurnames(surnames: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  const words = surnames.split(" ");
  for (const [index, word] of words.entries()) {
    if (PARTICLES.has(word.toLowerCase()) && index < words.length - 1) continue;
    parts.push(words.slice(start, index + 1).join(" "));
    start = index + 1;
  }
  return parts;
}

/** Passport in the websites' list of document types. */
const PASSPORT = "1";

// A company's tax number doesn't identify a person, so the person's document counts as missing.
function documented(documentId: string | undefined, type: string | undefined, country: string | undefined) {
  const text = toReportedDocument(documentId);
  const spanish = parseSpanishTaxId(text ?? "");
  if (!text || (spanish && !isPersonalTaxNumber(spanish))) return { documentType: undefined, documentId: undefined };
  if (spanish)
    return { documentType: /^[XYZ]/.test(spanish) ? ("NIE" as const) : ("NIF" as const), documentId: spanish };
  const isForeign = toThreeLetterCountryCode(country) !== undefined && toThreeLetterCountryCode(country) !== "ESP";
  const isPassport = type === PASSPORT || (type === undefined && isForeign);
  return { documentType: isPassport ? ("PAS" as const) : ("OTRO" as const), documentId: text };
}

function getAddress({ data, codes }: ReportedParty, prefix: string) {
  const part = (name: string) => data[`${prefix}_${name}`]?.trim() || undefined;
  const street = [part("street"), part("number"), part("complement")].filter(Boolean).join(" ");
  const place = { city: part("city"), zip: part("zip"), country: part("country") };
  const chosen = /^\d{5}$/.exec(part("city_code") ?? "")?.[0];
  const isSpanish = toThreeLetterCountryCode(place.country) === "ESP";
  const municipality = isSpanish ? (chosen ?? findMunicipalityCode(codes, place.zip, place.city)) : undefined;
  return { establishment: undefined, street: street || undefined, ...place, municipality };
}

// Websites' list of licence types, by id.
const LICENCES = ["AM", "A1", "A2", "A", "B", "BE", "C1", "C", "D1", "D"];

// Type required for a passenger car, unless specified.
const DEFAULT_LICENCE = "B";

function getLicence({ data, codes }: ReportedParty, prefix: string) {
  const kind = data[`${prefix}_driving_license_type`]?.replaceAll(/[^A-Za-z0-9]/g, "").toUpperCase();
  const listed = LICENCES[Number(data[`${prefix}_driving_license_type_id`]) - 1];
  const findCode = (text: string | undefined) => {
    const code = text && (findAuthorityCode(codes, "licence", text) ?? text);
    return code && fitsReportedLength("licence", code) ? code : undefined;
  };
  return {
    type: findCode(kind) ?? findCode(listed) ?? DEFAULT_LICENCE,
    isTypeUnknown: Boolean(kind) && findCode(kind) === undefined,
    validUntil: toReportedDate(data[`${prefix}_driving_license_expiration_date`]),
    number: toReportedLicence(data[`${prefix}_driving_license_number`]),
  };
}
