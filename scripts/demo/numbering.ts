import { type CivilMinute, fromCivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { draftCreditNote } from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { serieOf } from "#domain/documents/series.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import type { numberSeries } from "#worker/store/schema/documents.ts";
import type { Company } from "./company.ts";
import type { Payment } from "./payments.ts";
import { asIssued, languageOf, type PlannedDocument } from "./planned-document.ts";

/** A document under its number, or a draft without one. */
export interface NumberedDocument {
  readonly id: number;
  readonly planned: PlannedDocument;
  readonly draft: DocumentDraft;
  readonly year: number | null;
  readonly serie: string | null;
  readonly number: number | null;
  readonly paidCents: Cents;
  readonly changedAt: CivilMinute;
  readonly isProcessed: boolean;
  readonly integrationError: string | undefined;
}

export interface NumberedDocuments {
  readonly documents: readonly NumberedDocument[];
  readonly idOf: (planned: PlannedDocument) => number | undefined;
  readonly series: readonly Series[];
  /** What was issued or paid before was taken over by the accounting. */
  readonly processedUntil: CivilMinute;
}

type Series = typeof numberSeries.$inferInsert;

const DAYS_TO_ACCOUNTING = 12;
const ERROR_EVERY = 97;
const INTEGRATION_ERROR = "The customer's tax id is not known to the ERP";

/** Numbers the documents in the order of issue: without gaps within a serie. */
export function numberDocuments(
  company: Company,
  planned: readonly PlannedDocument[],
  payments: readonly Payment[],
): NumberedDocuments {
  const processedUntil = company.now - DAYS_TO_ACCOUNTING * MINUTES_PER_DAY;
  const inOrder = planned.toSorted((a, b) => a.createdAt - b.createdAt || orderOf(a) - orderOf(b));
  const paymentsOf = Map.groupBy(payments, ({ document }) => document);
  const series = new Map<string, Series>();
  const numbered = new Map<PlannedDocument, NumberedDocument>();
  for (const [index, document] of inOrder.entries()) {
    const paid = paymentsOf.get(document) ?? [];
    const { isDraft, createdAt, corrects } = document;
    const corrected = corrects && numbered.get(corrects);
    const isLate = createdAt >= processedUntil - DAYS_TO_ACCOUNTING * MINUTES_PER_DAY;
    const hasError = !isDraft && index % ERROR_EVERY === 0 && isLate;
    numbered.set(document, {
      id: index + 1,
      planned: document,
      draft: corrected ? creditNoteFor(company, corrected) : exchanged(document, numbered),
      ...(isDraft ? { year: null, serie: null, number: null } : issue(company, document, series)),
      paidCents: sumOf(paid.map(({ type, cents }) => (type === "charge" ? cents : -cents))),
      changedAt: Math.max(createdAt, ...paid.map(({ at }) => at)),
      isProcessed: !isDraft && !hasError && createdAt < processedUntil,
      integrationError: hasError ? INTEGRATION_ERROR : undefined,
    });
  }
  return {
    documents: [...numbered.values()],
    idOf: (document) => numbered.get(document)?.id,
    series: [...series.values()],
    processedUntil,
  };
}

function exchanged(
  { draft, exchanges }: PlannedDocument,
  numbered: ReadonlyMap<PlannedDocument, NumberedDocument>,
): DocumentDraft {
  return exchanges ? { ...draft, exchangesDocumentId: numbered.get(exchanges)?.id } : draft;
}

function creditNoteFor(company: Company, { id, serie, number, draft }: NumberedDocument): DocumentDraft {
  return draftCreditNote(asIssued(draft, { id, serie: serie ?? "", number: number ?? 0 }), languageOf(company));
}

// A credit note of the same minute comes after what it corrects.
function orderOf({ draft }: PlannedDocument): number {
  return draft.type === "invoice" ? 0 : 1;
}

function issue(
  { settings }: Company,
  { draft, createdAt }: PlannedDocument,
  series: Map<string, Series>,
): Pick<NumberedDocument, "year" | "serie" | "number"> {
  const { date } = fromCivilMinute(createdAt);
  const year = Number(date.slice(0, 4));
  const { companyId, branchCode, form, mode } = draft;
  const serie = serieOf(settings, { form, isAdvance: mode === "reservation_retainer", branchCode, year });
  const key = `${companyId} ${serie}`;
  const number = (series.get(key)?.lastNumber ?? 0) + 1;
  series.set(key, { companyId, serie, lastNumber: number, lastDate: date });
  return { year, serie, number };
}
