import type { Tenant } from "#worker/tenancy/tenant.ts";
import { sendWebhooks } from "./send-webhooks.ts";

/**
 * Delivers the webhooks caused by a request, if the account has any. Never throws. The cron job retries failed
 * deliveries.
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
