import type { DocumentKind } from "#domain/documents/draft.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { isTransient } from "#worker/store/failures.ts";
import { type AccountingReport, saveAccountingReport } from "#worker/store/reporting/processed.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

export type ProcessedRefusal = { readonly kind: "documentNotFound" | "documentIsDraft" };

/**
 * Keeps that the accounting has booked a firm document, or why it could not; answers whether it is booked. Harmless to
 * repeat.
 */
export async function reportProcessed(
  { db }: Pick<Tenant, "db">,
  document: { readonly kind: DocumentKind; readonly id: number },
  report: AccountingReport,
  now: number,
): Promise<Result<boolean, ProcessedRefusal>> {
  const kept = await withRetry(
    async () => (await saveAccountingReport(db, document.kind, document.id, report, now)) ?? "unknown",
    { isWorthRetrying: isTransient },
  );
  if (kept === "unknown") return refuse({ kind: "documentNotFound" });
  return kept.status === "draft" ? refuse({ kind: "documentIsDraft" }) : ok(kept.accountingProcessed);
}
