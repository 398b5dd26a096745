import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { CivilDate } from "#domain/dates.ts";
import { translateConcept } from "#domain/documents/texts.ts";
import { createStatementPrintout } from "#domain/printing/statements.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type CustomerRow, visibleCustomerQuery } from "#worker/store/contracts/customers.ts";
import { toPayerDocumentCustomer } from "#worker/store/documents/contract-to-invoice.ts";
import {
  type CustomerStatementRow,
  customerStatementQuery,
  MAX_STATEMENT_ROWS,
} from "#worker/store/documents/open-documents.ts";
import { branchIssuersQuery, letterheadQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { createPrintoutSettings } from "#worker/usecases/shared/printing-context.ts";
import { createPrintoutFileName, type PrintedFile } from "./read-printable.ts";

/** Customer and period of a statement. Without dates, all documents. */
export interface CustomerStatementRequest {
  readonly customerId: number;
  readonly dateFrom: CivilDate | undefined;
  readonly dateTo: CivilDate | undefined;
}

/** Issued documents of a customer, with what is paid and pending of them. */
export interface CustomerStatement {
  readonly customer: CustomerRow;
  readonly rows: readonly CustomerStatementRow[];
  /** Today in the account's time zone. Documents due before are overdue. */
  readonly today: CivilDate;
}

/** Returns the statement of a customer. One round trip. */
export async function readCustomerStatement(
  request: StaffRequest,
  statement: CustomerStatementRequest,
): Promise<Result<StaffAnswer<CustomerStatement>, OfficeRefusal>> {
  const read = await readWithLetterhead(request, statement);
  return read.ok ? ok({ value: read.value.statement, freshToken: read.value.freshToken }) : read;
}

/** Prints the statement of a customer in their language. */
export async function printCustomerStatement(
  request: StaffRequest,
  requested: CustomerStatementRequest,
): Promise<Result<StaffAnswer<PrintedFile>, OfficeRefusal>> {
  const read = await readWithLetterhead(request, requested);
  if (!read.ok) return read;
  const { statement, catalogue, letterhead, issuers, freshToken } = read.value;
  const { customer, rows, today } = statement;
  const language = pickPlatformLanguage(customer.language ?? undefined, catalogue.settings.defaultLanguage);
  const printing = createPrintoutSettings(catalogue, letterhead, issuers[0], language);
  const { fullName, documentId, address } = toPayerDocumentCustomer(customer);
  const party = {
    name: fullName,
    taxId: documentId,
    address: [
      [address.street, address.number, address.complement].filter(Boolean).join(" "),
      [address.zip, address.city].filter(Boolean).join(" "),
      address.country ?? "",
    ].filter(Boolean),
  };
  const own = pickPlatformLanguage(catalogue.settings.defaultLanguage);
  const printedRows = rows.map((row) => ({ ...row, concept: translateConcept(row.concept, own, language) }));
  const body = await request.tenant.print(
    createStatementPrintout({ customer: party, rows: printedRows, today, at: Date.parse(today) }, printing),
  );
  return ok({ value: { name: createPrintoutFileName("statement", customer.id, today), body }, freshToken });
}

async function readWithLetterhead(request: StaffRequest, { customerId, dateFrom, dateTo }: CustomerStatementRequest) {
  const { db } = request.tenant;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(
    request,
    () =>
      [
        visibleCustomerQuery(db, customerId, userId),
        customerStatementQuery(db, { customerId, userId, dateFrom, dateTo }),
        letterheadQuery(db),
        branchIssuersQuery(db),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, catalogue, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[customer], documentRows, letterhead, issuers] = rows;
  if (!customer) return err({ kind: "customerNotFound" } as const);
  if (documentRows.length > MAX_STATEMENT_ROWS) {
    const reason = createReason("too_many_rows", MAX_STATEMENT_ROWS);
    return err({ kind: "invalid", field: "date_from", reason } as const);
  }
  const today = toCivilNow(catalogue.settings.timezone, request.now).date as CivilDate;
  return ok({ statement: { customer, rows: documentRows, today }, catalogue, letterhead, issuers, freshToken });
}
