import { toThreeLetterCountryCode } from "#domain/countries.ts";
import { type AuthorityCodes, findAuthorityCode } from "./lists.ts";
import {
  findAdditionalDriver,
  getRenterPrefix,
  isDriverNotRenter,
  listReportedPersons,
  listReportPartNumbers,
  type ReportedParty,
  type ReportedPerson,
} from "./people.ts";
import type { MinistryReportKind, RentalPlace, ReportedRental } from "./rental.ts";
import { fitsReportedLength } from "./report-values.ts";

type RequiredFields = readonly (readonly [name: string, value: unknown])[];

/** Further persons in addition to the renter, by contract data prefix. */
type OtherPersons = readonly (readonly [prefix: string, person: ReportedPerson])[];

const collectFromPersons = (people: OtherPersons, ask: (prefix: string, person: ReportedPerson) => RequiredFields) =>
  people.flatMap(([prefix, person]) => ask(prefix, person));

const listMissing = (requiredFields: RequiredFields) =>
  requiredFields.flatMap(([name, value]) => (value ? [] : [name]));

/**
 * Returns the missing fields of a report to the ministry, by contract data name (docs/interfaces/ses.md#data), so that
 * staff can request them before delivery.
 */
export function listMissingReportData(kind: MinistryReportKind, rental: ReportedRental): readonly string[] {
  const places: RequiredFields = [
    ["pickup_place_address", isPlaceReportable(rental.pickup)],
    ["return_place_address", isPlaceReportable(rental.return)],
  ];
  const { vehicle, codes } = rental;
  const vehicleFields: RequiredFields = [
    ["stock_brand", vehicle?.brand],
    ["stock_model", vehicle?.model],
    ["stock_plate", vehicle?.plate && fitsReportedLength("plate", vehicle.plate)],
    ["stock_vin", vehicle?.vin && fitsReportedLength("vin", vehicle.vin)],
    ["stock_color", vehicle?.color],
    ["brand_code", !vehicle?.brand || hasVehicleCode(codes, "brand", vehicle.brand)],
    ["color_code", !vehicle?.color || hasVehicleCode(codes, "color", vehicle.color)],
  ];
  return [
    ...findMissingPersonData(kind, rental),
    ...listMissing(places),
    ...(kind === "AV" ? listMissing(vehicleFields) : []),
  ];
}

function hasVehicleCode(codes: AuthorityCodes, list: "brand" | "color", word: string): boolean {
  const code = findAuthorityCode(codes, list, word);
  return code !== undefined && fitsReportedLength("vehicle", code);
}

// The ministry requires the municipality's code of an address in Spain, and the town's name of one abroad.
function isPlaceReportable({ establishment, street, zip, city, country, municipality }: RentalPlace): boolean {
  if (establishment) return true;
  const isSpanish = (toThreeLetterCountryCode(country) ?? "ESP") === "ESP";
  return Boolean(street && zip && fitsReportedLength("zip", zip) && (isSpanish ? municipality : city));
}

/**
 * Returns the personal data that a report to the ministry lacks. Unlike the fleet's data, both the app and the office
 * can complete it.
 */
export function findMissingPersonData(kind: MinistryReportKind, party: ReportedParty): readonly string[] {
  const [renter, driver, second] = listReportedPersons(party);
  if (!renter || !driver) return [];
  const rents = getRenterPrefix(party);
  const additional = findAdditionalDriver(party);
  const always: RequiredFields = [
    [`${rents}_name`, renter.name],
    [`${rents}_surname`, renter.surname],
    ["customer_phone", renter.phone ?? renter.email],
  ];
  const other: OtherPersons = isDriverNotRenter(party) ? [["driver", driver]] : [];
  const further: OtherPersons = second && additional ? [[additional, second]] : [];
  if (kind === "RV") return listMissing([...always, ...collectFromPersons([...other, ...further], getNameFields)]);
  return listMissing([
    ...always,
    ...getDocumentFields(rents, renter),
    ...getAddressFields(renter),
    ...collectFromPersons(other, getIdentityFields),
    ...getLicenceFields("driver", driver),
    ...collectFromPersons(further, getIdentityFields),
    ...collectFromPersons(further, getLicenceFields),
  ]);
}

/**
 * Returns optional fields listed in the law. They are requested, but the report to the ministry is sent without them.
 */
export function findOptionalPersonData(party: ReportedParty): readonly string[] {
  const [, driver] = listReportedPersons(party);
  return listMissing([
    ["driver_date_of_birth", driver?.dateOfBirth],
    ["driver_origin_country", driver?.nationality],
  ]);
}

// A Spanish citizen's number implies two surnames, and the ministry requires both.
function getDocumentFields(
  prefix: string,
  { documentId, documentType, surname, secondSurname }: ReportedPerson,
): RequiredFields {
  return [
    [`${prefix}_document_id`, documentId],
    [`${prefix}_second_surname`, documentType !== "NIF" || !surname || secondSurname],
  ];
}

function getNameFields(prefix: string, { name, surname }: ReportedPerson): RequiredFields {
  return [
    [`${prefix}_name`, name],
    [`${prefix}_surname`, surname],
  ];
}

function getIdentityFields(prefix: string, person: ReportedPerson): RequiredFields {
  return [...getNameFields(prefix, person), ...getDocumentFields(prefix, person)];
}

function getLicenceFields(prefix: string, { licence }: ReportedPerson): RequiredFields {
  return [
    [`${prefix}_driving_license_number`, licence?.number],
    [`${prefix}_driving_license_expiration_date`, licence?.validUntil],
  ];
}

// A Spanish municipality is reported by code. The code is requested if its province's list lacks the name.
function getAddressFields({ address }: ReportedPerson): RequiredFields {
  const isSpanish = toThreeLetterCountryCode(address?.country) === "ESP";
  const isKnown = !isSpanish || !address?.city || !address.zip || address.municipality !== undefined;
  return [
    ["customer_address[street]", address?.street],
    ["customer_address[city]", address?.city],
    ["customer_address[zip]", address?.zip && fitsReportedLength("zip", address.zip)],
    ["customer_address[country]", toThreeLetterCountryCode(address?.country)],
    ["customer_address[city_code]", isKnown],
  ];
}

/**
 * Returns the data that can still be requested at the vehicle. A municipality's code is found automatically or chosen
 * in the office.
 */
export function findDataToRequestAtHandOver(party: ReportedParty): {
  readonly missing: readonly string[];
  readonly optional: readonly string[];
} {
  const missingByPart = listReportPartNumbers(party).flatMap((part) => findMissingPersonData("AV", { ...party, part }));
  const missing = [...new Set(missingByPart)].filter((name) => name !== "customer_address[city_code]");
  return { missing, optional: findOptionalPersonData(party) };
}
