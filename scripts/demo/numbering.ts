import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import type { Row } from "./insert.ts";
import type { Payment } from "./ledger.ts";
import type { Paper } from "./papers.ts";

/** A paper as a document: issued under a number, or a draft without one. */
export interface Numbered {
  readonly id: number;
  readonly paper: Paper;
  readonly year: number | undefined;
  readonly number: number | undefined;
  readonly correctsId: number | undefined;
  readonly paidCents: Cents;
  readonly changedAt: CivilMinute;
  readonly isProcessed: boolean;
  readonly integrationError: string | undefined;
}

export interface Books {
  readonly documents: readonly Numbered[];
  readonly idOf: (paper: Paper) => number | undefined;
  readonly series: readonly Row[];
  /** What was issued or paid before was taken over by the accounting. */
  readonly processedUntil: CivilMinute;
}

const MINUTES_PER_DAY = 1440;
const DAYS_TO_ACCOUNTING = 12;
const ERROR_EVERY = 97;
const INTEGRATION_ERROR = "The customer's tax id is not known to the ERP";

/** Numbers the papers in the order of issue: without gaps within a kind, branch, series and year. */
export function keepBooks(papers: readonly Paper[], payments: readonly Payment[], now: CivilMinute): Books {
  const processedUntil = now - DAYS_TO_ACCOUNTING * MINUTES_PER_DAY;
  const inOrder = papers.toSorted((a, b) => a.createdAt - b.createdAt || orderOf(a) - orderOf(b));
  const ids = new Map(inOrder.map((paper, index) => [paper, index + 1]));
  const paymentsOf = Map.groupBy(payments, ({ paper }) => paper);
  const last = new Map<string, Row & { last_number: number }>();
  const documents = inOrder.map((paper, index): Numbered => {
    const paid = paymentsOf.get(paper) ?? [];
    const hasError =
      !paper.isDraft &&
      index % ERROR_EVERY === 0 &&
      paper.createdAt >= processedUntil - DAYS_TO_ACCOUNTING * MINUTES_PER_DAY;
    return {
      id: index + 1,
      paper,
      ...(paper.isDraft ? { year: undefined, number: undefined } : issue(paper, last)),
      correctsId: paper.corrects && ids.get(paper.corrects),
      paidCents: sumOf(paid.map(({ type, cents }) => (type === "charge" ? cents : -cents))),
      changedAt: Math.max(paper.createdAt, ...paid.map(({ at }) => at)),
      isProcessed: !paper.isDraft && !hasError && paper.createdAt < processedUntil,
      integrationError: hasError ? INTEGRATION_ERROR : undefined,
    };
  });
  return { documents, idOf: (paper) => ids.get(paper), series: [...last.values()], processedUntil };
}

// A credit note of the same minute comes after what it corrects.
function orderOf({ type }: Paper): number {
  return type === "invoice" ? 0 : 1;
}

function issue(
  paper: Paper,
  last: Map<string, Row & { last_number: number }>,
): { readonly year: number; readonly number: number } {
  const year = Number(fromCivilMinute(paper.createdAt).date.slice(0, 4));
  const key = `${paper.kind} ${paper.branchCode} ${paper.serie} ${year}`;
  const number = (last.get(key)?.last_number ?? 0) + 1;
  last.set(key, {
    kind: paper.kind,
    branch_code: paper.branchCode,
    serie: paper.serie,
    year,
    last_number: number,
  });
  return { year, number };
}
