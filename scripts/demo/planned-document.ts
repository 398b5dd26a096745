import { type SpokenLanguage, spokenLanguage } from "#domain/catalogue/languages.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { draftCreditNote, type FirmDocument } from "#domain/documents/credit-notes.ts";
import type { DocumentCustomer, DocumentDraft } from "#domain/documents/draft.ts";
import { branchNamed, type Company } from "./company.ts";
import type { Contract } from "./contracts.ts";
import type { Customer } from "./customers.ts";

/** An invoice, credit note or internal bond before it has a number. */
export interface PlannedDocument {
  readonly draft: DocumentDraft;
  readonly createdAt: CivilMinute;
  /** Not issued, and without a number. */
  readonly isDraft: boolean;
  readonly contract: Contract | undefined;
  readonly corrects: PlannedDocument | undefined;
  /** The simplified invoice in exchange for which it was issued. */
  readonly exchanges?: PlannedDocument | undefined;
  /** The activities contract that it is about. */
  readonly orderReference?: string | undefined;
}

/** A planned document as it will stand once it is issued; nothing of it is credited yet. */
export function asIssued(
  draft: DocumentDraft,
  { id, serie, number }: { id: number; serie: string; number: number },
): FirmDocument {
  return { ...draft, id, serie, number, totalCents: draft.sums.totalCents, credited: [] };
}

/** Takes back all of an issued document. Its number is known once that one's is: see `numberDocuments`. */
export function creditNoteOf(company: Company, corrects: PlannedDocument, createdAt: CivilMinute): PlannedDocument {
  const draft = draftCreditNote(asIssued(corrects.draft, { id: 0, serie: "", number: 0 }), languageOf(company));
  return { ...corrects, draft, createdAt, isDraft: false, corrects };
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
