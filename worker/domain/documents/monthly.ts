import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { addMonths, type CivilDate, type Period, toDayNumber } from "#domain/dates.ts";
import { type Cents, prorate, splitAmount, sumCents } from "#domain/money.ts";
import { formatDate } from "#domain/money-notation.ts";
import { createContractItems } from "./contract-items.ts";
import { getUncreditedCents } from "./credit-notes.ts";
import { isTaxOnlyCredit } from "./credit-reasons.ts";
import type { DocumentDraft } from "./draft.ts";
import { type ContractToInvoice, draftPartialInvoice } from "./invoicing.ts";
import { calculateItem, MAX_TAX_RATES, sumTaxesByRate } from "./items.ts";
import { getDocumentTexts } from "./texts.ts";

/** Returns the number of months of a rental that are over on a day. The last one belongs to the closing invoice. */
export function countMonthsToInvoice({ dateFrom, dateTo }: Period, today: CivilDate): number {
  let months = 0;
  for (;;) {
    const end = addMonths(dateFrom, months + 1);
    if (end > today || end >= dateTo) return months;
    months += 1;
  }
}

/**
 * Drafts the invoice of a month of a rental. Until its end, the contract's price is due in proportion to the days,
 * without the amount that its documents already contain. Therefore the next month settles extensions, early returns and
 * discounts. Undefined if nothing is due. The closing invoice takes the rest.
 */
export function draftMonthlyInvoice(
  contract: ContractToInvoice,
  monthNumber: number,
  country: string,
): DocumentDraft | undefined {
  const { dateFrom, timeFrom, dateTo } = contract.period;
  const [from, until] = [addMonths(dateFrom, monthNumber - 1), addMonths(dateFrom, monthNumber)];
  const rates = sumTaxesByRate(createContractItems(contract).map(calculateItem));
  const totalCents = sumCents(rates.map((rate) => rate.totalCents));
  const days = toDayNumber(dateTo) - toDayNumber(dateFrom);
  const passed = Math.min(days, toDayNumber(until) - toDayNumber(dateFrom));
  const cents = prorate(totalCents, passed, days) - getInvoicedCents(contract);
  if (cents <= 0) return undefined;
  const { language, printLanguage = language } = contract;
  const nameMonth = (inLanguage: PlatformLanguage) =>
    `${getDocumentTexts(inLanguage).rental} ${formatDate(from, inLanguage, country)} – ${formatDate(until, inLanguage, country)}`;
  const [concept, printedConcept] = [nameMonth(language), nameMonth(printLanguage)];
  const highest = rates.toSorted((a, b) => b.totalCents - a.totalCents).slice(0, MAX_TAX_RATES);
  const shares = splitAmount(
    cents,
    highest.map((rate) => Math.max(0, rate.totalCents)),
  );
  const items = highest
    .map(({ vat }, index) =>
      calculateItem({ concept, printedConcept, quantity: 1, unitCents: shares[index] ?? 0, vat }),
    )
    .filter((item) => item.totalCents !== 0);
  return draftPartialInvoice(contract, items, `${from} ${timeFrom} - ${until} ${timeFrom}`);
}

function getInvoicedCents({ earlier }: ContractToInvoice): Cents {
  const issuedDocuments = earlier.filter(({ isIssued }) => isIssued);
  const invoices = issuedDocuments.filter(({ type }) => type === "invoice");
  // The credited tax of an unpaid debt isn't invoiced again.
  const taxNotes = issuedDocuments.filter(({ creditReason }) => isTaxOnlyCredit(creditReason));
  return sumCents(invoices.map(getUncreditedCents)) - sumCents(taxNotes.map(({ totalCents }) => totalCents));
}
