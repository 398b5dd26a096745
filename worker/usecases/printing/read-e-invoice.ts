import { type EInvoice, toEInvoice } from "#domain/e-invoices/e-invoice.ts";
import { type EInvoiceFormat, pickEInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { listMissingFormatFields } from "#domain/e-invoices/missing-fields.ts";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import { type FacturaeSigning, signFacturae } from "#worker/authorities/e-invoices/facturae-signature.ts";
import { isCertificateValidForTaxId, openSigner } from "#worker/authorities/e-invoices/signer.ts";
import { writeEInvoice } from "#worker/authorities/e-invoices/write.ts";
import { findAccountSecret } from "#worker/store/access/account-secrets.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { toEInvoiceSource } from "#worker/usecases/shared/to-e-invoice.ts";
import { createDocumentFileName, type DocumentWithPrintData, readDocumentToPrint } from "./print-document.ts";
import type { PrintedFile, PrintoutReader, PrintRefusal } from "./read-printable.ts";

/** Electronic invoice as a file. */
export interface EInvoiceFile extends PrintedFile {
  readonly contentType: "application/pdf" | "application/xml";
}

type CompleteEInvoice = DocumentWithPrintData & { readonly format: EInvoiceFormat; readonly invoice: EInvoice };

interface EInvoiceRequest {
  readonly format: EInvoiceFormat | undefined;
  readonly now: number;
}

/**
 * Returns the electronic invoice of an issued document, by default in the format of its customer or the company.
 * Refuses what the format can't carry.
 */
export async function readEInvoice(
  reader: PrintoutReader,
  id: number,
  { format: requestedFormat, now }: EInvoiceRequest,
): Promise<Result<StaffAnswer<EInvoiceFile>, PrintRefusal>> {
  const completed = await readCompleteEInvoice(reader, id, requestedFormat);
  if (!completed.ok) return completed;
  const { format, invoice, row, document, printing, tenant, freshToken } = completed.value;
  const xml = writeEInvoice(format, invoice);
  if (format === "facturx") {
    const body = await tenant.print({ ...createDocumentPrintout(document, printing), invoiceXml: xml });
    return ok({ value: { name: createDocumentFileName(row), body, contentType: "application/pdf" }, freshToken });
  }
  const unsigned = { format, xml, ending: `${format}.xml` };
  const eInvoice = await signIfPossible(tenant, invoice, unsigned, { now, id: `Signature-${id}` });
  const body = new TextEncoder().encode(eInvoice.xml) as Uint8Array<ArrayBuffer>;
  return ok({
    value: { name: createDocumentFileName(row, eInvoice.ending), body, contentType: "application/xml" },
    freshToken,
  });
}

/** Reads a document as an electronic invoice that lacks nothing for its format. */
export async function readCompleteEInvoice(
  reader: PrintoutReader,
  id: number,
  requestedFormat: EInvoiceFormat | undefined,
): Promise<Result<CompleteEInvoice, PrintRefusal>> {
  const read = await readDocumentToPrint(reader, id);
  if (!read.ok) return read;
  const { row, document, issuer, printing, settings } = read.value;
  if (document.isDraft) return err({ kind: "documentIsDraft" });
  const format = requestedFormat ?? pickEInvoiceFormat(settings.einvoiceFormat, row.einvoice.customer?.details ?? {});
  if (!format) return err({ kind: "invalid", field: "format", reason: createReason("missing") });
  const stored = toEInvoiceSource(row, document, { settings, issuer, language: printing.language });
  const invoice = stored && toEInvoice(stored);
  const missing = invoice ? listMissingFormatFields(format, invoice) : (["document_kind"] as const);
  if (!invoice || missing.length > 0) return err({ kind: "eInvoiceIncomplete", format, missing });
  return ok({ ...read.value, format, invoice });
}

interface WrittenXml {
  readonly xml: string;
  readonly ending: string;
}

// Signs Facturae with a certificate that is valid now and names the seller. All other files remain unsigned.
async function signIfPossible(
  tenant: Tenant,
  { seller }: EInvoice,
  { format, ...written }: WrittenXml & { readonly format: EInvoiceFormat },
  signing: FacturaeSigning,
): Promise<WrittenXml> {
  if (format !== "facturae") return written;
  const sealed = await findAccountSecret(tenant.db, "signing_certificate");
  const pem = sealed && (await tryDecryptSecret(tenant, sealed));
  const signer = pem ? await openSigner(pem) : "no_certificate";
  if (typeof signer === "string" || !isCertificateValidForTaxId(signer.certificate, seller.taxId ?? "", signing.now))
    return written;
  return { xml: await signFacturae(written.xml, signer, signing), ending: "facturae.xsig" };
}
