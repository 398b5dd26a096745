import type { Agency } from "#domain/access/credentials.ts";
import type { BookingRefusal } from "#domain/bookings/refusals.ts";
import type { RequestedContractChange } from "#domain/contracts/change.ts";
import { createReason } from "#domain/problems.ts";
import { err, type Result } from "#domain/result.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { readAgencyBooking } from "#worker/usecases/bookings/agency-booking.ts";
import type { BookingWithCatalogue } from "#worker/usecases/bookings/book-for-agency.ts";
import type { BookingActionInput } from "#worker/usecases/office/office-context.ts";
import { applyCustomerAction, type CustomerActionRefusal } from "./customer-actions.ts";

/** Change of a booking by its agency. Absent values stay. */
export interface AgencyChange {
  readonly reference: string;
  readonly requestedChange: RequestedContractChange;
  readonly customer: NonNullable<BookingActionInput["details"]>["customer"];
  /** Personal data of the driver. */
  readonly contractData?: Readonly<Record<string, string>>;
  readonly comments?: string | undefined;
}

/**
 * Changes an agency's own booking before its pickup, at today's prices for what changes. The same change again changes
 * nothing. Returns the booking as agreed.
 */
export async function changeAgencyBooking(
  tenant: Tenant,
  agency: Agency,
  { reference, requestedChange, customer, contractData, comments }: AgencyChange,
  now: number,
): Promise<Result<BookingWithCatalogue, BookingRefusal | CustomerActionRefusal>> {
  const read = await readAgencyBooking(tenant, agency, reference);
  if (!read.ok) return read;
  const { freeAccessId, status, lines } = read.value.booking;
  if (status === "cancelled") return err({ kind: "bookingCancelled" });
  if (requestedChange.categoryCode !== undefined && lines.length > 1)
    return err({ kind: "invalid", field: "product", reason: createReason("max_items", 1) });
  const context = { now, expectedVersion: undefined, actor: `agency:${agency.id}`, agencyId: agency.id };
  const hasData = contractData !== undefined && Object.keys(contractData).length > 0;
  const hasComments = comments !== undefined;
  const details = (customer || hasData || hasComments) && {
    details: {
      ...(customer && { customer }),
      ...(hasData && { contractData }),
      ...(hasComments && { comments }),
    },
  };
  const changed = await applyCustomerAction(
    tenant,
    freeAccessId,
    { action: "change", requestedChange },
    { ...context, ...details },
  );
  return changed.ok ? readAgencyBooking(tenant, agency, reference) : changed;
}
