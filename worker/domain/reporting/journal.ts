import type { BasisPoints, Cents } from "#domain/money.ts";
import { getLedgerMoneyAccount, type LedgerAccountName, type LedgerAccounts } from "./accounts.ts";
import { toCsv } from "./csv.ts";

/** Formats of the accounting export. */
export const JOURNAL_FORMATS = ["csv", "datev", "a3", "contaplus"] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** Amounts of a document at one tax rate. */
export interface JournalTaxRateAmounts {
  readonly vat: BasisPoints;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
}

/** Issued invoice or credit note to post in the journal. */
export interface JournalDocument {
  readonly date: string;
  readonly serie: string;
  readonly number: number;
  readonly customerName: string;
  readonly rates: readonly JournalTaxRateAmounts[];
  /** Simplified invoices that the invoice replaces. Their amounts are reversed on its date. */
  readonly replaces: readonly {
    readonly serie: string;
    readonly number: number;
    readonly rates: readonly JournalTaxRateAmounts[];
  }[];
}

/** Payment, refund or deposit movement to post in the journal. */
export interface JournalCharge {
  readonly id: number;
  /** Day in the account's time zone. */
  readonly date: string;
  readonly method: string;
  readonly type: "charge" | "payment";
  /** Whether the charge only moves a deposit. */
  readonly isVirtual: boolean;
  /** Whether the charge is paid from a retained deposit, so that no money moves. */
  readonly depositKept: boolean;
  readonly amountCents: Cents;
  readonly bookingId: number | null;
}

/** Amount between two accounts: positive, from the credited to the debited one. */
export interface Posting {
  readonly entry: number;
  readonly date: string;
  readonly debit: string;
  readonly credit: string;
  readonly cents: Cents;
  /** Tax rate of a sale or its tax. */
  readonly vat: BasisPoints | undefined;
  readonly document: string;
  readonly text: string;
}

type Amount = readonly [debit: LedgerAccountName, credit: LedgerAccountName, cents: Cents, vat?: BasisPoints];

interface Entry {
  readonly date: string;
  readonly document: string;
  readonly text: string;
  readonly amounts: readonly Amount[];
}

/**
 * Books documents and money by day: sales and taxes against customers, money against customers, deposits against money.
 * The same period gives the same postings, because issued documents and money don't change. The document that money is
 * allocated to and a customer's name may change, so money names only its own number and its contract.
 */
export function toPostings(
  {
    documents,
    charges,
  }: { readonly documents: readonly JournalDocument[]; readonly charges: readonly JournalCharge[] },
  accounts: LedgerAccounts,
): readonly Posting[] {
  const entries = [...documents.flatMap(toDocumentEntries), ...charges.flatMap(toChargeEntry)];
  return entries
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .flatMap(({ amounts, ...entry }, index) =>
      amounts.filter(([, , cents]) => cents !== 0).map((amount) => toPosting(entry, index + 1, amount, accounts)),
    );
}

function toPosting(
  entry: Omit<Entry, "amounts">,
  number: number,
  [debit, credit, cents, vat]: Amount,
  accounts: LedgerAccounts,
): Posting {
  // A negative amount is posted the other way round.
  const [from, to] = cents < 0 ? [credit, debit] : [debit, credit];
  return { ...entry, entry: number, debit: accounts[from], credit: accounts[to], cents: Math.abs(cents), vat };
}

function toDocumentEntries({ date, serie, number, customerName: text, rates, replaces }: JournalDocument): Entry[] {
  const reversals = replaces.map((replaced) => ({
    ...{ date, text, document: `${replaced.serie}/${replaced.number}` },
    amounts: toSaleAmounts(replaced.rates, -1),
  }));
  return [...reversals, { date, text, document: `${serie}/${number}`, amounts: toSaleAmounts(rates, 1) }];
}

function toSaleAmounts(rates: readonly JournalTaxRateAmounts[], sign: 1 | -1): readonly Amount[] {
  return rates.flatMap(({ vat, subtotalCents, taxesCents }): Amount[] => [
    ["customers", "sales", sign * subtotalCents, vat],
    ["customers", "taxes", sign * taxesCents, vat],
  ]);
}

// Returns the journal entry of a charge. A retained deposit has one entry, a payment from the deposits. Its deposit
// movement has none.
function toChargeEntry(charge: JournalCharge): Entry[] {
  const { id, date, isVirtual, depositKept, method, bookingId } = charge;
  if (isVirtual && depositKept) return [];
  const cents = charge.type === "charge" ? charge.amountCents : -charge.amountCents;
  const money = getLedgerMoneyAccount(method);
  const amount: Amount = isVirtual
    ? [money, "deposits", cents]
    : [depositKept ? "deposits" : money, "customers", cents];
  const text = bookingId === null ? method : `R-${bookingId} ${method}`;
  return [{ date, text, document: `C-${id}`, amounts: [amount] }];
}

/** Formats postings as a general journal: two lines for each, with debit and credit. */
export function toJournalCsv(postings: readonly Posting[], decimals: number): string {
  const money = (cents: Cents) => (cents / 10 ** decimals).toFixed(decimals);
  const lines = postings.flatMap(({ entry, date, debit, credit, cents, vat, document, text }) => {
    const rate = vat === undefined ? null : (vat / 100).toFixed(2);
    const line = (account: string, amounts: readonly (string | null)[]) => [
      ...[entry, date, account, ...amounts, rate, document, text],
    ];
    return [line(debit, [money(cents), null]), line(credit, [null, money(cents)])];
  });
  const names = ["entry", "date", "account", "debit", "credit", "vat_percentage", "document", "text"];
  return `\uFEFF${toCsv([names, ...lines])}`;
}
