import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";
import { snapshotCache, type Tenant } from "#worker/tenancy/tenant.ts";

/** Creates a tenant as for a separate request. */
export function openTestTenant(env: Cloudflare.Env, account = "acme"): Tenant {
  const site = resolveHostByBindings(env, `http://${account}.localhost/`, Date.now());
  if (site.kind !== "account") throw new Error(`no account ${account}`);
  return site.tenant;
}

/** Makes the account's next request read its settings, catalogue and keys, which are otherwise cached for a minute. */
export function clearCachedSnapshot(account: "acme" | "globex" = "acme"): void {
  snapshotCache.delete(account);
}

/** Network fault of each round trip, in order. The last one repeats. */
export type RoundTripFault = "none" | "before" | "after" | "twice" | { readonly delayMilliseconds: () => number };

/** Wraps a D1 binding to fail before arrival or after commit, or to be late or repeated. */
export function addFaults(binding: D1Database, faults: readonly RoundTripFault[]): D1Database {
  let call = 0;
  const faulty = {
    prepare: (query: string) => binding.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const fault = faults[Math.min(call++, faults.length - 1)] ?? "none";
      if (fault === "before") throw new Error("D1_ERROR: Network connection lost.");
      if (typeof fault === "object") await new Promise((resolve) => setTimeout(resolve, fault.delayMilliseconds()));
      const results = await binding.batch(statements);
      // Simulates a network that repeats a request: the second execution's result is returned.
      if (fault === "twice") return binding.batch(statements);
      if (fault === "after") throw new Error("D1_ERROR: Network connection lost.");
      return results;
    },
  };
  return faulty as unknown as D1Database;
}

/**
 * Wraps an object store so that writes fail before or after execution, or are late or repeated. Reads are unchanged.
 */
export function addFileFaults(bucket: R2Bucket, faults: readonly RoundTripFault[]): R2Bucket {
  let call = 0;
  const putWithFaults = async (...args: Parameters<R2Bucket["put"]>) => {
    const fault = faults[Math.min(call++, faults.length - 1)] ?? "none";
    if (fault === "before") throw new Error("put: We encountered an internal error. Please try again. (10001)");
    if (typeof fault === "object") await new Promise((resolve) => setTimeout(resolve, fault.delayMilliseconds()));
    const storedObject = await bucket.put(...args);
    if (fault === "twice") return bucket.put(...args);
    if (fault === "after") throw new Error("put: Network connection lost.");
    return storedObject;
  };
  return { put: putWithFaults, get: bucket.get.bind(bucket), head: bucket.head.bind(bucket) } as unknown as R2Bucket;
}
