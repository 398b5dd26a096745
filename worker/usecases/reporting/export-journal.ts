import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { createReason } from "#domain/problems.ts";
import { toA3JournalFile } from "#domain/reporting/a3.ts";
import { getLedgerAccounts } from "#domain/reporting/accounts.ts";
import { toContaplusJournalFile } from "#domain/reporting/contaplus.ts";
import {
  type DatevClientNumbers,
  fitsDatevDocumentField,
  getDatevAccountLength,
  MAX_DATEV_DOCUMENT_LENGTH,
  toDatevJournalFile,
} from "#domain/reporting/datev.ts";
import {
  type JournalCharge,
  type JournalFormat,
  type Posting,
  toJournalCsv,
  toPostings,
} from "#domain/reporting/journal.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { recordSecurityEvent } from "#worker/store/access/security-events.ts";
import type { Database } from "#worker/store/database.ts";
import {
  type JournalChargeRow,
  journalChargesQuery,
  journalCompaniesQuery,
  journalDocumentsQuery,
} from "#worker/store/reporting/journal.ts";
import { getDayBounds, toCivilNow } from "#worker/tenancy/clock.ts";
import {
  findMissingRightRefusal,
  findStaleFactorRefusal,
  type OfficeRefusal,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

/** Period and format of an accounting export. */
export interface AccountingJournalRequest extends DatevClientNumbers {
  readonly format: JournalFormat;
  readonly dateFrom: CivilDate;
  readonly dateTo: CivilDate;
  /** Number of the company whose books are exported. Required if the branches belong to several. */
  readonly companyId?: number | undefined;
}

/** Maximum rows of a file. An incomplete journal could be booked as complete, so larger ones are refused. */
const MAX_ROWS = 20_000;

type JournalSettings = Pick<Settings, "timezone" | "currency" | "currencyDecimals" | "accounts">;

/** Returns the queries for a period's journal and for the companies that have one. */
export function accountingJournalQueries(
  db: Database,
  { dateFrom, dateTo, companyId }: Pick<AccountingJournalRequest, "dateFrom" | "dateTo" | "companyId">,
  timezone: string,
  limit = MAX_ROWS + 1,
) {
  const { from = 0, until = 0 } = getDayBounds(timezone, { dateFrom, dateTo });
  return [
    journalDocumentsQuery(db, { from: dateFrom, to: dateTo, companyId, limit }),
    journalChargesQuery(db, { from, to: until, companyId, limit }),
    journalCompaniesQuery(db),
  ] as const;
}

type JournalRows = readonly [
  Awaited<ReturnType<typeof journalDocumentsQuery>>,
  Awaited<ReturnType<typeof journalChargesQuery>>,
  Awaited<ReturnType<typeof journalCompaniesQuery>>,
];

/** Converts the rows of a period to postings. */
export function toJournalPostings(
  [documents, charges]: JournalRows,
  { timezone, accounts }: JournalSettings,
): readonly Posting[] {
  const toCharge = (row: JournalChargeRow): JournalCharge => ({
    ...row,
    date: toCivilNow(timezone, row.at).date,
    isVirtual: row.virtual === true,
  });
  return toPostings({ documents, charges: charges.map(toCharge) }, getLedgerAccounts(accounts));
}

/** Writes postings in a format. */
export function writeJournalFile(
  postings: readonly Posting[],
  { format, dateFrom, dateTo, consultant, client }: AccountingJournalRequest,
  { currency, currencyDecimals, accounts }: JournalSettings,
): Uint8Array<ArrayBuffer> {
  if (format === "csv")
    return new TextEncoder().encode(toJournalCsv(postings, currencyDecimals)) as Uint8Array<ArrayBuffer>;
  if (format === "a3") return toA3JournalFile(postings, client);
  if (format === "contaplus") return toContaplusJournalFile(postings);
  return toDatevJournalFile(postings, {
    period: { from: dateFrom, to: dateTo },
    client: { consultant, client },
    currency,
    accountLength: getDatevAccountLength(getLedgerAccounts(accounts)) ?? 0,
  });
}

/** Account codes that a format can contain. A3 and ContaPlus have twelve columns for them. */
const ACCOUNT_PATTERNS = { datev: /^\d{4,9}$/, a3: /^\d{4,12}$/, contaplus: /^\d{4,12}$/ } as const;

/** Returns what is wrong with a period or its company. The books of different companies are never in one file. */
export function findJournalRefusal(
  { format, dateFrom, dateTo, companyId }: AccountingJournalRequest,
  { currency, currencyDecimals, accounts }: JournalSettings,
  companies: JournalRows[2],
): Extract<OfficeRefusal, { kind: "invalid" }> | undefined {
  const wrongCompany = findCompanyRefusal(companyId, companies);
  if (wrongCompany) return wrongCompany;
  if (dateTo < dateFrom) return { kind: "invalid", field: "date_to", reason: createReason("after", dateFrom) };
  if (format === "csv") return undefined;
  // Postings of DATEV contain only the day and month, so a period must be within one year.
  const yearEnd = `${dateFrom.slice(0, 4)}-12-31`;
  if (format === "datev" && dateTo > yearEnd)
    return { kind: "invalid", field: "date_to", reason: createReason("not_after", yearEnd) };
  // Records of A3 and ContaPlus are in euros.
  const canContainCurrency = format === "datev" ? currencyDecimals === 2 : currency === "EUR";
  if (!canContainCurrency) return { kind: "invalid", field: "format", reason: createReason("choice", "csv") };
  const codes = getLedgerAccounts(accounts);
  const isRight = Object.values(codes).every((code) => ACCOUNT_PATTERNS[format].test(code));
  if (isRight && (format !== "datev" || getDatevAccountLength(codes) !== undefined)) return undefined;
  const example = format === "datev" ? "8400 (customers 10000)" : "4300";
  return { kind: "invalid", field: "accounts", reason: createReason("form", example) };
}

function findCompanyRefusal(
  companyId: number | undefined,
  companies: JournalRows[2],
): Extract<OfficeRefusal, { kind: "invalid" }> | undefined {
  const ids = companies.map(({ id }) => id);
  if (companyId === undefined ? ids.length <= 1 : ids.includes(companyId)) return undefined;
  return { kind: "invalid", field: "company_id", reason: createReason("choice", ids.join(", ")) };
}

/** Returns a refusal if a number is too long for the format. */
export function findPostingRefusal(
  postings: readonly Posting[],
  { format }: Pick<AccountingJournalRequest, "format">,
): Extract<OfficeRefusal, { kind: "invalid" }> | undefined {
  if (format !== "datev" || postings.every(({ document }) => fitsDatevDocumentField(document))) return undefined;
  return { kind: "invalid", field: "serie", reason: createReason("too_long", MAX_DATEV_DOCUMENT_LENGTH) };
}

/** Exports the journal of a period for the accounting and records the access. */
export async function exportJournal(
  request: StaffRequest,
  journal: AccountingJournalRequest,
): Promise<Result<StaffAnswer<Uint8Array<ArrayBuffer>>, OfficeRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, ({ settings }) =>
    accountingJournalQueries(tenant.db, journal, settings.timezone),
  );
  if (!read.ok) return read;
  const { staff, factor, freshToken, rows, catalogue } = read.value;
  const { settings } = catalogue;
  const refused = findMissingRightRefusal(staff, "administer") ?? findStaleFactorRefusal(factor);
  if (refused) return refused;
  const refusal = findJournalRefusal(journal, settings, rows[2]);
  if (refusal) return err(refusal);
  if (rows.some((tableRows) => tableRows.length > MAX_ROWS))
    return err({ kind: "invalid", field: "date_from", reason: createReason("too_many_rows", MAX_ROWS) });
  const postings = toJournalPostings(rows, settings);
  const postingRefusal = findPostingRefusal(postings, journal);
  if (postingRefusal) return err(postingRefusal);
  const detail = { what: "journal", rows: postings.length };
  await recordSecurityEvent(tenant.db, { kind: "data_exported", userId: staff.userId, detail }, now);
  return ok({ value: writeJournalFile(postings, journal, settings), freshToken });
}
