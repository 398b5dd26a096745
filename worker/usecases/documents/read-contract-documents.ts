import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Answers, Database, Query } from "#worker/store/database.ts";
import { bookingMoneyQuery } from "#worker/store/documents/firm-documents.ts";
import {
  bookingChargesQuery,
  bookingDocumentsQuery,
  codesByBranch,
  documentQuery,
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

/**
 * What was done: the contract's papers as they are since, where they were read with it; `done` where it was done before
 * and nothing where there is no contract.
 */
export type DocumentWorkResult = ContractDocuments | "done" | undefined;

/** All papers of a contract, in one round trip; undefined where it is not there for this member of staff. */
export async function readContractDocuments(
  context: StaffContext,
  bookingId: number,
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  return toPapers(context, await db.batch([...papersQueries(db, bookingId)]));
}

/**
 * Writes, and reads in the same round trip what the contract has on paper then; undefined where what is written is of
 * no contract, or it is not there for this member of staff.
 */
export async function saveAndRead(
  context: StaffContext,
  bookingId: number | undefined,
  [first, ...others]: readonly [Query, ...Query[]],
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  const papers = bookingId === undefined ? undefined : papersQueries(db, bookingId);
  const rows = await db.batch([first, ...others, ...(papers ?? [])]);
  return papers && toPapers(context, rows.slice(1 + others.length) as PapersRows);
}

function papersQueries(db: Database, bookingId: number) {
  return [
    bookingMoneyQuery(db, { bookingId }),
    bookingDocumentsQuery(db, { bookingId }),
    bookingChargesQuery(db, { bookingId }),
    externalCodesQuery(db, {}),
  ] as const;
}

type PapersRows = Answers<ReturnType<typeof papersQueries>>;

function toPapers(
  { staff }: StaffContext,
  [[booking], documents, charges, codes]: PapersRows,
): ContractDocuments | undefined {
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) return undefined;
  return { documents, charges, heldCents: booking.heldCents, codes: codesByBranch(codes) };
}

/** The papers of a document's contract; of a document that has none, itself alone. */
export async function readDocumentContract(
  context: StaffContext,
  documentId: number,
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  const [[document], codes] = await db.batch([documentQuery(db, { id: documentId }), externalCodesQuery(db, {})]);
  if (!document || !canAccessBranch(context.staff, document.branchCode)) return undefined;
  if (document.bookingId !== null) return readContractDocuments(context, document.bookingId);
  return { documents: [document], charges: [], heldCents: 0, codes: codesByBranch(codes) };
}
