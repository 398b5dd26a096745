import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatRateAsPercent } from "#domain/money.ts";
import {
  createDocumentPrintout,
  type DocumentToPrint,
  getInvoiceKind,
  type PrintedDocumentKind,
  type PrintoutSettings,
} from "#domain/printing/documents.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { RegistrationRecord, TaxLine } from "#domain/tax-records/records.ts";
import { type DocumentToPrintRow, documentToPrintQuery } from "#worker/store/printing/documents.ts";
import { type BranchIssuerRow, branchIssuersQuery, letterheadQuery } from "#worker/store/printing/letterhead.ts";
import { documentTaxRecordsQuery, type TaxRecordRow } from "#worker/store/tax-records/records.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createPrintoutSettings, getDocumentIssuer } from "#worker/usecases/shared/printing-context.ts";
import { getTaxRateOperation } from "#worker/usecases/shared/to-e-invoice.ts";
import { createTaxQrUrl } from "#worker/usecases/tax-records/create-qr.ts";
import {
  createPrintoutFileName,
  type PrintedFile,
  type PrintoutReader,
  type PrintRefusal,
  readPrintableData,
} from "./read-printable.ts";

/** Document as read for printing and for its electronic invoice. */
export interface DocumentWithPrintData {
  readonly row: DocumentToPrintRow;
  readonly document: DocumentToPrint;
  readonly issuer: BranchIssuerRow | undefined;
  readonly printing: PrintoutSettings;
  readonly tenant: Tenant;
  readonly settings: Settings;
  readonly freshToken: string | undefined;
}

/** Prints a document as PDF in its customer's language. Only the office can print drafts. */
export async function printDocument(
  reader: PrintoutReader,
  id: number,
): Promise<Result<StaffAnswer<PrintedFile>, PrintRefusal>> {
  const read = await readDocumentToPrint(reader, id);
  if (!read.ok) return read;
  const { row, document, printing, tenant, freshToken } = read.value;
  const body = await tenant.print(createDocumentPrintout(document, printing));
  return ok({ value: { name: createDocumentFileName(row), body }, freshToken });
}

/** Builds the file name of a document. */
export function createDocumentFileName(
  { id, kind, invoiceStatus, serie, number }: DocumentToPrintRow,
  ending?: string,
) {
  const isDraft = invoiceStatus === "draft";
  return createPrintoutFileName(kind, ...(isDraft ? ["draft", id] : [serie ?? undefined, number ?? undefined]), {
    ending,
  });
}

/**
 * Reads a document in one round trip. Only the office can read drafts and internal bonds. Partners get
 * `documentIsDraft` for a draft invoice.
 */
export async function readDocumentToPrint(
  reader: PrintoutReader,
  id: number,
): Promise<Result<DocumentWithPrintData, PrintRefusal>> {
  const read = await readPrintableData(reader, ({ db }) => [
    documentToPrintQuery(db, id),
    letterheadQuery(db),
    branchIssuersQuery(db),
    documentTaxRecordsQuery(db, { documentId: id }),
  ]);
  if (!read.ok) return read;
  const { tenant, catalogue, rows, freshToken, isStaff, canRead } = read.value;
  const [[row], letterhead, issuers, records] = rows;
  const isDraft = !isStaff && row?.invoiceStatus === "draft";
  const isHidden = (!isStaff && row?.kind === "internal_bond") || (isDraft && reader.kind === "link");
  if (!row || isHidden || !canRead({ branchCodes: [row.branchCode], freeAccessId: row.freeAccessId })) {
    return err({ kind: "documentNotFound" });
  }
  if (isDraft) return err({ kind: "documentIsDraft" });
  const languages = [row.bookingLanguage ?? undefined, row.customerLanguage ?? undefined];
  const isForPayer = row.customerId !== row.bookingCustomerId;
  const language = pickPlatformLanguage(
    ...(isForPayer ? languages.toReversed() : languages),
    catalogue.settings.defaultLanguage,
  );
  const issuer = getDocumentIssuer(issuers, row);
  const registered = registrationIn(records);
  const document = {
    ...toDocument(row),
    taxes: createTaxRows(row, registered?.content.lines, catalogue.settings),
    legalRecord: getLegalRecord(catalogue.settings, registered),
  };
  const printing = createPrintoutSettings(catalogue, letterhead, issuer, language);
  return ok({ row, document, issuer, printing, tenant, settings: catalogue.settings, freshToken });
}

