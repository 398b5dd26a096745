import { canAccessBranch } from "#domain/access/sessions.ts";
import type { CivilDate } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { documentMailsQuery } from "#worker/store/contracts/messages.ts";
import {
  type ChargeSearch,
  chargeListQueries,
  type DocumentSearch,
  documentListQueries,
} from "#worker/store/documents/office-documents.ts";
import {
  branchExternalCodesQuery,
  documentByIdQuery,
  groupExternalCodesByBranch,
} from "#worker/store/reporting/document-lists.ts";
import { getDayBounds } from "#worker/tenancy/clock.ts";
import { createListRead, type ListRead, readList } from "#worker/usecases/office/list-reads.ts";
import { type CustomerMailAnswer, toCustomerMailAnswer } from "#worker/usecases/office/message-answers.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import type {
  BranchErpCodes,
  ChargeForIntegration,
  OfficeDocumentRow,
} from "#worker/usecases/reporting/read-models.ts";
import { createSortedPageCursor, type Page, toPage } from "#worker/usecases/shared/page.ts";

export type OfficeDocumentPage = Page<OfficeDocumentRow, string> & {
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
};

/** Returns the read of a page of matching documents of the user's branches, newest first. */
export const createDocumentListRead = (
  { tenant: { db } }: StaffRequest,
  filter: Omit<DocumentSearch, "userId">,
): ListRead<OfficeDocumentPage> =>
  createListRead(
    (_, userId) => [...documentListQueries(db, { ...filter, userId }), branchExternalCodesQuery(db, {})] as const,
    ([item, [counted], codes]) => ({
      ...toPage(item, counted, filter.pageSize, ({ id }) => createSortedPageCursor(filter.sorted, id)),
      codes: groupExternalCodesByBranch(codes),
    }),
  );

/** Lists matching documents of the user's branches, newest first. One round trip. */
export const listOfficeDocuments = (request: StaffRequest, filter: Omit<DocumentSearch, "userId">) =>
  readList(request, createDocumentListRead(request, filter));

/** Document with the mails about it, if it has no reservation. */
interface DocumentWithMessages {
  readonly document: OfficeDocumentRow;
  readonly codes: OfficeDocumentPage["codes"];
  readonly sentMessages: readonly CustomerMailAnswer[];
}

/** Returns one document. One round trip. */
export async function readOfficeDocument(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<DocumentWithMessages>, OfficeRefusal>> {
  const { tenant, now } = request;
  const { db } = tenant;
  const read = await readAsStaff(
    request,
    () => [documentByIdQuery(db, { id }), branchExternalCodesQuery(db, {}), documentMailsQuery(db, { id })] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[document], codes, mails] = rows;
  if (!document || !canAccessBranch(staff, document.branchCode)) return err({ kind: "documentNotFound" });
  const sentMessages = mails.map((mail) => toCustomerMailAnswer(mail, now));
  return ok({ value: { document, codes: groupExternalCodesByBranch(codes), sentMessages }, freshToken });
}

export type ChargeFilter = Omit<ChargeSearch, "userId" | "from" | "until"> & {
  readonly dateFrom: CivilDate | undefined;
  readonly dateTo: CivilDate | undefined;
};

/** Lists matching charges of the user's branches, newest first. One round trip. */
export async function listOfficeCharges(
  request: StaffRequest,
  { dateFrom, dateTo, ...filter }: ChargeFilter,
): Promise<Result<StaffAnswer<Page<ChargeForIntegration, string>>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, ({ settings: { timezone } }) =>
    chargeListQueries(request.tenant.db, { ...filter, userId, ...getDayBounds(timezone, { dateFrom, dateTo }) }),
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [item, [counted]] = rows;
  return ok({
    value: toPage(item, counted, filter.pageSize, ({ id }) => createSortedPageCursor(filter.sorted, id)),
    freshToken,
  });
}
