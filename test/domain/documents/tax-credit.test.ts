import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { draftTaxCreditNote, getCreditableCents } from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftMissingContractDocuments,
  type EarlierDocument,
} from "#domain/documents/invoicing.ts";
import { draftMonthlyInvoice } from "#domain/documents/monthly.ts";
import { arbitraryContract, createContractToInvoice } from "#support/contract-to-invoice.ts";

// A note for an unpaid debt credits the tax only (art. 80.3 and 80.4 of the VAT law). The sale stays invoiced.

const issue = (draft: DocumentDraft, id: number): EarlierDocument => ({
  ...draft,
  ...{ id, serie: "A", number: id, totalCents: draft.sums.totalCents, credited: [], isIssued: true },
});

/** Issues a draft and a note that credits its tax, or part of it. */
function issueWithTaxCredit(draft: DocumentDraft, reason: "bad_debt" | "insolvency", share = 1): EarlierDocument[] {
  const document = issue(draft, 1);
  const cents = Math.ceil(getCreditableCents(document, reason) * share);
  const note = draftTaxCreditNote(document, "en", { cents, reason });
  return [
    { ...document, isTaxTakenBack: true, credited: note.items },
    { ...issue(note, 2), correctsDocumentId: 1 },
  ];
}

const draftOnly = (contract: ContractToInvoice): DocumentDraft => {
  const [draft] = draftMissingContractDocuments(contract);
  if (!draft) throw new Error("nothing is left");
  return draft;
};

describe("a contract whose unpaid debt had its tax credited", () => {
  test.each(["bad_debt", "insolvency"] as const)(
    "doesn't invoice a contract again after the tax of its unpaid invoice was credited: %s",
    (reason) => {
      fc.assert(
        fc.property(arbitraryContract, fc.double({ min: 0.1, max: 1, noNaN: true }), (contract, share) => {
          const invoice = draftOnly(contract);
          if (getCreditableCents(issue(invoice, 1), reason) === 0) return;
          const earlier = issueWithTaxCredit(invoice, reason, share);
          expect(draftMissingContractDocuments({ ...contract, earlier })).toEqual([]);
        }),
      );
    },
  );

  test("invoices only the price increase of a contract whose unpaid invoice had its tax credited", () => {
    const contract = createContractToInvoice();
    const earlier = issueWithTaxCredit(draftOnly(contract), "bad_debt");
    const dearer = createContractToInvoice({
      lines: contract.lines.map((line) => ({ ...line, unitCents: line.unitCents + 500 })),
    });
    expect(draftMissingContractDocuments({ ...dearer, earlier })).toMatchObject([
      { type: "invoice", sums: { totalCents: 500, subtotalCents: 413, taxesCents: 87 } },
    ]);
  });

  test("issues no further credit note for an invoice whose tax was credited if the contract's price falls", () => {
    const contract = createContractToInvoice();
    const earlier = issueWithTaxCredit(draftOnly(contract), "bad_debt");
    const cheaper = createContractToInvoice({
      lines: contract.lines.map((line) => ({ ...line, unitCents: line.unitCents - 500 })),
    });
    expect(draftMissingContractDocuments({ ...cheaper, earlier })).toEqual([]);
  });

  test("invoices the next month of a rental without the tax credited for an earlier unpaid invoice", () => {
    const contract = createContractToInvoice();
    const dates = { dateFrom: "2030-01-01" as CivilDate, dateTo: "2030-04-01" as CivilDate };
    const rental = { ...contract, period: { ...contract.period, ...dates } };
    const first = draftMonthlyInvoice(rental, 1, "ES");
    const second = (earlier: readonly EarlierDocument[]) =>
      draftMonthlyInvoice({ ...rental, earlier }, 2, "ES")?.sums.totalCents;
    if (!first) throw new Error("nothing is left");
    const expected = second([issue(first, 1)]);
    expect(expected).toBeGreaterThan(0);
    expect(second(issueWithTaxCredit(first, "bad_debt"))).toBe(expected);
  });
});
