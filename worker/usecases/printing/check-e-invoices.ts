import { dueEInvoiceChecksQuery, saveEInvoiceCheckStatement } from "#worker/store/printing/e-invoices.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { readCompleteEInvoice } from "./read-e-invoice.ts";

/** Documents per run. Each takes a database call, and the cron job has a limited number of them. */
const MAX_CHECKS = 10;
/** Incomplete ones are checked again, because the company or the customer may have been completed. */
const RECHECK_AFTER_MS = 60 * 60_000;

/**
 * Checks the electronic invoices of issued documents, so that staff get a task for what they lack. Returns the number
 * of checked documents.
 */
export async function checkEInvoices(tenant: Tenant, now: number): Promise<number> {
  const { db } = tenant;
  const [due] = await db.batch([dueEInvoiceChecksQuery(db, now, MAX_CHECKS)]);
  for (const { id } of due) {
    const read = await readCompleteEInvoice({ kind: "partner", tenant }, id, undefined);
    const isIncomplete = !read.ok && read.error.kind === "eInvoiceIncomplete";
    const incomplete = isIncomplete ? { missing: read.error.missing, checkAt: now + RECHECK_AFTER_MS } : undefined;
    await db.batch([saveEInvoiceCheckStatement(db, id, incomplete)]);
  }
  return due.length;
}
