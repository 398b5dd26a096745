import type { SignedInCustomer } from "#domain/access/sessions.ts";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { getKnownContractData, pickReusableContractData } from "#domain/bookings/contract-data.ts";
import { customerAddressQuery, lastCustomerContractDataQuery } from "#worker/store/contracts/customers.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/**
 * Returns the valid contract data that is known of a signed-in customer, so that the website doesn't ask for it again.
 * Empty without a verified email address, because another person could have registered it.
 */
export async function readKnownContractData(
  tenant: Tenant,
  { id, isVerified }: Pick<SignedInCustomer, "id" | "isVerified">,
  submittedContractData: ContractData,
  now: number,
): Promise<ContractData> {
  if (!isVerified) return {};
  const { db } = tenant;
  const [[customer], [last]] = await db.batch([customerAddressQuery(db, id), lastCustomerContractDataQuery(db, id)]);
  if (!customer) return {};
  const { settings } = (await tenant.snapshot()).catalogue;
  const known = getKnownContractData(customer, last?.contractData, toCivilNow(settings.timezone, now).date);
  return pickReusableContractData(known, submittedContractData);
}