const ABOVE = "QR tributario:";
const BELOW = "Factura verificable en la sede electrónica de la AEAT · VERI*FACTU";
/** Untaxed items are reported without a rate. */
const NO_RATE = formatRateAsPercent(0);
const TERRITORY = { "01": "iva", "02": "ipsi", "03": "igic" } as const;

interface Registered {
  readonly chain: string;
  readonly content: RegistrationRecord;
}

function registrationIn(records: readonly TaxRecordRow[]): Registered | undefined {
  const registrationRecord = records.findLast(({ content }) => content.kind === "registration");
  return registrationRecord?.content.kind === "registration"
    ? { chain: registrationRecord.chain, content: registrationRecord.content }
    : undefined;
}

// Returns the reported taxes of a rate, otherwise the account's current data.
function createTaxRows(
  { taxes }: DocumentToPrintRow,
  taxLines: readonly TaxLine[] | undefined,
  settings: Settings,
): DocumentToPrint["taxes"] {
  return taxes.map((tax) => {
    const percent = formatRateAsPercent(tax.vat);
    const operation = taxLines
      ? taxLines.find(({ rate = NO_RATE }) => rate === percent)?.operation
      : getTaxRateOperation(settings, tax.vat);
    return { ...tax, operation };
  });
}

// If a different regulation now applies to the account, no legal record is printed, not even on earlier documents.
function getLegalRecord({ taxRecords }: Settings, registered: Registered | undefined): DocumentToPrint["legalRecord"] {
  if (!registered) return undefined;
  const [line] = registered.content.lines;
  if (!line || taxRecords[TERRITORY[line.tax]] !== "verifactu") return undefined;
  return { address: createTaxQrUrl(registered.chain, registered.content), above: ABOVE, below: BELOW };
}

function toDocument(row: DocumentToPrintRow): DocumentToPrint {
  const isDraft = row.invoiceStatus === "draft";
  return {
    kind: getPrintedKind(row),
    isDraft,
    serie: row.serie ?? undefined,
    number: row.number ?? undefined,
    date: row.date ?? undefined,
    at: isDraft ? row.lastUpdate : Date.parse(row.date ?? ""),
    bookingId: row.bookingId ?? undefined,
    corrects: correctedBy(row),
    replaces: row.replaces,
    vehicle: row.referenceDetail ?? undefined,
    period: row.referenceDates ?? undefined,
    agency: row.referenceAgency ?? undefined,
    customer: { name: row.customerFullName, taxId: row.customerDocumentId ?? undefined, address: getAddressLines(row) },
    dueDate: getDueDate(row),
    contracts: row.contracts,
    items: row.items,
    taxes: row.taxes,
    totalCents: row.totalCents,
    paidCents: row.invoiceType === "payment" || row.kind === "internal_bond" ? undefined : row.totalPaidCents,
    creditedCents: row.creditedCents,
    agentCents: row.agentCommissionPrepaidCents,
  };
}

const getDueDate = ({ invoiceType, dueDate }: DocumentToPrintRow) =>
  invoiceType === "payment" || dueDate === null ? undefined : dueDate;

function correctedBy({ correctedSerie: serie, correctedNumber: number, correctedDate: date }: DocumentToPrintRow) {
  return number === null ? undefined : { serie, number, date };
}

// Documents from before the kind was stored: a full invoice contains the customer's tax id and address.
function getPrintedKind(row: DocumentToPrintRow): PrintedDocumentKind {
  if (row.kind === "internal_bond") return "internalBond";
  const { form, customerDocumentId, customerAddressStreet } = row;
  const isFull = form === null ? Boolean(customerDocumentId && customerAddressStreet) : form === "full";
  return getInvoiceKind({ ...row, isFull });
}

function getAddressLines(row: DocumentToPrintRow): readonly string[] {
  const { customerAddressStreet: street, customerAddressNumber: number, customerAddressComplement: complement } = row;
  const { customerAddressZip: zip, customerAddressCity: city, customerAddressState: state } = row;
  const joined = (parts: readonly (string | null)[], between = " ") => parts.filter(Boolean).join(between);
  return [
    joined([street, number, complement]),
    joined([joined([zip, city]), state === city ? null : state], ", "),
    row.customerAddressCountry ?? "",
  ].filter(Boolean);
}
