import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMonths, type CivilDate, type TimeText } from "#domain/dates.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftMissingContractDocuments,
  type EarlierDocument,
} from "#domain/documents/invoicing.ts";
import { countMonthsToInvoice, draftMonthlyInvoice } from "#domain/documents/monthly.ts";
import { sumCents } from "#domain/money.ts";
import { createContractToInvoice } from "#support/contract-to-invoice.ts";

const rental = (dateTo: string, unitCents: number, changes: Partial<ContractToInvoice> = {}): ContractToInvoice => {
  const { lines, period, ...contract } = createContractToInvoice();
  return createContractToInvoice({
    ...contract,
    sums: undefined as never,
    lines: lines.map((line) => ({ ...line, unitCents })),
    period: {
      ...period,
      dateFrom: "2030-01-31" as CivilDate,
      dateTo: dateTo as CivilDate,
      timeTo: "10:00" as TimeText,
    },
    ...changes,
  });
};

const issue = (draft: DocumentDraft, id: number): EarlierDocument & Pick<DocumentDraft, "sums"> => ({
  ...draft,
  id,
  serie: "A",
  number: id,
  totalCents: draft.sums.totalCents,
  credited: [],
  isIssued: true,
});

// Credit notes reduce the invoices that they correct.
const addTotals = (documents: readonly Pick<DocumentDraft, "sums">[]) =>
  sumCents(documents.map(({ sums }) => sums.totalCents));

describe("a rental that is invoiced each month", () => {
  test("creates an invoice for each completed month of a rental, except the last", () => {
    const { period } = rental("2030-05-15", 100_00);
    expect(addMonths(period.dateFrom, 1)).toBe("2030-02-28");
    expect(countMonthsToInvoice(period, "2030-02-27" as CivilDate)).toBe(0);
    expect(countMonthsToInvoice(period, "2030-02-28" as CivilDate)).toBe(1);
    expect(countMonthsToInvoice(period, "2031-01-01" as CivilDate)).toBe(3);
    expect(countMonthsToInvoice({ ...period, dateTo: "2030-02-28" as CivilDate }, "2031-01-01" as CivilDate)).toBe(0);
  });

  test("invoices a month of a rental in proportion to the month's days, with the month's dates", () => {
    const month = draftMonthlyInvoice(rental("2030-04-11", 70_00), 1, "ES");
    expect(month).toMatchObject({
      form: "full",
      referenceDates: "2030-01-31 10:00 - 2030-02-28 10:00",
      sums: { totalCents: 2800 },
    });
  });

  // Proves "office.md: the vehicles of a contract": billing_period month: the sum stays right
  test("invoices exactly the rental's total in the end, whatever price changes happen in between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 900_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (prices, months) => {
          const dateTo = addMonths("2030-01-31" as CivilDate, months + 1);
          const issued: ReturnType<typeof issue>[] = [];
          for (let month = 1; month <= months; month += 1) {
            const price = prices[(month - 1) % prices.length] ?? 100;
            const draft = draftMonthlyInvoice(rental(dateTo, price, { earlier: issued }), month, "ES");
            if (draft) issued.push(issue(draft, issued.length + 1));
          }
          const final = rental(dateTo, prices.at(-1) ?? 100, { earlier: issued });
          const closing = draftMissingContractDocuments(final);
          expect(addTotals(issued) + addTotals(closing)).toBe(final.sums.totalCents);
        },
      ),
    );
  });
});
