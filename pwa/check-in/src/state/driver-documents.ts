import { type DriverWarning, findDriverWarnings } from "#domain/check-in/driver.ts";
import type { Booking, Operation, Settings } from "../api/messages.ts";

/** Typed data of a driver's documents. Empty fields keep their known values. */
export type DriverDocumentInput = NonNullable<Operation["driver"]>;

type Driver = Booking["drivers"][number];

const EMPTY_DRIVER: Driver = {
  position: "driver",
  full_name: "",
  document_id: null,
  driving_license_number: null,
  driving_license_expiration_date: null,
  date_of_birth: null,
};

// Whether an entry is the main driver. Cached responses of older servers lack positions. The first entry is then the
// driver.
const isMain = ({ position }: Partial<Driver>, index: number) => (position ? position === "driver" : index === 0);

/** Returns the drivers with the scanned document data applied. */
export function mergeScannedDriver(
  { drivers }: Booking,
  scannedDriver: DriverDocumentInput | undefined,
): readonly Driver[] {
  const known = drivers.find(isMain);
  const others = drivers.filter((driver) => driver !== known);
  const driver = known ?? EMPTY_DRIVER;
  const typedName = [scannedDriver?.name, scannedDriver?.surname].map((part) => part?.trim()).filter(Boolean);
  const main: Driver = {
    ...driver,
    full_name: typedName.length > 0 ? typedName.join(" ") : driver.full_name,
    document_id: scannedDriver?.document_id?.trim() || driver.document_id,
    driving_license_number: scannedDriver?.driving_license_number?.trim() || driver.driving_license_number,
    driving_license_expiration_date:
      scannedDriver?.driving_license_expiration_date || driver.driving_license_expiration_date,
    date_of_birth: scannedDriver?.date_of_birth || driver.date_of_birth,
  };
  const hasDriverData = Object.entries(main).some(([name, value]) => name !== "position" && value);
  return hasDriverData ? [main, ...others] : others;
}

/** Whether the contract has all data of its driver. */
export function isDriverComplete(booking: Booking, scannedDriver: DriverDocumentInput | undefined): boolean {
  const driver = mergeScannedDriver(booking, scannedDriver).find(isMain);
  return Boolean(driver?.document_id && driver.driving_license_number && driver.driving_license_expiration_date);
}

/** Document warnings. An expired identity document is only detected if its machine-readable zone was scanned. */
export type DriverDocumentWarning = DriverWarning | "document_expired";

/** Lists warnings about the driver's documents for this rental, by the company's rules. */
export function listDriverWarnings(
  booking: Booking,
  scannedDriver: DriverDocumentInput | undefined,
  settings: Partial<Settings> | undefined,
  documentExpires?: string,
): readonly DriverDocumentWarning[] {
  const driver = mergeScannedDriver(booking, scannedDriver).find(isMain);
  const rules = (settings?.driver_ages ?? []).map(({ age_from, age_to, allowed }) => ({
    ...{ ageFrom: age_from, ageTo: age_to, allowed },
  }));
  const isExpired = documentExpires !== undefined && documentExpires < booking.date_from;
  const driverWarnings = findDriverWarnings(
    {
      dateOfBirth: driver?.date_of_birth ?? undefined,
      licenceExpires: driver?.driving_license_expiration_date ?? undefined,
    },
    { dateFrom: booking.date_from, dateTo: booking.date_to },
    rules,
  );
  return isExpired ? ["document_expired", ...driverWarnings] : driverWarnings;
}

/** Converts the document data to the API format. Returns undefined if nothing was typed. */
export function toApiDriver(scannedDriver: DriverDocumentInput | undefined): DriverDocumentInput | undefined {
  const filledEntries = Object.entries(scannedDriver ?? {}).flatMap(([name, text]) =>
    text?.trim() ? [[name, text.trim()]] : [],
  );
  return filledEntries.length > 0 ? Object.fromEntries(filledEntries) : undefined;
}
