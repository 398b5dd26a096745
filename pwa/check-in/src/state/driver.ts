import { type DriverOddity, findDriverOddities } from "#domain/check-in/driver.ts";
import type { Booking, Operation, Settings } from "../api/messages.ts";

/** What was typed of a driver's papers; what is empty stays as it is known. */
export type DriverRead = NonNullable<Operation["driver"]>;

type Driver = Booking["drivers"][number];

const NOBODY: Driver = {
  position: "driver",
  full_name: "",
  document_id: null,
  driving_license_number: null,
  driving_license_expiration_date: null,
  date_of_birth: null,
};

// An answer that was kept of an older server has no positions: its first one is the driver.
const isMain = ({ position }: Partial<Driver>, index: number) => (position ? position === "driver" : index === 0);

/** The drivers as they are once the papers that were read are kept. */
export function driversWith({ drivers }: Booking, read: DriverRead | undefined): readonly Driver[] {
  const known = drivers.find(isMain);
  const others = drivers.filter((one) => one !== known);
  const driver = known ?? NOBODY;
  const typedName = [read?.name, read?.surname].map((part) => part?.trim()).filter(Boolean);
  const main: Driver = {
    ...driver,
    full_name: typedName.length > 0 ? typedName.join(" ") : driver.full_name,
    document_id: read?.document_id?.trim() || driver.document_id,
    driving_license_number: read?.driving_license_number?.trim() || driver.driving_license_number,
    driving_license_expiration_date: read?.driving_license_expiration_date || driver.driving_license_expiration_date,
    date_of_birth: read?.date_of_birth || driver.date_of_birth,
  };
  const isSaid = Object.entries(main).some(([name, value]) => name !== "position" && value);
  return isSaid ? [main, ...others] : others;
}

/** What the contract still lacks of its driver. */
export function isDriverWhole(booking: Booking, read: DriverRead | undefined): boolean {
  const driver = driversWith(booking, read).find(isMain);
  return Boolean(driver?.document_id && driver.driving_license_number && driver.driving_license_expiration_date);
}

/** What is said of papers; that the identity has expired is known only where its zone was read. */
export type PaperOddity = DriverOddity | "document_expired";

/** What is odd about the driver's papers for this rental, by the company's rules. */
export function driverOddities(
  booking: Booking,
  read: DriverRead | undefined,
  settings: Partial<Settings> | undefined,
  documentExpires?: string,
): readonly PaperOddity[] {
  const driver = driversWith(booking, read).find(isMain);
  const rules = (settings?.driver_ages ?? []).map(({ age_from, age_to, allowed }) => ({
    ...{ ageFrom: age_from, ageTo: age_to, allowed },
  }));
  const isExpired = documentExpires !== undefined && documentExpires < booking.date_from;
  const oddities = findDriverOddities(
    {
      dateOfBirth: driver?.date_of_birth ?? undefined,
      licenceExpires: driver?.driving_license_expiration_date ?? undefined,
    },
    { dateFrom: booking.date_from, dateTo: booking.date_to },
    rules,
  );
  return isExpired ? ["document_expired", ...oddities] : oddities;
}

/** The papers as the server is told; undefined where nothing was typed. */
export function driverSaid(read: DriverRead | undefined): DriverRead | undefined {
  const said = Object.entries(read ?? {}).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : []));
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}
