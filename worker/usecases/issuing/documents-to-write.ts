import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { type DocumentWriteOptions, getDocumentSeries } from "#worker/store/documents/documents.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/**
 * Document about to be written, and issued if nothing prevents it. `id` is set for an existing draft that is issued
 * unchanged.
 */
export interface DocumentToWrite {
  readonly draft: DocumentDraft;
  readonly writing: DocumentWriteOptions;
  readonly id?: number;
}

/** Issuing account and its settings. */
export interface IssuingAccount {
  readonly tenant: Pick<Tenant, "db">;
  readonly settings: Settings;
}

/** Whether the batch assigns a number to the document. */
export function isDocumentToIssue({ draft, writing }: DocumentToWrite): boolean {
  return writing.issued && draft.items.length > 0 && draft.missing.length === 0;
}

/** Returns the documents of one batch, identified by position. */
export function createDocumentsToWrite(
  drafts: readonly DocumentDraft[],
  writing: DocumentWriteOptions,
): readonly DocumentToWrite[] {
  return drafts.map((draft, index) => ({
    draft,
    writing: { ...writing, uid: index === 0 ? writing.uid : `${writing.uid}:${index}` },
  }));
}

interface SeriesEnd {
  readonly companyId: number;
  readonly serie: string;
  readonly lastNumber: number;
  readonly lastDate: string;
}

/** Number and date that a document gets when issued. */
export interface IssuedNumber {
  readonly number: string;
  readonly date: CivilDate;
}

/** Numbers that a batch will assign in sequence, like `issueDraftStatements` does. */
export class NextDocumentNumbers {
  readonly #ends: Map<string, Pick<SeriesEnd, "lastNumber" | "lastDate">>;

  constructor(ends: readonly SeriesEnd[]) {
    this.#ends = new Map(ends.map((end) => [`${end.companyId} ${end.serie}`, end]));
  }

  /** Returns the number and date that the document would get now. */
  peek({ draft, writing }: DocumentToWrite): IssuedNumber {
    const serie = getDocumentSeries(draft, writing);
    const known = this.#ends.get(`${draft.companyId} ${serie}`);
    const date = known && known.lastDate > writing.date ? known.lastDate : writing.date;
    return { number: `${serie}/${(known?.lastNumber ?? 0) + 1}`, date: date as CivilDate };
  }

  take(toIssue: DocumentToWrite): void {
    const key = `${toIssue.draft.companyId} ${getDocumentSeries(toIssue.draft, toIssue.writing)}`;
    const { date } = this.peek(toIssue);
    this.#ends.set(key, { lastNumber: (this.#ends.get(key)?.lastNumber ?? 0) + 1, lastDate: date });
  }
}
