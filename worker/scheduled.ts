import { openAccounts } from "./tenancy/tenant.ts";
import { expireHolds } from "./usecases/expire-holds.ts";

/** Ends what was held and not paid in time, account by account: the trouble of one is not the others'. */
export async function endHolds(env: Cloudflare.Env, now: number): Promise<void> {
  for (const tenant of openAccounts(env, now)) {
    const line = { account: tenant.name, operation: "expire_holds" };
    try {
      const expired = await expireHolds(tenant, now);
      if (expired > 0) console.log(JSON.stringify({ level: "info", ...line, expired }));
    } catch (error) {
      // Without its message: that may carry data.
      const defect = error instanceof Error ? error.name : "unknown";
      console.log(JSON.stringify({ level: "error", ...line, defect }));
    }
  }
}
