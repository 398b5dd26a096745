import type { EInvoice } from "#domain/e-invoices/e-invoice.ts";
import type { EInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { ciiXml } from "./cii.ts";
import { facturaeXml } from "./facturae.ts";
import { ublXml } from "./ubl.ts";

/** Writes an invoice that lacks nothing for the format (`listMissingFormatFields`) as XML. */
export function writeEInvoice(format: EInvoiceFormat, invoice: EInvoice): string {
  switch (format) {
    case "ubl":
    case "xrechnung":
      return ublXml(invoice, format);
    case "cii":
    case "facturx":
      return ciiXml(invoice);
    case "facturae":
      return facturaeXml(invoice);
  }
}
