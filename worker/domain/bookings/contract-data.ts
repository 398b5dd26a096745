import type { CivilDate } from "#domain/dates.ts";
import type { BookingStatus, ContractData, RentalBooking } from "./bookings.ts";

// Data required to print the contract, named as in docs/interfaces/booking-engine-vehicles.md#contract-data.
const REQUIRED_CONTRACT_FIELDS = [
  "customer_name",
  "customer_surname",
  "customer_email",
  "customer_phone",
  "customer_document_id",
  "customer_address[street]",
  "customer_address[city]",
  "customer_address[country]",
  "driver_date_of_birth",
  "driver_driving_license_number",
  "driver_driving_license_date",
] as const;

/** Additional data required for reporting a rental to the authorities. */
const LEGALLY_REQUIRED_FIELDS = [
  "customer_address[zip]",
  "driver_origin_country",
  "driver_driving_license_expiration_date",
] as const;

/**
 * Lists the required fields of a contract data form. More fields are required if the account reports its rentals to the
 * ministry.
 */
export function listRequiredContractFields(reportsToMinistry: boolean): readonly string[] {
  return reportsToMinistry ? [...REQUIRED_CONTRACT_FIELDS, ...LEGALLY_REQUIRED_FIELDS] : REQUIRED_CONTRACT_FIELDS;
}

/** Name of the contract data that holds the version of the terms that the customer accepted. */
export const ACCEPTED_TERMS_FIELD = "accepted_terms";
/** Name of the contract data that holds the time at which the customer accepted the terms. */
export const TERMS_ACCEPTED_AT_FIELD = "terms_accepted_at";

/** Name of the contract data that holds the page of the website that made the reservation. */
export const WEBSITE_PAGE_FIELD = "website_page";

/** States in which the customer may still complete or correct contract data. Ends with the delivery. */
export const CONTRACT_DATA_STATUSES = ["pending_confirmation", "confirmed"] as const satisfies readonly BookingStatus[];

/** Whether the customer may still complete or correct contract data. */
export function canCompleteContractData(status: BookingStatus): boolean {
  return CONTRACT_DATA_STATUSES.some((open) => open === status);
}

/** Formats a flight with its airline, unless the flight number already begins with the airline's code. */
export function formatFlightNumber(airline: string | undefined, number: string | undefined): string | undefined {
  const code = airline?.trim();
  const isRepeated = code && number?.toUpperCase().startsWith(code.toUpperCase());
  return [isRepeated ? "" : code, number].filter(Boolean).join(" ") || undefined;
}

/** Maximum number of contract data changes by a booking's customer per period. Normal use needs a few. */
export const MAX_CONTRACT_DATA_CHANGES_PER_WINDOW = 30;
/** Period in which a customer's changes of contract data are counted. */
export const CONTRACT_DATA_CHANGE_WINDOW_MS = 15 * 60_000;

/** Whether a change differs from the booking's data. */
export function hasContractDataChanged(
  booking: Pick<RentalBooking, "customer" | "contractData">,
  change: { readonly customer: Partial<RentalBooking["customer"]>; readonly contractData: ContractData },
): boolean {
  const customer: Readonly<Record<string, unknown>> = { ...booking.customer };
  const isNew = (known: Readonly<Record<string, unknown>>) => {
    return ([name, value]: readonly [string, unknown]) => value !== undefined && value !== known[name];
  };
  return (
    Object.entries(change.customer).some(isNew(customer)) ||
    Object.entries(change.contractData).some(isNew(booking.contractData))
  );
}

/** Lists the required fields that are missing. A customer who drives needs no separate driver's name. */
export function listMissingContractFields(booking: RentalBooking, reportsToMinistry = false): string[] {
  const known: Readonly<Record<string, string | undefined>> = { ...booking.contractData, ...toCustomerFields(booking) };
  return listRequiredContractFields(reportsToMinistry).filter((name) => !known[name.replace(/\[(\w+)\]/, "_$1")]);
}

function toCustomerFields({ customer }: RentalBooking): ContractData {
  const { name, surname, email = "", phone = "", documentId = "" } = customer;
  return {
    customer_name: name,
    customer_surname: surname,
    customer_email: email,
    customer_phone: phone,
    customer_document_id: documentId,
  };
}

/** Address of a customer's record. */
export interface CustomerRecordAddress {
  readonly addressStreet: string | null;
  readonly addressNumber: string | null;
  readonly addressComplement: string | null;
  readonly addressCity: string | null;
  readonly addressState: string | null;
  readonly addressCountry: string | null;
  readonly addressZip: string | null;
}

const REMEMBERED = /^(customer_address_|customer_nationality$|driver_)/;
const LICENCE = /^driver_driving_license_/;
const DOCUMENT = /^driver_(document_id|origin_country_document)/;

/**
 * Returns what is known of a returning customer: the address of the record, and the main driver of the last contract.
 * A licence or document that has ended by the day `until` is asked for again. Additional drivers and flights belong
 * to one rental.
 */
export function getKnownContractData(
  address: CustomerRecordAddress,
  lastContractData: ContractData | undefined,
  validUntil: CivilDate,
): ContractData {
  const isExpired = (field: string) => (lastContractData?.[field] ?? "9999") < validUntil;
  const isLicenceOver = isExpired("driver_driving_license_expiration_date");
  const isDocumentOver = isExpired("driver_document_id_expiration_date");
  const driver = Object.entries(lastContractData ?? {}).filter(
    ([field, value]) =>
      REMEMBERED.test(field) &&
      value !== "" &&
      !(isLicenceOver && LICENCE.test(field)) &&
      !(isDocumentOver && DOCUMENT.test(field)),
  );
  const record = Object.entries({
    customer_address_street: address.addressStreet,
    customer_address_number: address.addressNumber,
    customer_address_complement: address.addressComplement,
    customer_address_city: address.addressCity,
    customer_address_state: address.addressState,
    customer_address_country: address.addressCountry,
    customer_address_zip: address.addressZip,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  // A record with a street is a complete address. Otherwise the parts of two different addresses would be mixed.
  const known = address.addressStreet ? driver.filter(([field]) => !field.startsWith("customer_address_")) : driver;
  return Object.fromEntries([...known, ...record]);
}

/**
 * Returns the known contract data that a customer's page may reuse next to submitted data. A submitted address or
 * driver replaces the known one completely, and another driver of the last rental isn't recalled, so that the data of
 * two persons isn't mixed.
 */
export function pickReusableContractData(known: ContractData, submitted: ContractData): ContractData {
  const isSubmitted = (prefix: string) => Object.keys(submitted).some((field) => field.startsWith(prefix));
  const wasOtherDriver = known["driver_name"] !== undefined && known["driver_is_customer"] !== "true";
  const isLeftOut = (field: string) =>
    (field.startsWith("customer_address_") && isSubmitted("customer_address_")) ||
    (field.startsWith("driver_") && (wasOtherDriver || isSubmitted("driver_")));
  return Object.fromEntries(Object.entries(known).filter(([field]) => !isLeftOut(field)));
}
