import type { Cents } from "#domain/money.ts";
import { type DocumentCustomer, type DocumentDraft, FULL_INVOICE_FIELDS, type MissingInvoiceField } from "./draft.ts";

/** Returns the customer fields missing for a full invoice. */
export function listMissingInvoiceFields({ fullName, documentId, address }: DocumentCustomer): MissingInvoiceField[] {
  const values: Readonly<Record<(typeof FULL_INVOICE_FIELDS)[number], string | undefined>> = {
    name: fullName,
    document_id: documentId,
    address_street: address.street,
    address_city: address.city,
  };
  return FULL_INVOICE_FIELDS.filter((field) => !values[field]?.trim());
}

/**
 * Sets a draft's document type (docs/interfaces/rules.md#documents): a full invoice if its customer's data is complete,
 * otherwise a simplified one up to the account's limit. Above the limit it stays a draft with the list of missing
 * fields.
 */
export function assignDocumentForm(draft: DocumentDraft, simplifiedLimitCents: Cents): DocumentDraft {
  if (draft.type === "payment") return { ...draft, form: "credit_note", missing: [] };
  if (draft.kind === "internal_bond") return { ...draft, form: "internal_bond", missing: [] };
  const missing = listMissingInvoiceFields(draft.customer);
  if (missing.length === 0) return { ...draft, form: "full", missing };
  const isSmall = draft.sums.totalCents <= simplifiedLimitCents;
  return isSmall ? { ...draft, form: "simplified", missing: [] } : { ...draft, form: "full", missing };
}
