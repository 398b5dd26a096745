import { unbalancedContractsQuery } from "#worker/store/documents/audit.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Finds contracts with unbalanced money and logs their ids, without other data. */
export async function auditContractBalances({ name, replica }: Pick<Tenant, "name" | "replica">): Promise<number> {
  const [item] = await replica.batch([unbalancedContractsQuery(replica)]);
  if (item.length > 0)
    console.log(
      JSON.stringify({ level: "error", account: name, operation: "audit_money", contracts: item.map(({ id }) => id) }),
    );
  return item.length;
}
