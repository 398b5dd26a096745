import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { recordSecurityEvent } from "#worker/store/access/security-events.ts";
import type { RowQuery } from "#worker/store/database.ts";
import {
  chargeExportQuery,
  documentExportQuery,
  type ExportedCharge,
  type ExportedDocument,
} from "#worker/store/documents/accounting-exports.ts";
import type { DocumentSearch } from "#worker/store/documents/office-documents.ts";
import { type DepositRow, depositListQueries } from "#worker/store/payments/deposits.ts";
import { getDayBounds } from "#worker/tenancy/clock.ts";
import type { ChargeFilter } from "#worker/usecases/documents/office-documents.ts";
import {
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type OfficeRefusal,
} from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import type { DepositFilter } from "#worker/usecases/payments/deposits.ts";

/** Maximum rows of a file. An incomplete book could be declared as complete, so larger ones are refused. */
const MAX_BOOK_ROWS = 10_000;

type Paged = "userId" | "after" | "pageSize";

/** Returns all matching documents for the accountant and records the access. */
export function readDocumentsForExport(
  request: StaffRequest,
  filter: Omit<DocumentSearch, Paged>,
): Promise<ExportRowsResult<ExportedDocument>> {
  return readBook(request, "documents", (fullPage) =>
    documentExportQuery(request.tenant.db, { ...filter, ...fullPage }),
  );
}

/** Returns all matching charges. Days are in the account's time zone. */
export function readChargesForExport(
  request: StaffRequest,
  { dateFrom, dateTo, ...filter }: Omit<ChargeFilter, Paged>,
): Promise<ExportRowsResult<ExportedCharge>> {
  return readBook(request, "charges", (fullPage, { settings: { timezone } }) => {
    const days = getDayBounds(timezone, { dateFrom, dateTo });
    return chargeExportQuery(request.tenant.db, { ...filter, ...fullPage, ...days });
  });
}

/** Returns all matching deposits. */
export function readDepositsForExport(
  request: StaffRequest,
  filter: DepositFilter,
): Promise<ExportRowsResult<DepositRow>> {
  return readBook(
    request,
    "deposits",
    (fullPage) => depositListQueries(request.tenant.db, { ...filter, ...fullPage })[0],
  );
}

export type ExportRowsResult<Row> = Result<StaffAnswer<readonly Row[]>, OfficeRefusal>;

/** Query for all rows of a list that the user may see. */
interface BookPageRequest {
  readonly after: undefined;
  readonly pageSize: number;
  readonly userId: number;
}

async function readBook<Row>(
  request: StaffRequest,
  book: "documents" | "charges" | "deposits",
  queryFor: (fullPage: BookPageRequest, catalogue: Catalogue) => RowQuery<Row>,
): Promise<ExportRowsResult<Row>> {
  const { tenant, now } = request;
  const fullPage = { after: undefined, pageSize: MAX_BOOK_ROWS, userId: await getTokenUserId(request) };
  const read = await readAsStaff(request, (catalogue) => [queryFor(fullPage, catalogue)] as const);
  if (!read.ok) return read;
  const { staff, factor, freshToken, rows } = read.value;
  const [item] = rows;
  const missing =
    findMissingRightRefusal(staff, "see") ??
    findMissingRightRefusal(staff, "exports") ??
    findStaleFactorRefusal(factor);
  if (missing) return missing;
  if (item.length > MAX_BOOK_ROWS)
    return err({
      kind: "invalid",
      field: "date_from",
      reason: createReason("too_many_rows", MAX_BOOK_ROWS),
    });
  const detail = { what: book, rows: item.length };
  await recordSecurityEvent(tenant.db, { kind: "data_exported", userId: staff.userId, detail }, now);
  return ok({ value: item, freshToken });
}
