import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { ChargeKind } from "#domain/payments/charges.ts";
import { type ChargeToPrint, createReceiptPrintout } from "#domain/printing/receipts.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type ChargeToPrintRow, chargeToPrintQuery } from "#worker/store/printing/documents.ts";
import { branchIssuersQuery, letterheadQuery } from "#worker/store/printing/letterhead.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createPrintoutSettings, getDocumentIssuer } from "#worker/usecases/shared/printing-context.ts";
import {
  createPrintoutFileName,
  type PrintedFile,
  type PrintoutReader,
  type PrintRefusal,
  readPrintableData,
} from "./read-printable.ts";

/** Prints the receipt of a charge as PDF in its customer's language. */
export async function printChargeReceipt(
  reader: PrintoutReader,
  id: number,
): Promise<Result<StaffAnswer<PrintedFile>, PrintRefusal>> {
  const read = await readPrintableData(reader, ({ db }) => [
    chargeToPrintQuery(db, id),
    letterheadQuery(db),
    branchIssuersQuery(db),
  ]);
  if (!read.ok) return read;
  const { tenant, catalogue, rows, freshToken, canRead } = read.value;
  const [[row], letterhead, issuers] = rows;
  if (!row || !canRead({ branchCodes: [row.branchCode], freeAccessId: row.freeAccessId })) {
    return err({ kind: "chargeNotFound" });
  }
  const { settings } = catalogue;
  const language = pickPlatformLanguage(row.bookingLanguage ?? undefined, settings.defaultLanguage);
  const issuer = getDocumentIssuer(issuers, row);
  const charge = toCharge(row, settings.timezone);
  const body = await tenant.print(
    createReceiptPrintout(charge, createPrintoutSettings(catalogue, letterhead, issuer, language)),
  );
  return ok({ value: { name: createPrintoutFileName("receipt", id), body }, freshToken });
}

function toCharge(row: ChargeToPrintRow, timezone: string): ChargeToPrint {
  const { date, time } = toCivilNow(timezone, row.date);
  const bookingName = [row.bookingName, row.bookingSurname].filter(Boolean).join(" ");
  return {
    id: row.id,
    kind: getChargeKind(row),
    cents: row.amountCents,
    method: row.paymentMethodId,
    ...{ date, time, at: row.date },
    operationNumber: row.externalOperationNumber ?? undefined,
    bookingId: row.bookingId ?? undefined,
    documents: row.documents.length > 0 ? row.documents : [{ serie: row.serie, number: row.number, form: row.form }],
    customer: {
      name: row.documentCustomer ?? bookingName,
      taxId: (row.documentCustomer === null ? row.bookingTaxId : row.documentTaxId) ?? undefined,
      address: [],
    },
  };
}

// A retained deposit isn't paid to anyone, although the books count it as returned.
function getChargeKind({ sourceDoc, paymentType, depositKept }: ChargeToPrintRow): ChargeKind {
  if (depositKept) return "deposit_kept";
  return sourceDoc === "deposit_received" || sourceDoc === "deposit_returned" ? sourceDoc : paymentType;
}
