import { canAccessBranch } from "#domain/access/sessions.ts";
import { bookingMoneyQuery } from "#worker/store/documents/firm-documents.ts";
import {
  chargesOfBookingQuery,
  documentQuery,
  documentsOfBookingQuery,
  externalCodesQuery,
} from "#worker/store/reporting/document-lists.ts";
import type { ExternalCodes, ExtractedCharge, ExtractedDocument } from "#worker/usecases/reporting/read-models.ts";
import type { StaffContext } from "./staff-context.ts";

/** The documents and charges of a contract, or one document that is of none. */
export interface ContractDocuments {
  readonly documents: readonly ExtractedDocument[];
  readonly charges: readonly ExtractedCharge[];
  readonly heldCents: number;
  readonly codes: ReadonlyMap<string, ExternalCodes>;
}

/** All papers of a contract, in one round trip; undefined where it is not there for this member of staff. */
export async function readContractDocuments(
  context: StaffContext,
  bookingId: number,
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  const [[booking], documents, charges, codes] = await db.batch([
    bookingMoneyQuery(db, { bookingId }),
    documentsOfBookingQuery(db, { bookingId }),
    chargesOfBookingQuery(db, { bookingId }),
    externalCodesQuery(db, {}),
  ]);
  if (!booking || !canAccessBranch(context.staff, booking.branchCode, booking.returnBranchCode)) return undefined;
  return { documents, charges, heldCents: booking.heldCents, codes: new Map(codes.map((one) => [one.code, one])) };
}

/** The papers of a document's contract; of a document that has none, itself alone. */
export async function readContractOfDocument(
  context: StaffContext,
  documentId: number,
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  const [[document], codes] = await db.batch([documentQuery(db, { id: documentId }), externalCodesQuery(db, {})]);
  if (!document || !canAccessBranch(context.staff, document.branchCode)) return undefined;
  if (document.bookingId !== null) return readContractDocuments(context, document.bookingId);
  return { documents: [document], charges: [], heldCents: 0, codes: new Map(codes.map((one) => [one.code, one])) };
}
