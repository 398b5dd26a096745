import type { SignedInCustomer } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CustomerRental, listCustomerRentals } from "#worker/store/bookings/customer-rentals.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/**
 * A customer's own bookings with the catalogue that translates them; to whom has not proved the address, what was booked
 * while signed in.
 */
export async function listRentals(
  tenant: Tenant,
  { id, isVerified }: Pick<SignedInCustomer, "id" | "isVerified">,
): Promise<{ readonly rentals: readonly CustomerRental[]; readonly catalogue: Catalogue }> {
  const [rentals, { catalogue }] = await Promise.all([
    listCustomerRentals(tenant.db, id, isVerified),
    tenant.snapshot(),
  ]);
  return { rentals, catalogue };
}
