import type { Tenant } from "#worker/tenancy/tenant.ts";
import { resolveSite } from "#worker/tenancy/tenant.ts";

/** The account as a request of its own would see it. */
export function aTenant(env: Cloudflare.Env, account = "acme"): Tenant {
  const site = resolveSite(env, `http://${account}.localhost/`, Date.now());
  if (site.kind !== "account") throw new Error(`no account ${account}`);
  return site.tenant;
}

/** What a faulty network does to each round trip, in order; the last one repeats. */
export type Fault = "none" | "before" | "after" | { readonly delayMilliseconds: () => number };

/** A binding whose round trips fail before they arrive, after they have committed, or late. */
export function withFaults(binding: D1Database, faults: readonly Fault[]): D1Database {
  let call = 0;
  const faulty = {
    prepare: (query: string) => binding.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const fault = faults[Math.min(call++, faults.length - 1)] ?? "none";
      if (fault === "before") throw new Error("D1_ERROR: Network connection lost.");
      if (typeof fault === "object") await new Promise((resolve) => setTimeout(resolve, fault.delayMilliseconds()));
      const results = await binding.batch(statements);
      if (fault === "after") throw new Error("D1_ERROR: Network connection lost.");
      return results;
    },
  };
  return faulty as unknown as D1Database;
}
