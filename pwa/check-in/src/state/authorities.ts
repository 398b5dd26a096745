import { COMPLETING, type CompletingField } from "#domain/communications/completing.ts";
import type { Booking, Operation } from "../api/messages.ts";
import type { Draft } from "../offline/items.ts";

/** What was said of the people for the authorities, as typed. */
export type AuthorityDetails = NonNullable<Operation["authorities"]>;

/** What the driver's papers ask already, and the name it goes under there. */
const IN_PAPERS: Readonly<Record<string, keyof NonNullable<Operation["driver"]>>> = {
  driver_name: "name",
  driver_surname: "surname",
  driver_document_id: "document_id",
  driver_date_of_birth: "date_of_birth",
  driver_driving_license_number: "driving_license_number",
  driver_driving_license_expiration_date: "driving_license_expiration_date",
};

const isField = (name: string): name is CompletingField => Object.hasOwn(COMPLETING, name);

const plain = (name: string) => name.trim().toUpperCase();

// Who drives and rents shows one document.
function isCustomerDriving({ customer, drivers }: Booking): boolean {
  const driver = drivers.find(({ position }) => position === "driver")?.full_name ?? "";
  return driver === "" || plain(driver) === plain(customer.full_name);
}

/** The names that a list of the server's has, those of the driver's papers among them or not. */
function listed(booking: Booking, names: readonly string[], withPapers: boolean): readonly CompletingField[] {
  const isPaper = (name: string) =>
    name in IN_PAPERS || (name === "customer_document_id" && isCustomerDriving(booking));
  return names.filter(isField).filter((name) => withPapers || !isPaper(name));
}

/** What is asked for at the vehicle beside the driver's papers: what is missing, then what is wished for. */
export function listCompletingFields(booking: Booking): readonly CompletingField[] {
  // A day that was kept of an older server names nothing.
  const { missing = [], wished = [] } = booking.authorities ?? {};
  return listed(booking, [...missing, ...wished], false);
}

/** What the authorities still lack once what was typed is kept. */
export function stillMissing(booking: Booking, { driver, authorities }: Draft): readonly CompletingField[] {
  const { missing = [] } = booking.authorities ?? {};
  return listed(booking, missing, true).filter((name) => {
    if (authorities?.[name]?.trim()) return false;
    const paper = name === "customer_document_id" && isCustomerDriving(booking) ? "document_id" : IN_PAPERS[name];
    return !(paper && driver?.[paper]?.trim());
  });
}

/** What was said as the server is told; undefined where nothing was. */
export function toAuthorityDetails(typedDetails: AuthorityDetails | undefined): AuthorityDetails | undefined {
  const filledEntries = Object.entries(typedDetails ?? {}).flatMap(([name, text]) =>
    text?.trim() ? [[name, text.trim()]] : [],
  );
  return filledEntries.length > 0 ? (Object.fromEntries(filledEntries) as AuthorityDetails) : undefined;
}
