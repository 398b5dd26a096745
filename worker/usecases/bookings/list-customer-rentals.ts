import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CustomerRental, listCustomerRentals } from "#worker/store/bookings/customer-rentals.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** A customer's own bookings with the catalogue that translates them. */
export async function listRentals(
  tenant: Tenant,
  customerId: number,
): Promise<{ readonly rentals: readonly CustomerRental[]; readonly catalogue: Catalogue }> {
  const [rentals, { catalogue }] = await Promise.all([listCustomerRentals(tenant.db, customerId), tenant.snapshot()]);
  return { rentals, catalogue };
}
