import { env } from "cloudflare:workers";
import { clearCachedSnapshot } from "#support/databases.ts";
import { requestWorker } from "#support/worker.ts";
import type { SimulatedTaxRecordChain } from "#worker/development/tax-agency/simulated-records.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

export const TAX_RECORD_ISSUER = "B07123458";

/** Enables tax records for the test company and clears the tax agency simulator. */
export async function enableTaxRecords(): Promise<void> {
  const db = env.TENANT_ACME;
  await db.batch([
    db.prepare("UPDATE settings SET tax_records_iva = 'verifactu', tax_representation_date = '2026-01-15'"),
    db.prepare(
      `UPDATE branches SET company_name = 'Acme Rent a Car Balears, S.L.', document_id = '${TAX_RECORD_ISSUER}'`,
    ),
  ]);
  clearCachedSnapshot();
  const { objects } = await env.FILES.list({ prefix: "stand-in/" });
  await env.FILES.delete(objects.map(({ key }) => key));
}

/** Returns the company's records in the simulator. */
export async function readTaxAgencyRecords(): Promise<SimulatedTaxRecordChain["records"]> {
  const answer = await requestWorker("http://localhost:8787/dev/tax-agency");
  const { chains } = await answer.json<{ chains: readonly SimulatedTaxRecordChain[] }>();
  return chains.find(({ issuer }) => issuer === TAX_RECORD_ISSUER)?.records ?? [];
}

/** Makes the simulator fail a number of times. */
export async function makeTaxAgencyFail(mode: string, times = 1): Promise<Response> {
  return requestWorker("http://localhost:8787/dev/tax-agency/faults", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ mode, times }),
  });
}

/** Lets cron send pending records, ignoring the wait time of the last response. */
export async function sendTaxRecordsNow(now = Date.now()): Promise<void> {
  await env.TENANT_ACME.prepare("UPDATE tax_chains SET next_at = 0").run();
  await runScheduledJobs(env, now);
}
