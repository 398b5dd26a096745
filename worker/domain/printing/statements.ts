import { type Cents, sumCents } from "#domain/money.ts";
import { formatAmountWithoutCurrency, formatDate, formatMoney } from "#domain/money-notation.ts";
import { formatDocumentNumber, listPartyLines, type PrintedParty, type PrintoutSettings } from "./documents.ts";
import type { Printout } from "./printout.ts";
import { getPrintTexts } from "./texts.ts";

/** Document listed in a customer's statement. */
export interface PrintedStatementLine {
  readonly date: string | null;
  readonly dueDate: string | null;
  readonly serie: string | null;
  readonly number: number | null;
  readonly concept: string;
  readonly totalCents: Cents;
  readonly paidCents: Cents;
}

/** Statement of a customer: the documents and their pending amounts on a day. */
export interface StatementToPrint {
  readonly customer: PrintedParty;
  readonly rows: readonly PrintedStatementLine[];
  readonly today: string;
  /** Time of printing, epoch ms. */
  readonly at: number;
}

/** Returns the pending amount of documents, and the overdue part of it. */
export function sumDocumentAmounts(rows: readonly Omit<PrintedStatementLine, "concept">[], today: string) {
  const pending = (line: Pick<PrintedStatementLine, "totalCents" | "paidCents">) => line.totalCents - line.paidCents;
  return {
    totalCents: sumCents(rows.map(({ totalCents }) => totalCents)),
    paidCents: sumCents(rows.map(({ paidCents }) => paidCents)),
    pendingCents: sumCents(rows.map(pending)),
    overdueCents: sumCents(rows.filter(({ dueDate }) => dueDate !== null && dueDate < today).map(pending)),
  };
}

/** Creates the printout of a customer's statement. */
export function createStatementPrintout(
  { customer, rows, today, at }: StatementToPrint,
  printing: PrintoutSettings,
): Printout {
  const { language, letterhead, country } = printing;
  const texts = getPrintTexts(language);
  const money = { ...printing.money, language };
  const day = (date: string | null) => (date ? formatDate(date, language, country) : "");
  const sums = sumDocumentAmounts(rows, today);
  let pending = 0;
  const carried = rows.map(({ totalCents, paidCents }) => {
    pending += totalCents - paidCents;
    return formatAmountWithoutCurrency(pending, money);
  });
  const sum = (label: string, cents: Cents, isStrong = false) => ({
    label,
    value: formatMoney(cents, money),
    isStrong,
  });
  return {
    title: `${texts.statement} ${customer.name}`,
    language,
    country,
    at,
    letterhead,
    stamp: undefined,
    words: texts,
    blocks: [
      { kind: "title", text: texts.statement, facts: [{ label: texts.date, value: day(today) }] },
      {
        kind: "parties",
        parties: [
          { title: texts.issuer, lines: listPartyLines(printing.issuer, texts) },
          { title: texts.customer, lines: listPartyLines(customer, texts) },
        ],
      },
      {
        kind: "table",
        columns: [
          { title: texts.number, align: "left" },
          { title: texts.concept, align: "left" },
          { title: texts.date, align: "left" },
          { title: texts.dueDate, align: "left" },
          { title: texts.total, align: "right" },
          { title: `${texts.pending} (${money.currency})`, align: "right" },
        ],
        rows: rows.map((line) => [
          formatDocumentNumber(line) ?? "",
          line.concept,
          day(line.date),
          day(line.dueDate),
          formatAmountWithoutCurrency(line.totalCents, money),
          formatAmountWithoutCurrency(line.totalCents - line.paidCents, money),
        ]),
        carried,
      },
      {
        kind: "sums",
        sums: [
          sum(texts.total, sums.totalCents),
          sum(texts.paid, sums.paidCents),
          sum(texts.pending, sums.pendingCents, true),
          sum(texts.overdue, sums.overdueCents),
        ],
      },
    ],
  };
}
