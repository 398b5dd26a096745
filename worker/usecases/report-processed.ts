import type { DocumentKind } from "#domain/invoicing.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { isTransient } from "../store/failures.ts";
import { type AccountingReport, saveAccountingReport } from "../store/processed.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { repeating } from "./repeating.ts";

export type ProcessedRefusal = { readonly kind: "documentNotFound" | "documentIsDraft" };

/** Keeps that the accounting has booked a firm document, or why it could not; answers whether it is booked. Harmless to repeat. */
export async function reportProcessed(
  { db }: Pick<Tenant, "db">,
  document: { readonly kind: DocumentKind; readonly id: number },
  report: AccountingReport,
  now: number,
): Promise<Result<boolean, ProcessedRefusal>> {
  const kept = await repeating(() => saveAccountingReport(db, document.kind, document.id, report, now), isTransient);
  if (!kept) return refuse({ kind: "documentNotFound" });
  return kept.status === "draft" ? refuse({ kind: "documentIsDraft" }) : ok(kept.accountingProcessed);
}
