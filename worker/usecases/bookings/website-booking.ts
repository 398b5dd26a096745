import type { RentalBooking } from "#domain/bookings/bookings.ts";
import {
  CONTRACT_DATA_CHANGE_WINDOW_MS,
  canCompleteContractData,
  hasContractDataChanged,
} from "#domain/bookings/contract-data.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type BookedUnit,
  type ContractDataChange,
  findBookingWithUnits,
  saveContractDataChange,
} from "#worker/store/bookings/contract.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Booking as its customer sees it. */
export interface WebsiteBooking {
  readonly booking: RentalBooking;
  readonly units: readonly BookedUnit[];
  readonly catalogue: Catalogue;
}

/** Returns the booking with an unguessable id. The id alone grants read access. */
export async function readWebsiteBooking(
  tenant: Tenant,
  freeAccessId: string,
): Promise<Result<WebsiteBooking, CheckoutError>> {
  const booking = await findBookingWithUnits(tenant.db, { freeAccessId });
  if (!booking) return err({ kind: "bookingNotFound" });
  const { catalogue } = await tenant.snapshot();
  return ok({ ...booking, catalogue });
}

const WAIT_SECONDS = CONTRACT_DATA_CHANGE_WINDOW_MS / 1000;

/** Adds contract data while the booking is open. Concurrent updates keep each other's fields. */
export async function updateContractData(
  tenant: Tenant,
  freeAccessId: string,
  toChange: (units: readonly BookedUnit[]) => ContractDataChange,
  now: number,
): Promise<Result<WebsiteBooking, CheckoutError>> {
  const read = await readWebsiteBooking(tenant, freeAccessId);
  if (!read.ok) return read;
  const { booking, units } = read.value;
  if (!canCompleteContractData(booking.status)) return err({ kind: "bookingClosed" });
  const change = toChange(units);
  if (!hasContractDataChanged(booking, change)) return read;
  const saveResult = await saveContractDataChange(tenant.db, booking, change, { at: now, actor: "customer" });
  if (saveResult === "closed") return err({ kind: "bookingClosed" });
  if (saveResult === "tooMany") return err({ kind: "tooManyChanges", waitSeconds: WAIT_SECONDS });
  return ok({
    ...read.value,
    booking: { ...booking, ...saveResult, customer: { ...booking.customer, ...change.customer } },
  });
}
