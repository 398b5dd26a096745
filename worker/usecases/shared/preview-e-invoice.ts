import type { Settings } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { toEInvoice } from "#domain/e-invoices/e-invoice.ts";
import { type EInvoiceFormat, pickEInvoiceFormat } from "#domain/e-invoices/formats.ts";
import { type EInvoiceField, listMissingFormatFields } from "#domain/e-invoices/missing-fields.ts";
import type { EInvoiceCustomer } from "#worker/store/printing/e-invoices.ts";
import type { BranchIssuerRow } from "#worker/store/printing/letterhead.ts";
import { toDraftEInvoiceSource } from "./to-e-invoice.ts";

/** Format of a document's electronic invoice, and what it lacks. */
export interface PreviewedEInvoice {
  readonly format: EInvoiceFormat;
  readonly missing: readonly EInvoiceField[];
}

/** Document before it's issued. */
export interface PreviewedDraft {
  readonly draft: DocumentDraft;
  readonly eInvoice: PreviewedEInvoice | undefined;
}

interface PreviewContext {
  readonly date: string;
  readonly settings: Settings;
  readonly issuers: readonly BranchIssuerRow[];
}

/** Returns drafts with what their electronic invoices lack. `customers` are those of the drafts. */
export function previewEInvoices(
  drafts: readonly DocumentDraft[],
  {
    customers,
    ...context
  }: PreviewContext & { readonly customers: readonly { readonly id: number; readonly data: EInvoiceCustomer }[] },
): readonly PreviewedDraft[] {
  return drafts.map((draft) => {
    const customer = customers.find(({ id }) => id === draft.customer.id)?.data;
    return { draft, eInvoice: previewEInvoice(draft, { ...context, customer }) };
  });
}

/** Returns what the electronic invoice of a draft lacks. Undefined without a format for its customer. */
export function previewEInvoice(
  draft: DocumentDraft,
  { date, settings, issuers, customer }: PreviewContext & { readonly customer: EInvoiceCustomer | undefined },
): PreviewedEInvoice | undefined {
  const format = pickEInvoiceFormat(settings.einvoiceFormat, customer?.details ?? {});
  const issuer = issuers.find(({ code }) => code === draft.branchCode);
  const language = pickPlatformLanguage(settings.defaultLanguage);
  const document = format && toDraftEInvoiceSource(draft, date, customer, { settings, issuer, language });
  return format && document && { format, missing: listMissingFormatFields(format, toEInvoice(document)) };
}
