import type { DocumentKind } from "#domain/documents/draft.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { type AccountingOutcome, saveAccountingOutcome } from "#worker/store/reporting/accounting-outcome.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

export type AccountingOutcomeRefusal = { readonly kind: "documentNotFound" | "documentIsDraft" };

/**
 * Stores that the accounting system has booked an issued document, or the error. Returns whether it's booked. Safe to
 * repeat.
 */
export async function storeAccountingOutcome(
  { db }: Pick<Tenant, "db">,
  document: { readonly kind: DocumentKind; readonly id: number },
  report: AccountingOutcome,
  now: number,
): Promise<Result<boolean, AccountingOutcomeRefusal>> {
  const reportedDocument = await withRetry(
    async () => (await saveAccountingOutcome(db, document.kind, document.id, report, now)) ?? "unknown",
    { isWorthRetrying: isTransientDatabaseError },
  );
  if (reportedDocument === "unknown") return err({ kind: "documentNotFound" });
  return reportedDocument.status === "draft"
    ? err({ kind: "documentIsDraft" })
    : ok(reportedDocument.accountingProcessed);
}
