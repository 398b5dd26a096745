import type { Tenant } from "#worker/tenancy/tenant.ts";
import { sendWebhooks } from "./send-webhooks.ts";

/**
 * Tells partners what a request has caused, where the account has any; never throws, for the clock tells what is not
 * told now.
 */
export async function deliverWebhooksAfterResponse(tenant: Tenant, now: number): Promise<void> {
  try {
    const { catalogue } = await tenant.snapshot();
    if (catalogue.tellsPartners) await sendWebhooks(tenant, now);
  } catch (error) {
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", account: tenant.name, operation: "deliver_webhooks", defect }));
  }
}
