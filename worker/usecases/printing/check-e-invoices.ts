import { dueEInvoiceChecksQuery, saveEInvoiceCheckStatement } from "#worker/store/printing/e-invoices.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { runWithJobLog } from "#worker/usecases/shared/job-log.ts";
import { readCompleteEInvoice } from "./read-e-invoice.ts";

/** Documents per run. Each takes a database call, and the cron job has a limited number of them. */
const MAX_CHECKS = 10;
/** Time until an incomplete invoice is checked again. The company or customer data may be complete by then. */
const RECHECK_AFTER_MS = 60 * 60_000;

/**
 * Checks the electronic invoices of issued documents, so that staff get a task for what they lack. A document that
 * can't be checked is logged and delays no other. Returns the number of documents that were due.
 */
export async function checkEInvoices(tenant: Tenant, now: number): Promise<number> {
  const { db } = tenant;
  const [due] = await db.batch([dueEInvoiceChecksQuery(db, now, MAX_CHECKS)]);
  const checkAt = now + RECHECK_AFTER_MS;
  for (const { id } of due) {
    const check = async () => {
      await checkEInvoice(tenant, id, checkAt);
      return 0;
    };
    await runWithJobLog(tenant, "check_einvoice", check).catch(() =>
      db.batch([saveEInvoiceCheckStatement(db, id, { checkAt })]),
    );
  }
  return due.length;
}

async function checkEInvoice(tenant: Tenant, id: number, checkAt: number): Promise<void> {
  const { db } = tenant;
  const read = await readCompleteEInvoice({ kind: "partner", tenant }, id, undefined);
  const isIncomplete = !read.ok && read.error.kind === "eInvoiceIncomplete";
  const incomplete = isIncomplete ? { missing: read.error.missing, checkAt } : undefined;
  await db.batch([saveEInvoiceCheckStatement(db, id, incomplete)]);
}
