import { createGatewayClient } from "#worker/api/payments/gateway-client.ts";
import { runQueuedJobs } from "#worker/usecases/operations/job-queue.ts";
import { EVERY_MINUTE, runCronTick, runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { attachEInvoice } from "#worker/usecases/printing/attach-e-invoice.ts";
import { checkEInvoices } from "#worker/usecases/printing/check-e-invoices.ts";

/**
 * Cron handler of all accounts. Any cron that isn't in wrangler.toml runs all due work, as used by `npm start` and
 * tests.
 */
export function scheduled({ cron, scheduledTime }: ScheduledController, env: Cloudflare.Env): Promise<void> {
  const run = cron === EVERY_MINUTE ? runCronTick : runScheduledJobs;
  const printing = { attachInvoice: attachEInvoice, checkEInvoices };
  return run(env, scheduledTime, { sendToGateway: createGatewayClient(env), ...printing });
}

/** Handles the messages of this cell's queue for long work, and those whose attempts are exhausted. */
export function queue(batch: MessageBatch<unknown>, env: Cloudflare.Env): Promise<void> {
  return runQueuedJobs(batch, env, { sendToGateway: createGatewayClient(env) });
}
