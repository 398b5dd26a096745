/** Formats of electronic invoices. `facturx` is a PDF with its CII inside (Factur-X, ZUGFeRD). */
export const EINVOICE_FORMATS = ["ubl", "xrechnung", "cii", "facturx", "facturae"] as const;
export type EInvoiceFormat = (typeof EINVOICE_FORMATS)[number];

/** Data of a customer for electronic invoices, by API name. */
export interface EInvoiceDetails {
  /** Overrides the company's format. `none`: no electronic invoice. */
  readonly format?: EInvoiceFormat | "none" | undefined;
  /** Buyer reference, in Germany the Leitweg-ID. */
  readonly buyer_reference?: string | undefined;
  /** Electronic address with its scheme: `9920:ESB12345674`. */
  readonly endpoint?: string | undefined;
  /** DIR3 codes of a Spanish administration. */
  readonly accounting_office?: string | undefined;
  readonly managing_body?: string | undefined;
  readonly processing_unit?: string | undefined;
}

/** Returns the format for a customer's documents: the customer's own, otherwise the company's. */
export function pickEInvoiceFormat(
  company: EInvoiceFormat | "none",
  { format }: Pick<EInvoiceDetails, "format">,
): EInvoiceFormat | undefined {
  const picked = format ?? company;
  return picked === "none" ? undefined : picked;
}
