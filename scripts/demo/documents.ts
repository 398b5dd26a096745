import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { addDays, type CivilDate, type CivilMinute, fromCivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { draftCreditNote, type IssuedDocumentWithCredits } from "#domain/documents/credit-notes.ts";
import type { DocumentCustomer, DocumentDraft } from "#domain/documents/draft.ts";
import { toDocumentCustomer } from "#worker/store/documents/contract-to-invoice.ts";
import {
  createDocumentContractRow,
  createDocumentRow,
  createItemRow,
  createTaxRow,
  getDocumentSeries,
} from "#worker/store/documents/documents.ts";
import { getBranch } from "./company.ts";
import type { DemoContract } from "./contracts.ts";
import type { DemoCustomer } from "./customers.ts";
import type { DemoCompany } from "./describe-company.ts";
import { createInsertStatements, createUpdateStatements, type DemoTables, type NewDemoRows } from "./tables.ts";

/** An invoice, credit note or internal bond without a number. */
export interface PlannedDocument {
  /** For a credit note, the corrected document. Its own draft needs that document's number. */
  readonly draft: DocumentDraft;
  readonly createdAt: CivilMinute;
  /** Whether the document isn't issued and has no number. */
  readonly isDraft: boolean;
  readonly contract?: DemoContract;
  /** Contracts of a collective invoice. */
  readonly contracts?: readonly DemoContract[];
  readonly corrects?: PlannedDocument;
  /** The simplified invoice that this full invoice replaces. */
  readonly exchanges?: PlannedDocument;
}

/** Converts a planned document to its issued form, not yet credited. */
export function toIssuedDocument({
  draft,
  ...named
}: PlannedDocument & Partial<NumberedDocument>): IssuedDocumentWithCredits {
  const { id = 0, serie, number } = named;
  return { ...draft, id, serie: serie ?? "", number: number ?? 0, totalCents: draft.sums.totalCents, credited: [] };
}

/** Plans a credit note for an entire issued document. */
export function createCreditNote(corrects: PlannedDocument, createdAt: CivilMinute): PlannedDocument {
  return { ...corrects, createdAt, corrects };
}

/** Returns the common fields of a branch's documents. */
export function createDocumentBranchFields(company: DemoCompany, code: string) {
  const { companyId } = getBranch(company, code);
  return { companyId, branchCode: code, currency: company.settings.currency };
}

export function getCompanyDefaultLanguage({ settings }: DemoCompany): PlatformLanguage {
  return pickPlatformLanguage(settings.defaultLanguage);
}

/** Converts a customer to document fields. */
export function createDocumentCustomer(customer: DemoCustomer): DocumentCustomer {
  const { id, customerType, name: customerName, surname: customerSurname, documentId: customerDocumentId } = customer;
  const customerColumns = { customerId: id, customerType, customerName, customerSurname, customerDocumentId };
  return toDocumentCustomer({ ...customerColumns, contractData: "{}" }, customer);
}

/** Days until the invoices of a paying company are due. */
export const PAYMENT_TERMS_DAYS = 30;

/** A document with its number, or a draft without one. */
export interface NumberedDocument extends PlannedDocument {
  readonly id: number;
  readonly date: CivilDate;
  readonly serie: string | null;
  readonly number: number | null;
  readonly marks: Marks;
}

/**
 * Whether a document needs a tax record, whether accounting has processed it, and the error that accounting reported.
 */
type Marks = Pick<DemoTables["documents"]["$inferInsert"], "taxRecordDue" | "accountingProcessed" | "integrationError">;
export type NumberedDocuments = ReadonlyMap<PlannedDocument, NumberedDocument>;

const MINUTES_TO_ACCOUNTING = 12 * MINUTES_PER_DAY;
const ERROR_EVERY = 97;
const INTEGRATION_ERROR = "The customer's tax id is not known to the ERP";

/** Returns the time until which accounting has processed documents and payments: twelve days ago. */
export function getAccountingProcessedUntil({ now }: DemoCompany): CivilMinute {
  return now - MINUTES_TO_ACCOUNTING;
}

/** Numbers documents in issue order, without gaps within a serie. Also returns the last number of each serie. */
export function numberDocuments(company: DemoCompany, planned: readonly PlannedDocument[]) {
  const processed = getAccountingProcessedUntil(company);
  // A credit note of the same minute comes after the document it corrects.
  const inOrder = planned.toSorted((a, b) => a.createdAt - b.createdAt || Number(!!a.corrects) - Number(!!b.corrects));
  const series = new Map<string, DemoTables["numberSeries"]["$inferInsert"]>();
  const numbered = new Map<PlannedDocument, NumberedDocument>();
  for (const [index, document] of inOrder.entries()) {
    const { isDraft, createdAt } = document;
    const { date } = fromCivilMinute(createdAt);
    const draft = finalDraft(company, document, numbered);
    const { companyId } = draft;
    const serie = getDocumentSeries(draft, { date, series: company.settings });
    const number = (series.get(`${companyId} ${serie}`)?.lastNumber ?? 0) + 1;
    if (!isDraft) series.set(`${companyId} ${serie}`, { companyId, serie, lastNumber: number, lastDate: date });
    const hasError = !isDraft && index % ERROR_EVERY === 0 && createdAt >= processed - MINUTES_TO_ACCOUNTING;
    numbered.set(document, {
      ...document,
      id: index + 1,
      draft,
      date,
      ...(isDraft ? { serie: null, number: null } : { serie, number }),
      marks: {
        taxRecordDue: !isDraft && keepsRecords(company, draft, date),
        accountingProcessed: !isDraft && !hasError && createdAt < processed,
        integrationError: hasError ? INTEGRATION_ERROR : undefined,
      },
    });
  }
  return { numbered, series: [...series.values()] };
}

// Whether the document needs a tax record. Applies to Veri*factu invoices from the date of the company's tax
// representation.
function keepsRecords(company: DemoCompany, { kind, branchCode }: DocumentDraft, date: CivilDate): boolean {
  const { taxRepresentationDate: since, taxRecords } = company.settings;
  if (kind !== "invoice" || since === undefined) return false;
  return taxRecords[getBranch(company, branchCode).taxTerritory] === "verifactu" && date >= since;
}

function finalDraft(company: DemoCompany, planned: PlannedDocument, numbered: NumberedDocuments): DocumentDraft {
  const { draft, corrects, exchanges } = planned;
  const corrected = corrects && numbered.get(corrects);
  if (corrected) return draftCreditNote(toIssuedDocument(corrected), getCompanyDefaultLanguage(company));
  return exchanges ? { ...draft, exchangesDocumentId: numbered.get(exchanges)?.id } : draft;
}

const ISSUE = `UPDATE documents SET invoice_status = 'invoice', last_update = last_update + 1, year = row.value ->> 'year',
  serie = row.value ->> 'serie', number = row.value ->> 'number', date = row.value ->> 'date'
  FROM json_each(?) AS row WHERE documents.id = row.value ->> 'id'`;

/** Inserts documents with taxes by rate and items. They're inserted as drafts and issued once complete. */
export function createDocumentInserts(db: D1Database, company: DemoCompany, numbered: readonly NumberedDocument[]) {
  const rows: NewDemoRows = {
    documents: numbered.map((document) => {
      const at = company.toEpochMs(document.createdAt);
      return {
        ...createDocumentRow(document.draft, { at, bookingId: document.contract?.id }),
        id: document.id,
        ...(document.contracts && { dueDate: addDays(document.date, PAYMENT_TERMS_DAYS) }),
        ...document.marks,
        lastUpdate: document.isDraft ? at : at - 1,
      };
    }),
    documentTaxes: numbered.flatMap(({ id, draft }) =>
      draft.taxes.map((tax, at) => ({ ...createTaxRow(tax, at), documentId: id })),
    ),
    documentContracts: numbered.flatMap(({ id, draft: { contracts = [] } }) =>
      contracts.map((part) => ({ ...createDocumentContractRow(part), documentId: id })),
    ),
    documentItems: numbered.flatMap(({ id, draft }) =>
      draft.items.map((item) => ({ ...createItemRow(item), documentId: id })),
    ),
  };
  const issued = numbered
    .filter(({ isDraft }) => !isDraft)
    .map(({ id, serie, number, date }) => ({ id, serie, number, year: Number(date.slice(0, 4)), date }));
  return [...createInsertStatements(db, rows), ...createUpdateStatements(db, ISSUE, issued)];
}
