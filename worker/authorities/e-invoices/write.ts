import type { EInvoice } from "#domain/e-invoices/e-invoice.ts";
import type { EInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { writeCiiXml } from "./cii.ts";
import { writeFacturaeXml } from "./facturae.ts";
import { writeUblXml } from "./ubl.ts";

/** Writes an invoice that lacks nothing for the format (`listMissingFormatFields`) as XML. */
export function writeEInvoice(format: EInvoiceFormat, invoice: EInvoice): string {
  switch (format) {
    case "ubl":
    case "xrechnung":
      return writeUblXml(invoice, format);
    case "cii":
    case "facturx":
      return writeCiiXml(invoice);
    case "facturae":
      return writeFacturaeXml(invoice);
  }
}
