import { toAmount } from "#domain/money.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import type { ExportedCharge, ExportedDocument } from "#worker/usecases/reporting/read-models.ts";
import { type ExportTable, type TableColumns, tableQueryFields, toExportTable } from "./export-table-messages.ts";
import { chargeFilters, documentFilters } from "./money-messages.ts";

export const documentExportTableQuery = documentFilters.extend(tableQueryFields);
export const chargeExportTableQuery = chargeFilters.extend(tableQueryFields);

/** Line of the table of documents: a document's amounts at one tax rate. The first line also has the unpaid amount. */
interface BookLine {
  readonly of: ExportedDocument;
  readonly vat: number | undefined;
  readonly subtotalCents: number;
  readonly taxesCents: number;
  readonly pendingCents: number;
}

const DOCUMENT_COLUMNS: TableColumns<BookLine> = [
  ["date", ({ of }) => of.date, "date"],
  ["serie", ({ of }) => of.serie],
  ["number", ({ of }) => of.number],
  ["document_kind", ({ of }) => of.kind],
  ["invoice_status", ({ of }) => of.invoiceStatus],
  ["customer_full_name", ({ of }) => of.customerName],
  ["customer_document_id", ({ of }) => of.customerDocumentId],
  ["corrected_invoice", ({ of }) => of.corrects],
  ["replaced_by_invoice", ({ of }) => of.replacedBy],
  ["replaced_invoices", ({ of }) => of.replaces],
  ["rental_location_code", ({ of }) => of.branchCode],
  ["reference", ({ of }) => of.orderReference ?? of.bookingId],
  ["concept", ({ of }) => of.concept],
  ["vat_percentage", ({ vat }) => (vat === undefined ? null : toAmount(vat, 2)), "number"],
  ["subtotal", ({ subtotalCents }, { decimals }) => toAmount(subtotalCents, decimals), "number"],
  ["taxes", ({ taxesCents }, { decimals }) => toAmount(taxesCents, decimals), "number"],
  ["total", (line, { decimals }) => toAmount(line.subtotalCents + line.taxesCents, decimals), "number"],
  ["total_pending", ({ pendingCents }, { decimals }) => toAmount(pendingCents, decimals), "number"],
];

function toBookLines(document: ExportedDocument): readonly BookLine[] {
  // Drafts and replaced documents have no pending amount.
  const isOpen = document.invoiceStatus === "invoice" && document.replacedBy === null;
  const pendingCents = isOpen ? document.totalCents - document.totalPaidCents - document.prepaidCents : 0;
  const totalLine = { vat: undefined, subtotalCents: document.subtotalCents, taxesCents: document.taxesCents };
  const rates = document.rates.length > 0 ? document.rates : [totalLine];
  return rates.map((rate, index) => ({ of: document, ...rate, pendingCents: index === 0 ? pendingCents : 0 }));
}

const CHARGE_COLUMNS: TableColumns<ExportedCharge> = [
  ["date", ({ date }, messageFormat) => messageFormat.timestamp(date).slice(0, 10), "date"],
  ["time", ({ date }, messageFormat) => messageFormat.timestamp(date).slice(11, 16)],
  ["id", ({ id }) => id],
  ["rental_location_code", ({ branchCode }) => branchCode],
  ["payment_method_id", ({ method }) => method],
  ["kind", (row) => getMovementKind(row)],
  ["amount", (row, { decimals }) => toAmount(signed(row), decimals), "number"],
  ["reference", ({ bookingId }) => bookingId],
  ["document", ({ document }) => document],
  ["customer_fullname", (row) => row.documentCustomer ?? `${row.bookingName ?? ""} ${row.bookingSurname ?? ""}`.trim()],
  ["external_operation_number", ({ externalOperationNumber }) => externalOperationNumber],
];

const signed = ({ paymentType, amountCents }: ExportedCharge) =>
  paymentType === "charge" ? amountCents : -amountCents;

// A retained deposit leaves the deposits and becomes a charge: two lines that cancel out in the cash register.
function getMovementKind({ sourceDoc, paymentType, depositKept }: ExportedCharge): string {
  if (sourceDoc === "deposit_returned" && depositKept) return "deposit_kept";
  return sourceDoc === "deposit_received" || sourceDoc === "deposit_returned" ? sourceDoc : paymentType;
}

/** Creates the table of documents with one line per tax rate. Each amount column adds up to the documents' totals. */
export function toDocumentExportTable(rows: readonly ExportedDocument[], messageFormat: MessageFormat): ExportTable {
  return toExportTable(DOCUMENT_COLUMNS, rows.flatMap(toBookLines), messageFormat);
}

/** Creates the table of charges, with refunds as negative amounts. */
export function toChargeExportTable(rows: readonly ExportedCharge[], messageFormat: MessageFormat): ExportTable {
  return toExportTable(CHARGE_COLUMNS, rows, messageFormat);
}
