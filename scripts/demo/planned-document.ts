import { type SpokenLanguage, spokenLanguage } from "#domain/catalogue/languages.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { FirmDocument } from "#domain/documents/credit-notes.ts";
import type { DocumentCustomer, DocumentDraft } from "#domain/documents/draft.ts";
import { branchNamed } from "./company.ts";
import type { Contract } from "./contracts.ts";
import type { Customer } from "./customers.ts";
import type { Company } from "./describe-company.ts";

/** An invoice, credit note or internal bond before it has a number. */
export interface PlannedDocument {
  /** Of a credit note, what it takes back: its own is drafted once that one's number is known. */
  readonly draft: DocumentDraft;
  readonly createdAt: CivilMinute;
  /** Not issued, and without a number. */
  readonly isDraft: boolean;
  readonly contract?: Contract;
  readonly corrects?: PlannedDocument;
  /** The simplified invoice in exchange for which it was issued. */
  readonly exchanges?: PlannedDocument;
}

/** A planned document as it will stand once it is issued; nothing of it is credited yet. */
export function asIssued(
  draft: DocumentDraft,
  { id, serie, number }: { id: number; serie: string | null; number: number | null },
): FirmDocument {
  return { ...draft, id, serie: serie ?? "", number: number ?? 0, totalCents: draft.sums.totalCents, credited: [] };
}

/** Takes back all of an issued document. */
export function creditNoteOf(corrects: PlannedDocument, createdAt: CivilMinute): PlannedDocument {
  return { ...corrects, createdAt, corrects };
}

/** What the documents of a branch have in common. */
export function headOf(company: Company, code: string) {
  const { companyId } = branchNamed(company, code);
  return { companyId, branchCode: code, currency: company.settings.currency };
}

export function languageOf({ settings }: Company): SpokenLanguage {
  return spokenLanguage(settings.defaultLanguage);
}

/** The customer as documents name them. */
export function documentCustomer(customer: Customer): DocumentCustomer {
  const { id, customerType, name, surname, documentId } = customer;
  return {
    id,
    type: customerType === "group_company" ? "legal_entity_group_company" : customerType,
    fullName: `${name} ${surname}`.trim(),
    documentId,
    address: {
      street: customer.addressStreet,
      number: customer.addressNumber,
      complement: customer.addressComplement,
      city: customer.addressCity,
      state: customer.addressState,
      country: customer.addressCountry,
      zip: customer.addressZip,
    },
  };
}
