import { COMPLETION_FIELD_KINDS, type CompletionField } from "#domain/ministry-reports/completion-fields.ts";
import type { Booking, Operation } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";

/** Data of persons for the authorities, as typed. */
export type AuthorityDetails = NonNullable<Operation["authorities"]>;

/** Fields for the authorities that the driver's documents also contain, with their names in the driver's data. */
const DRIVER_FIELDS: Readonly<Record<string, keyof NonNullable<Operation["driver"]>>> = {
  driver_name: "name",
  driver_surname: "surname",
  driver_document_id: "document_id",
  driver_date_of_birth: "date_of_birth",
  driver_driving_license_number: "driving_license_number",
  driver_driving_license_expiration_date: "driving_license_expiration_date",
};

const isField = (name: string): name is CompletionField => Object.hasOwn(COMPLETION_FIELD_KINDS, name);

const plain = (name: string) => name.trim().toUpperCase();

// Whether the customer is the driver, so that one document suffices.
function isCustomerDriving({ customer, drivers }: Booking): boolean {
  const driver = drivers.find(({ position }) => position === "driver")?.full_name ?? "";
  return driver === "" || plain(driver) === plain(customer.full_name);
}

/** Filters field names of a server list, with or without those covered by the driver's documents. */
function listed(booking: Booking, names: readonly string[], withDocuments: boolean): readonly CompletionField[] {
  const isDocument = (name: string) =>
    name in DRIVER_FIELDS || (name === "customer_document_id" && isCustomerDriving(booking));
  return names.filter(isField).filter((name) => withDocuments || !isDocument(name));
}

/** Lists fields to complete besides the driver's documents: missing ones first, then optional ones. */
export function listFieldsToComplete(booking: Booking): readonly CompletionField[] {
  // A day cached from an older server lists no fields.
  const { missing = [], wished = [] } = booking.authorities ?? {};
  return listed(booking, [...missing, ...wished], false);
}

/** Lists fields that the authorities still need after saving the typed values. */
export function listStillMissingFields(
  booking: Booking,
  { driver, authorities }: WorkDraft,
): readonly CompletionField[] {
  const { missing = [] } = booking.authorities ?? {};
  return listed(booking, missing, true).filter((name) => {
    if (authorities?.[name]?.trim()) return false;
    const driverField =
      name === "customer_document_id" && isCustomerDriving(booking) ? "document_id" : DRIVER_FIELDS[name];
    return !(driverField && driver?.[driverField]?.trim());
  });
}

/** Converts the typed values to the API format. Returns undefined if nothing was typed. */
export function toAuthorityDetails(typedDetails: AuthorityDetails | undefined): AuthorityDetails | undefined {
  const filledEntries = Object.entries(typedDetails ?? {}).flatMap(([name, text]) =>
    text?.trim() ? [[name, text.trim()]] : [],
  );
  return filledEntries.length > 0 ? (Object.fromEntries(filledEntries) as AuthorityDetails) : undefined;
}
