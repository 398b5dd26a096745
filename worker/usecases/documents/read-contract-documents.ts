import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Database, Query, QueryResults } from "#worker/store/database.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import {
  bookingChargesQuery,
  bookingDocumentsQuery,
  branchExternalCodesQuery,
  documentByIdQuery,
  groupExternalCodesByBranch,
} from "#worker/store/reporting/document-lists.ts";
import type {
  BranchErpCodes,
  ChargeForIntegration,
  OfficeDocumentRow,
} from "#worker/usecases/reporting/read-models.ts";
import type { StaffContext } from "./staff-context.ts";

/** Documents and charges of a contract, or a single document without a contract. */
export interface ContractDocuments {
  readonly documents: readonly OfficeDocumentRow[];
  readonly charges: readonly ChargeForIntegration[];
  readonly heldCents: number;
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
}

/**
 * Result of a document action: the contract's documents, if they were read with it, or `done` if it was done before.
 * Undefined without a contract.
 */
export type DocumentActionResult = ContractDocuments | "done" | undefined;

/** Returns all documents of a contract in one round trip. Undefined if the staff member can't access it. */
export async function readContractDocuments(
  context: StaffContext,
  bookingId: number,
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  return toContractDocuments(context, await db.batch([...contractDocumentsQueries(db, bookingId)]));
}

/**
 * Writes, and reads the contract's documents in the same round trip. Returns undefined if the write has no contract or
 * the staff member can't access it.
 */
export async function saveAndReadContractDocuments(
  context: StaffContext,
  bookingId: number | undefined,
  [first, ...others]: readonly [Query, ...Query[]],
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  const documentsQueries = bookingId === undefined ? undefined : contractDocumentsQueries(db, bookingId);
  const rows = await db.batch([first, ...others, ...(documentsQueries ?? [])]);
  return documentsQueries && toContractDocuments(context, rows.slice(1 + others.length) as ContractDocumentsRows);
}

function contractDocumentsQueries(db: Database, bookingId: number) {
  return [
    bookingAmountsQuery(db, { bookingId }),
    bookingDocumentsQuery(db, { bookingId }),
    bookingChargesQuery(db, { bookingId }),
    branchExternalCodesQuery(db, {}),
  ] as const;
}

type ContractDocumentsRows = QueryResults<ReturnType<typeof contractDocumentsQueries>>;

function toContractDocuments(
  { staff }: StaffContext,
  [[booking], documents, charges, codes]: ContractDocumentsRows,
): ContractDocuments | undefined {
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) return undefined;
  return { documents, charges, heldCents: booking.heldCents, codes: groupExternalCodesByBranch(codes) };
}

/** Returns the documents of a document's contract, or the document alone if it has none. */
export async function readContractDocumentsByDocument(
  context: StaffContext,
  documentId: number,
): Promise<ContractDocuments | undefined> {
  const { db } = context.tenant;
  const [[document], codes] = await db.batch([
    documentByIdQuery(db, { id: documentId }),
    branchExternalCodesQuery(db, {}),
  ]);
  if (!document || !canAccessBranch(context.staff, document.branchCode)) return undefined;
  if (document.bookingId !== null) return readContractDocuments(context, document.bookingId);
  return { documents: [document], charges: [], heldCents: 0, codes: groupExternalCodesByBranch(codes) };
}
