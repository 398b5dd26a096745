import type { SignedInCustomer } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CustomerRental, readCustomerRentals } from "#worker/store/bookings/customer-rentals.ts";
import { type CustomerTransfer, readCustomerTransfers } from "#worker/store/transfers/customer-transfers.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

type RentalOwner = Pick<SignedInCustomer, "id" | "isVerified">;

/**
 * Lists a customer's own bookings, with the catalogue for translations. Without a verified address, only bookings made
 * while signed in.
 */
export async function listCustomerRentals(
  tenant: Tenant,
  { id, isVerified }: RentalOwner,
): Promise<{ readonly rentals: readonly CustomerRental[]; readonly catalogue: Catalogue }> {
  const [rentals, { catalogue }] = await Promise.all([
    readCustomerRentals(tenant.db, id, isVerified),
    tenant.snapshot(),
  ]);
  return { rentals, catalogue };
}

/** Lists a customer's own transfers, with the same rules as for rentals. */
export async function listCustomerTransfers(
  tenant: Tenant,
  { id, isVerified }: RentalOwner,
): Promise<{ readonly transfers: readonly CustomerTransfer[]; readonly catalogue: Catalogue }> {
  const [transfers, { catalogue }] = await Promise.all([
    readCustomerTransfers(tenant.db, id, isVerified),
    tenant.snapshot(),
  ]);
  return { transfers, catalogue };
}
