import { canAccessBranch } from "#domain/access/sessions.ts";
import { err, ok } from "#domain/result.ts";
import { clearAccountingErrorStatement } from "#worker/store/reporting/accounting-outcome.ts";
import {
  branchExternalCodesQuery,
  documentByIdQuery,
  groupExternalCodesByBranch,
} from "#worker/store/reporting/document-lists.ts";
import type { OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";

/**
 * Removes the error that the accounting system reported for a document, so that it reads the document again. Changes
 * nothing without an error. Returns the document and the codes of its branch.
 */
export async function retryAccountingIntegration(write: OfficeWrite, id: number) {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    right: "manage",
    content: { retry: "document_integration", id },
    read: () => [documentByIdQuery(db, { id })],
    decide: ({ staff, rows: [[document]], at }) => {
      if (!document || !canAccessBranch(staff, document.branchCode)) return err({ kind: "documentNotFound" });
      return ok({ resource: String(id), statements: [clearAccountingErrorStatement(db, id, at)] });
    },
    readBack: () => [documentByIdQuery(db, { id }), branchExternalCodesQuery(db, {})],
    answer: ([[document], codes], { staff }) =>
      document && canAccessBranch(staff, document.branchCode)
        ? ok({ document, codes: groupExternalCodesByBranch(codes) })
        : err({ kind: "documentNotFound" }),
  });
}
