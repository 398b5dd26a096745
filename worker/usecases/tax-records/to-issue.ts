import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { getDocumentSeries, type Writing } from "#worker/store/documents/documents.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** A document about to be written, and issued where nothing keeps it; `id` of a draft that is issued as it stands. */
export interface ToIssue {
  readonly draft: DocumentDraft;
  readonly writing: Writing;
  readonly id?: number;
}

/** Who issues: the account, and what holds for it. */
export interface Issuer {
  readonly tenant: Pick<Tenant, "db">;
  readonly settings: Settings;
}

/** Whether a document takes a number with its batch. */
export function isIssued({ draft, writing }: ToIssue): boolean {
  return writing.issued && draft.items.length > 0 && draft.missing.length === 0;
}

/** Documents of one batch, named by their places in it. */
export function numbered(drafts: readonly DocumentDraft[], writing: Writing): readonly ToIssue[] {
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

/** The number and the day that a document gets when it is issued. */
export interface IssuedNumber {
  readonly number: string;
  readonly date: CivilDate;
}

/** The numbers that a batch will take, one after the other, as `issueStatements` takes them. */
export class NextNumbers {
  readonly #ends: Map<string, Pick<SeriesEnd, "lastNumber" | "lastDate">>;

  constructor(ends: readonly SeriesEnd[]) {
    this.#ends = new Map(ends.map((end) => [`${end.companyId} ${end.serie}`, end]));
  }

  /** What the document gets where it is issued now. */
  peek({ draft, writing }: ToIssue): IssuedNumber {
    const serie = getDocumentSeries(draft, writing);
    const known = this.#ends.get(`${draft.companyId} ${serie}`);
    const date = known && known.lastDate > writing.date ? known.lastDate : writing.date;
    return { number: `${serie}/${(known?.lastNumber ?? 0) + 1}`, date: date as CivilDate };
  }

  take(toIssue: ToIssue): void {
    const key = `${toIssue.draft.companyId} ${getDocumentSeries(toIssue.draft, toIssue.writing)}`;
    const { date } = this.peek(toIssue);
    this.#ends.set(key, { lastNumber: (this.#ends.get(key)?.lastNumber ?? 0) + 1, lastDate: date });
  }
}
